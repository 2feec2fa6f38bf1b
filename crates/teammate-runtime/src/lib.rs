//! Drives a team: one task per member carries out what the agent machine wants done.
//!
//! The rules are not here but in `teammate-core`; files, models and tools are not here either but behind its ports.
//! What is here: the [`Host`] that opens a team and keeps it running, the driver of each member, the ledger that decides
//! commands one after the other, the permission gate, retries, and the event feed.
//!
//! Each part owns its state and is made from parts below it:
//!
//! ```text
//!  host                 opens, composes and closes a team; starts members; knows all that follows
//!    supervisor         restarts a member's driver after a bug
//!    reactions          reads the journal's news: shows them, wakes members, starts follow-ups
//!    team_service       what tools may ask of the team
//!    workers            runs this worker's machine, where several processes run the team (feature `fleet`)
//!      driver           the driver of one member
//!      requests         follows each request to its end
//!      halt             ends what a member has running when its plan gate closes
//!        engine         what answers a member in its turns: a model, or an external agent
//!        subagent       the machine with a conversation that is not kept
//!        jobs           background jobs, which run on when a turn is over
//!        schedules      fires what is due, by a timer
//!        loops          chains of mail and storms of spawns
//!          tool_call    one tool call, through the permission gate
//!          mailer       makes, stamps and sends mail
//!            permission_gate whether a call may run
//!            idle_wait       when the team is idle; other workers are asked, twice (`idle_wait/look`)
//!            identity   the texts about a member itself (prompts/), and its toolset
//!              open_requests   makes, answers and awaits requests
//!              members         running members: a bounded queue of orders each
//!              model_calls     calls a model: outages and rate limits (governor), one cache warm-up
//!                model_chain   a member's models in their order: which is asked, and how
//!              spending        usage that the journal does not count yet, and budgets (`shared`: of several workers)
//!              workdir · rights  where a member works, and what it may use
//!                carried_work    what it works on, brought from and saved for other machines
//!                base          settings and ports, with ledger, feed, activity and closing
//! ```
//!
//! `ledger` commits commands one after the other and gives everybody the team as a snapshot, which
//! no lock guards; `feed` carries events; `activity` knows exactly who is idle here, and what other
//! workers last said of their rest; `closing` how far the team is closed; `deployment` whether this
//! process runs the team alone or as a worker of a fleet, whom it runs, and what follows from that.
//!
//! What only a worker of a fleet does is behind the feature `fleet`: `workers`, and a room of other
//! parts each (`ledger/others`, `idle_wait/look`, `jobs/moved` ...). [`Host::open_as_worker`] puts
//! it in; a host without it runs alone, and asks nobody.
//!
//! - **No circles of imports**, here or in any crate, but for those that
//!   `xtask/tests/guards/circles/known` lists file by file: no file joins one. A lower part asks a
//!   higher one through a channel, or through its own trait, as `rights::ToolContexts`.
//! - **No lock is held over work on files or processes**, so an interrupt never waits for another
//!   member's git.
//! - **Whose duty something is, is asked in one place** (`base/duty.rs`): a member's holder does
//!   all that is done for it, the lead's holder what belongs to the team. A process that is alone
//!   has all.
//! - **A worker's commands carry its right**: the ledger adds it, so an old term is refused there.
//!   The lead's worker may end a member that is to end, in the place of a silent one
//!   (`requests/stand_in`).
//! - **A worker that opens or closes a transcript appends `Taken` first** (`workers/transcripts`):
//!   what an earlier loop or holder still has on its way is refused, so nothing comes after the end
//!   that the team knows and has counted.
//! - **What only the user grants counts in the user's records**: a record says its writer, as its
//!   seal proves, and the fold takes nothing in the user's name from a worker.
//! - **A worker speaks for its members only**: what it records for others must follow from a
//!   question of their worker, which the record keeps. The fold looks at each record of a worker
//!   before it applies it (`core/src/team/counted.rs`); one that does not count changes nothing. So
//!   a new event says for whom it speaks (`team/event_speaker.rs`), and a new command to which
//!   events it may lead (`follows.rs` beside it).
//! - **One worker decides for all**, the steward: `ledger/others/asking` asks it, `answering` there
//!   is asked. Without an answer a ledger decides by itself. Both ways append by `core::fold` and list
//!   the names of what was asked, so it does not matter who was first.
//! - **The journal's news have one reader**, `reactions`, and one announcer, `requests`.
//! - **A queue has a bound**, or a comment at its field says why it has none (clippy refuses
//!   others; `xtask/tests/guards/queues.rs` lists the four).
//! - **No file, vendor or tool is known by name**, only ports. It reads no configuration.
//! - **Effects are done in the order in which they come.** If a transcript cannot be appended to,
//!   nothing that follows happens.
//! - **Hooks are asked before anything is decided, with no lock held** (`base/hooks.rs`, and a
//!   `hooked` beside each place that asks). Where none listens, nothing is made and nothing waits.
//!   A verdict refuses, asks, holds back or halts; it never allows.
//! - **Nothing waits for a reader of events.** A slow one misses pieces of streamed text, never
//!   anything else.
//! - **Only the driver and `engine` know what answers a member.** Mail, board, requests and budgets
//!   do not; and of an external agent only the ports `AgentSource` and `AgentClient`.
//! - **Only `mailer` makes mail, and only the ledger appends to the journal.** (From another
//!   process `TeamClient` appends what the user asks of the board and answers to requests, by the
//!   same rules.)

mod activity;
mod base;
mod cache_warmup;
mod carried_work;
mod closing;
mod config;
mod deployment;
mod driver;
mod engine;
mod feed;
#[cfg(test)]
mod fixture;
mod goals;
mod governor;
mod halt;
mod host;
mod identity;
mod idle_wait;
mod jobs;
mod last_turn;
mod ledger;
mod loops;
mod mailer;
mod members;
mod model_calls;
mod model_chain;
mod open_requests;
mod owned_task;
mod permission_gate;
mod policy;
mod reactions;
mod recall;
mod recap;
mod requests;
mod rights;
mod schedules;
mod setup;
mod shown;
mod spending;
mod storage;
mod subagent;
mod supervisor;
mod team_service;
mod tool_call;
mod unfinished;
mod user_orders;
mod work_notice;
mod workdir;
mod worker_role;
#[cfg(feature = "fleet")]
mod workers;
mod worktree_setup;

pub use config::{
    AuditUse, CacheSetting, Fallback, MoreInstructions, RetryLimits, SHUTDOWN_WITHIN, TeamConfig,
};
pub use feed::EventFeed;
pub use host::{EventSource, Host, OpenError};
pub use ledger::{CommitResult, JournalNews, Ledger, LedgerError, NewsReceiver};
pub use mailer::recipient;
pub use model_chain::ModelInUse;
pub use policy::{AskPolicy, PlanApprover};
pub use recall::unheard_words;
pub use setup::{Ports, Setup};
pub use team_service::{PLAN_LIFTED, plan_wanted, uncommitted};
pub use teammate_core::tool::ToolNames;
pub use unfinished::unfinished;
pub use worker_role::WorkerRole;
