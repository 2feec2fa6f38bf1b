//! The ports: what the heart needs from the world, as traits. Adapters live in the crates around this one.
//!
//! Everything that waits returns a [`BoxFuture`], so that an adapter may be a file, a server or a simulation.

mod agents;
mod archive;
mod audit_log;
mod calendar;
mod clock;
mod decide;
mod disk;
mod doorbells;
mod event_pieces;
mod events;
mod file_error;
mod fleet;
mod governors;
mod hooks;
mod journal;
mod mailbox;
mod memory;
mod mode_limit;
mod model;
mod objects;
mod outputs;
mod presence;
mod processes;
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

pub use agents::{
    AgentAnswer, AgentClient, AgentError, AgentOrder, AgentPast, AgentQuestion, AgentSession,
    AgentSource, AgentTerms, AgentUpdate, OpenAgent,
};
pub use archive::Archive;
pub use audit_log::{AuditError, AuditLog};
pub use calendar::Calendar;
pub use clock::{Clock, Ids};
pub use decide::{AskedCommands, AskedQuestion, CommandVerdict, DecidedCommands, QuestionProof};
pub use disk::{Disk, DiskFile, DiskLock};
pub use doorbells::{Doorbells, Listening};
pub use event_pieces::{EventPieces, HeardPieces};
pub use events::{EventReader, EventStore};
pub use file_error::FileError;
pub use fleet::{
    Fleet, FleetAnswer, FleetAsked, FleetFeed, FleetQuestion, FleetReply, JobAsk, JobOutcome,
    WorkerRest,
};
pub use governors::{Governors, HeardNews, PROBE_CLAIMED, ServerKey, ServerNews};
pub use hooks::Hooks;
pub use journal::{
    Damage, DamageKind, Durability, Journal, JournalError, JournalRead, Record, RecordWriter,
};
pub use mailbox::{Batch, BatchId, DamagedLine, MailError, Mailbox, UnverifiedLine};
pub use memory::{MemoryError, MemoryStore};
pub use mode_limit::ModeLimit;
pub use model::{Model, ModelSource, PartSink};
pub use objects::{ObjectStore, ObjectStoreError};
pub use outputs::OutputFiles;
pub use presence::{HostError, LockHolder, Presence, SeenPresence, TeamClaim};
pub use processes::MemberProcesses;
pub use program::{
    Census, ProgramBounds, ProgramEnd, ProgramError, ProgramLife, ProgramOrder, ProgramStarter,
    ProgramUse, RunningProgram, WorkspaceAccess,
};
pub use rule_book::{RuleBookError, RuleStore};
pub use seal::Seal;
pub use team_api::{
    Caller, ConnectArgs, ConnectVerdict, Connecting, GroupEnded, JobContext, JobFuture, JobReport,
    LaterQuestion, MemberSummary, NewJob, OpenQuestion, OpenQuestions, PlanRequired, Reach,
    Refusal, ScheduleAsk, SettleAnswer, ShutdownArgs, ShutdownReply, SpawnArgs, SpawnedTeammate,
    SubagentArgs, SubmittedPlan, TaskChange, TaskReport, TaskSummary, TeamApi, TeamReply, Unlisted,
    UserAnswer, UserQuestion, WorkerSummary,
};
pub use tool::{Action, CallProgress, ReadyCall, Target, Tool, ToolContext, Workspace};
pub use transcript::{OpenTranscript, Tail, Transcript, TranscriptError, TranscriptStore};
pub use work_transfer::{
    Bringing, BroughtWork, LeftOut, LeftOutWhy, SavedWork, TransferError, WorkOf, WorkThatCame,
    WorkTransfer,
};
pub use workspace_files::{LineRange, WorkspaceFiles};
pub use worktrees::{
    DEFAULT_TEAM, GuardedChange, GuardedFile, Merged, PreparedWorktree, RemovalReason, Worktree,
    WorktreeError, WorktreeName, WorktreeOrigin, WorktreeStatus, Worktrees, branches_of,
};

/// A future behind a pointer: what a port's method returns.
pub type BoxFuture<'a, T> = Pin<Box<dyn Future<Output = T> + Send + 'a>>;
