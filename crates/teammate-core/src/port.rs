//! The ports: what the heart needs from the world, as traits. Adapters live in the crates around this one.
//!
//! Everything that waits returns a [`BoxFuture`], so that an adapter may be a file, a server or a simulation.

mod agents;
mod audit_log;
mod clock;
mod disk;
mod doorbells;
mod events;
mod fleet;
mod governors;
mod hooks;
mod journal;
mod mailbox;
mod memory;
mod model;
mod objects;
mod presence;
mod program;
mod rule_book;
mod seal;
mod team_api;
mod tool;
mod transcript;
mod work_transfer;
mod workspace_files;
mod worktrees;

use std::{future::Future, pin::Pin};

pub use crate::permission::{Action, Target};
pub use crate::team::{
    AskedCommands, AskedQuestion, CommandVerdict, DEFAULT_TEAM, DecidedCommands, Durability,
    QuestionProof, Record, RecordWriter, branches_of,
};
pub use crate::team::{TaskReport, TaskSummary};
pub use agents::{
    AgentAnswer, AgentClient, AgentError, AgentOrder, AgentPast, AgentQuestion, AgentSession,
    AgentSource, AgentTerms, AgentUpdate, OpenAgent,
};
pub use audit_log::{AuditError, AuditLog};
pub use clock::{Calendar, Clock, Ids};
pub use disk::{Disk, DiskFile, DiskLock, FileError};
pub use doorbells::{Doorbells, Listening};
pub use events::{EventPieces, EventReader, EventStore, HeardPieces};
pub use fleet::{
    Fleet, FleetAnswer, FleetAsked, FleetFeed, FleetQuestion, FleetReply, JobAsk, JobOutcome,
    WorkerRest,
};
pub use governors::{Governors, HeardNews, PROBE_CLAIMED, ServerKey, ServerNews};
pub use hooks::Hooks;
pub use journal::{Damage, DamageKind, Journal, JournalError, JournalRead};
pub use mailbox::{Batch, BatchId, DamagedLine, MailError, Mailbox, UnverifiedLine};
pub use memory::{MemoryError, MemoryStore};
pub use model::{Model, ModelSource, PartSink};
pub use objects::{Archive, ObjectStore, ObjectStoreError, OutputFiles};
pub use presence::{HostError, LockHolder, Presence, SeenPresence, TeamClaim};
pub use program::{
    Census, MemberProcesses, ProgramBounds, ProgramEnd, ProgramError, ProgramLife, ProgramOrder,
    ProgramStarter, ProgramUse, RunningProgram, WorkspaceAccess,
};
pub use rule_book::{ModeLimit, RuleBookError, RuleStore};
pub use seal::Seal;
pub use team_api::{
    Caller, ConnectArgs, ConnectVerdict, Connecting, GroupEnded, JobContext, JobFuture, JobReport,
    LaterQuestion, MemberSummary, NewJob, OpenQuestion, OpenQuestions, PlanRequired, Reach,
    Refusal, ScheduleAsk, ServingLook, SettleAnswer, ShutdownArgs, ShutdownReply, SpawnArgs,
    SpawnedTeammate, SubagentArgs, SubmittedPlan, TaskChange, TeamApi, TeamReply, Unlisted,
    UserAnswer, UserQuestion, WorkerSummary,
};
pub use tool::{CallProgress, ReadyCall, Tool, ToolContext, Workspace};
pub use transcript::{
    OpenTranscript, ReadMark, Tail, Transcript, TranscriptError, TranscriptStore,
};
pub use work_transfer::{
    Bringing, BroughtWork, LeftOut, LeftOutWhy, SavedWork, TransferError, WorkOf, WorkThatCame,
    WorkTransfer,
};
pub use workspace_files::{LineRange, WorkspaceFiles};
pub use worktrees::{
    Furnished, GuardedChange, GuardedFile, Merged, PreparedWorktree, RemovalReason, Worktree,
    WorktreeError, WorktreeName, WorktreeOrigin, WorktreeSetup, WorktreeStatus, Worktrees,
};

/// A future behind a pointer: what a port's method returns.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
