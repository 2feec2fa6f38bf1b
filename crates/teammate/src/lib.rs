//! Agent teams: a lead and persistent, named teammates, each with its own LLM loop, that work together through
//! durable mailboxes in one workspace.
//!
//! ```no_run
//! use teammate::{Mode, Providers, Team};
//!
//! # async fn example() -> Result<(), Box<dyn std::error::Error>> {
//! let team = Team::builder("my-project", "anthropic:claude-sonnet-5-5".parse()?)
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
//! - [`attachments`]: pictures and documents to send with a message ([`UserMessage`]).
//! - [`store`]: journal, mail and transcripts somewhere else than in files.
//!
//! For a team that another process runs, or that is not running, use a [`TeamClient`]. A [`TeamHandle`] is either: looks and wishes
//! of a user ([`handle`]) that need not know where the team runs.
//!
//! The examples are whole programs and need no key: a play replaces the model. See `docs/library.md`.
//!
//! This crate only puts the parts together. The rules are in `teammate-core`, what runs them in `teammate-runtime`, and
//! the world behind `teammate-store`, `teammate-models` and `teammate-tools`.
//!
//! One value describes a team, `TeamConfig`. `open.rs` puts all parts together, `place` is where a
//! team lives, `ownership` proves who owns it, `copied_team` copies one, `project/` reads instructions,
//! skills, agent definitions and plug-ins and knows which are trusted; `plugins/` installs those; `hooks/` says
//! whose hooks count. `policy/` is what the machine's administrator allows, checked at each opening
//! of a team and of a model; `audit/` keeps who allowed what (the gate and `tool_call.rs` of the
//! runtime record it); `memory.rs` keeps notes across teams; `history.rs` reads journal and events
//! on and on, `live.rs` tells events to other processes at the moment they happen; `purge.rs` finds
//! what is old; `hiding` hides secrets in what is given away.
//!
//! - **A user's wish takes one way**, wherever the team runs: `TeamHandle::ask` with a verb of
//!   `handle/`, a type for each wish with what comes of it. The process that runs the team carries
//!   it out; from another it goes through the journal. Full screen, page and prompt have no other
//!   way, and why an answer has no effect is known by its type (`Refusal::Request`).
//! - **`TeamClient` and a team that runs know ports only** (`TeamStore`: logs, events, who runs the
//!   team, doorbells). Files are one store, made in `ownership/store.rs`; what only files want is
//!   in `client/upkeep.rs` and `file_stores.rs`.
//! - **Only this crate knows all parts.** It brings no command line and no terminal; the program
//!   adds the hint to an error (`teammate-cli/src/hint.rs`).
//! - **A workspace's texts grant nothing**: its rules and agent definitions count only after the
//!   user's yes to their content.
//! - **No secret that the program holds (`secrets.rs`) is written down or shown**, except reasoning
//!   that a server signed: it goes back to that server and is never shown. A key that is obtained
//!   later becomes one of them before it is used. Callers hide nothing: a command loses them where
//!   it is decided (`core::fold`), and is refused there if a new name has one
//!   (`fold/new_names.rs`); mail loses them where it is sent and where it is heard
//!   (`Message::each_text`).

// Elsewhere a field or a variant whose name and type say all has no comment: `xtask/tests/guards/contracts.rs`.
#![warn(missing_docs)]

#[cfg(feature = "acp")]
pub mod agents;
pub mod attachments;
pub mod audit;
mod begin;
mod builder;
mod calendar;
pub mod carried_work;
mod client;
mod copied_team;
mod ephemeral;
mod error;
mod event_log;
mod existing;
mod expected_result;
mod file_stores;
mod function_tool;
mod git_worktrees;
pub mod handle;
pub mod hiding;
mod history;
pub mod hooks;
mod key_command;
mod known_secrets;
mod live;
mod look_options;
#[cfg(feature = "mcp")]
pub mod mcp;
#[cfg(feature = "nats")]
pub mod nats;
mod not_continuing;
mod on_question;
mod open;
mod ownership;
mod place;
mod providers;
mod recorder;
mod run_report;
mod run_stats;
mod secret_marks;
mod team;
mod team_index;
mod thinking_notice;
mod tool_names;
mod unaddressed_mail;
mod worktree_setup;

pub mod goals;
pub mod json;
pub mod memory;
pub mod platform;
pub mod plugins;
pub mod policy;
pub mod project;
pub mod purge;
pub mod rules;
pub mod sandbox;
pub mod schedules;
pub mod schema;
pub mod store;
#[cfg(feature = "otel")]
pub mod telemetry;
pub mod web;

pub use builder::TeamBuilder;
pub use client::{
    CallPicture, ConversationLine, DroppedConversation, Passage, ReadUpTo, StopOutcome, TeamClient,
    TeamFollower, TurnResult, WorkFetchError, require_user,
};
pub use copied_team::{TeamCopyError, copy_team};
pub use ephemeral::Ephemeral;
pub use error::{TeamError, Unproven};
pub use event_log::{EventLine, EventLog};
pub use expected_result::{ExpectedResult, ResultFlaw, ResultSchema};
pub use function_tool::FunctionTool;
pub use handle::{TeamHandle, TeamLook};
pub use history::{Happening, HistoryWatch, TeamHistory};
pub use key_command::{KEY_COMMAND, key_from_command};
pub use live::{LiveEvents, LivePlace};
pub use look_options::LookOptions;
pub use not_continuing::{Halted, HaltedBy};
pub use ownership::{Found, Recoverable, RecoveredMember, RecoveredTask, Recovery};
pub use place::{TeamPlace, of_other_programs, teams_in};
pub use providers::{KeptLessons, ModelEntry, Providers, WireFormat};
pub use run_report::{RunOutcome, RunReport};
pub use run_stats::{MemberStats, RunStats};
pub use team::{Team, TeamWatch};
pub use team_index::{OpenedTeam, opened_teams};
pub use tool_names::tool_names;

pub use teammate_core::{
    GroupName, GroupNameError, MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    agent::{ContextWindow as ModelContext, Limits},
    block, board,
    budget::{Budget, BudgetScope, BudgetUnit, Budgets, with_thousands},
    estimate,
    event::{
        Closing, Compaction, ContextUse, Event, EventKind, Excerpt, FileChange, MergeEnd,
        NoteAbout, Paid, RunId, Waits, WaitsOn,
    },
    fence::{fenced, is_invisible, visible},
    mail::{CONTENT_BYTES_MAX, UserMessage},
    model::{self, Effort, ModelFailure, ModelRef, ModelRefError},
    name::{DeviceName, DeviceNameError},
    name::{edit_distance, slips_max},
    next_step::{NextStep, Wording},
    permission::{Breadth, Mode, OfferedRules, Rule, RuleOrigin, Rules, Touches},
    port::Record,
    port::{
        Action, BoxFuture, GuardedChange, GuardedFile, MemberSummary, Merged, Model, ModelSource,
        PartSink, PlanRequired, ReadyCall, Refusal, RemovalReason, Target, TaskReport, TaskSummary,
        TeamApi, Tool, ToolContext, Worktree, WorktreeError, WorktreeName, WorktreeSetup,
        WorktreeStatus, Worktrees,
    },
    price::{Cost, Decimal, KnownPrices, Money, Price, Prices},
    request,
    secrets::{SecretInName, Secrets},
    team::{
        AgentDefinition, ConversationChoice as Conversation, ConversationId, ConversationIdError,
        Job, JobEnd, JobId, Member, MemberOptions, MemberPhase, MemberSpending, MemberStatus,
        Spending, TeamState, Unfinished, UsageTotal,
    },
    tool::{
        CallId, EffectClass, Outcome, OutcomePart, RefusedBy, ToolCall, ToolInput, ToolName,
        ToolNames, ToolSpec,
    },
    transcript::EndReason,
    written_call::CallTemplate,
};
pub use teammate_core::{contained, lock};
pub use teammate_git::locks::{GitLock, LockState};
pub use teammate_models::{
    Auth, CacheRules, Catalogue, ClientCertificate, Endpoint, Family, Key, KeySource, Lessons,
    ListedModel, ModelFacts, ModelSettings, NamePattern, Probe, ProxySetting, RenewableKey,
    RequestSettings, ServerFacts, Thinking, Timeouts, Transport,
};
pub use teammate_runtime::{
    AskPolicy, AuditUse, CacheSetting, EventFeed, Fallback, ModelInUse, MoreInstructions,
    OpenError, PlanApprover, RetryLimits, SHUTDOWN_WITHIN, TeamConfig,
};
pub use teammate_sandbox::{begin, helper_is};
pub use teammate_store::files::{HostError, LockHolder};
pub use teammate_tools::{HeldBack, HeldBackFile, HeldState, ToolCatalogue};
