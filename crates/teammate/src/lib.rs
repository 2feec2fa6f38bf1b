//! Agent teams: a lead and persistent, named teammates, each a full LLM loop of its own, that work together through
//! durable mailboxes in one workspace.
//!
//! ```no_run
//! use teammate::{Mode, Providers, Team};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let team = Team::builder("my-project", "anthropic:claude-sonnet-4-5".parse()?)
//!     .providers(Providers::from_env())
//!     .mode(Mode::AcceptEdits)
//!     .open()
//!     .await?;
//! let ending = team.run("Spawn alice to write hello.py and bob to test it.").await?;
//! println!("{}", ending.text);
//! team.close().await;
//! # Ok(())
//! # }
//! ```
//!
//! What one needs:
//!
//! - [`Team::builder`] and [`TeamBuilder`]: how a team is opened. [`TeamConfig`] is all its settings. [`Team::run`] gives it a job,
//!   [`Team::close`] ends it.
//! - [`Providers`]: where models come from; [`Providers::with_models`] takes a [`Model`] of your own.
//! - [`FunctionTool`] and [`TeamBuilder::tool`]: a tool that is a function of your program.
//! - [`TeamBuilder::on_question`]: code that answers what members ask for.
//! - [`Team::events`]: everything that happens, as a stream of [`Event`]s.
//! - [`store`]: journal, mail and transcripts somewhere else than in files.
//!
//! A team that another process runs, or nobody, is an [`Outside`].
//!
//! The examples are whole programs and need no key: a play takes the model's place. `docs/library.md` says what to know.
//!
//! This crate only puts the parts together. The rules are in `teammate-core`, what runs them in `teammate-runtime`, and
//! the world behind `teammate-store`, `teammate-models` and `teammate-tools`.

mod builder;
mod confines;
mod ending;
mod ephemeral;
mod error;
mod event_log;
mod function_tool;
mod keep;
mod on_question;
mod open;
mod outside;
mod ownership;
mod place;
mod providers;
mod secrets;
mod standing;
mod tally;
mod team;
mod worktrees;

pub mod json;
pub mod platform;
pub mod rules;
pub mod schema;
pub mod store;
pub mod texts;

pub use builder::TeamBuilder;
pub use ending::{Ending, How};
pub use ephemeral::Ephemeral;
pub use error::TeamError;
pub use event_log::{EventLine, EventLog};
pub use function_tool::FunctionTool;
pub use outside::{ConversationLine, DroppedConversation, Outside, Stopped};
pub use ownership::{Found, Unproven};
pub use place::{TeamPlace, of_other_programs, teams_in};
pub use providers::{Providers, Wire};
pub use standing::{Halted, HaltedBy};
pub use tally::{MemberTally, Tally};
pub use team::{Team, Watch};

pub use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, TeamName, TeamNameError, Timestamp,
    agent::{Context as ModelContext, Limits},
    block, board,
    budget::{Budget, Budgets, grouped},
    event::{Closing, Compaction, Event, Excerpt, RunId, What},
    fence::{fenced, is_hidden},
    mail::CONTENT_BYTES_MAX,
    model::{self, ModelFailure, ModelRef, ModelRefError},
    name::{distance, slips_max},
    permission::{Mode, Origin, Rule, Rules},
    port::{
        Action, BoxFuture, ContainmentLevel, Merged, Model, ModelSource, PartSink, PlanRequired,
        ReadyCall, Refusal, Removal, RosterLine, Target, TaskLine, TaskReport, TeamApi, Tool,
        ToolContext, Worktree, WorktreeError, WorktreeName, WorktreeStatus, Worktrees,
    },
    price::{Bill, Decimal, Money, Price, Prices},
    request,
    team::{
        ConversationChoice as Conversation, ConversationId, ConversationIdError, Definition, Job,
        JobEnd, JobId, Member, MemberSpending, Spending, Sum, Terms, Unfinished,
    },
    tool::{CallId, EffectClass, Outcome, ToolCall, ToolInput, ToolName, ToolSpec},
    transcript::RestReason,
};
pub use teammate_models::{Auth, Endpoint, Timeouts, Probe};
pub use teammate_runtime::{EventFeed, OpenError, PlanPolicy, Policy, RetryLimits, TeamConfig};
pub use teammate_store::files::{LockHolder, HostError};
pub use teammate_tools::{
    Catalogue, Containment, keep_if_asked, keepers_are,
    worktrees::locks::{GitLock, Standing},
};
