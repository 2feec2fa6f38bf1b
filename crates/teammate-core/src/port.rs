//! The ports: what the heart needs from the world, as traits. Adapters live in the crates around this one.
//!
//! Everything that waits returns a [`BoxFuture`], so that an adapter may be a file, a server or a simulation.

mod background;
mod clock;
mod disk;
mod file_error;
mod journal;
mod mailbox;
mod model;
mod office;
mod processes;
mod requests;
mod rule_book;
mod seal;
mod subagents;
mod tasks;
mod teams;
mod tool;
mod transcript;
mod worktrees;

use std::{future::Future, pin::Pin};

pub use background::{Background, JobRoom, JobView, NewJob, Work};
pub use clock::{Clock, Ids};
pub use disk::{Disk, DiskFile, DiskLock};
pub use file_error::FileError;
pub use journal::{Damage, DamageKind, Durability, Journal, JournalError, JournalRead, Record};
pub use mailbox::{Claim, ClaimId, DamagedLine, MailError, Mailbox, UnsealedLine};
pub use model::{Model, ModelSource, PartSink};
pub use office::{Caller, Office, Refusal, RosterLine, SpawnAsk, Spawned};
pub use processes::Processes;
pub use requests::{PlanRequired, Requests, Review, Shutdown, ShutdownAsk, Submitted};
pub use rule_book::{RuleBook, RuleBookError};
pub use seal::Seal;
pub use subagents::{SubagentAsk, Subagents};
pub use tasks::{TaskDone, TaskLine, TaskReport, Tasks};
pub use teams::{Archive, Ended, Teams};
pub use tool::{Action, Target, Tool, ToolContext, Workspace};
pub use transcript::{OpenTranscript, Tail, Transcript, TranscriptError, TranscriptStore};
pub use worktrees::{
    DEFAULT_TEAM, Merged, Origin, Prepared, Removal, Worktree, WorktreeError, WorktreeName,
    WorktreeStatus, Worktrees, branches_of,
};

/// A future behind a pointer: what a port's method returns.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
