//! Errors of a team as a whole.

mod unproven;

use std::path::PathBuf;

use teammate_core::{
    MemberName,
    board::{TaskId, TaskRefusal},
    model::ModelFailure,
    port::{
        AuditError, JournalError, MailError, MemoryError, Refusal, TranscriptError, WorktreeError,
        WorktreeName,
    },
};
use teammate_runtime::OpenError;
use teammate_sandbox::Strength;
use teammate_store::files::{HostError, LockHolder, is_of_disk};
use teammate_tools::web::SearchError;

pub use unproven::Unproven;

use crate::{hooks::sources::HookFilesError, policy::error::PolicyError, project::UserStateError};

/// Why a team could not be opened or used.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TeamError {
    /// The workspace is not a directory that can be used.
    #[error("cannot use {path} as a workspace: {why}")]
    Workspace {
        /// Which directory.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// The team's directory cannot be used.
    #[error("cannot use the team's directory {path}: {why}")]
    Directory {
        /// Which directory.
        path: PathBuf,
        /// Why not.
        why: std::io::Error,
    },
    /// Another process runs the team, or its lock is broken.
    #[error(transparent)]
    Host(#[from] HostError),
    /// The team could not be opened.
    #[error(transparent)]
    Open(#[from] OpenError),
    /// Commands would be held less well than is required.
    #[error("the team is not opened, because its commands would not be held as you require. {0}")]
    Sandbox(Strength),
    /// The policy of this machine forbids it.
    #[error(transparent)]
    Policy(#[from] PolicyError),
    /// A hook of a team started this program.
    #[error("refused: a hook cannot run a team, nor hooks")]
    WithinHook,
    /// Hooks of the user's cannot be used.
    #[error(transparent)]
    Hooks(#[from] HookFilesError),
    /// The audit log is required, and cannot be written.
    #[error("the team is not opened, because the audit log cannot be written: {0}")]
    Audit(AuditError),
    /// Mail was refused.
    #[error(transparent)]
    Refused(#[from] Refusal),
    /// A check must run before a task is completed, and checks run only inside the team.
    #[error("{refusal}. Checks run inside the team")]
    Unverified {
        /// Which task.
        task: TaskId,
        /// Which check.
        refusal: TaskRefusal,
    },
    /// Something could not be done with a worktree.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// A worktree cannot go while its member works in it.
    #[error("not removed: '{0}' is working in it; wait until its turn has ended")]
    WorktreeInUse(WorktreeName),
    /// A model cannot be used.
    #[error(transparent)]
    Model(#[from] ModelFailure),
    /// The directory in the place of the team was made by another program.
    #[error("{0} holds another program's mailboxes; nothing in it was changed")]
    OtherProgram(PathBuf),
    /// There is no team here.
    #[error("there is no team in {0}")]
    NoTeam(PathBuf),
    /// The team's directory is not proven to be the user's own, so it is not opened.
    #[error("{path} is not opened: {why}")]
    NotProven {
        /// The team's directory.
        path: PathBuf,
        /// Why not.
        why: Unproven,
    },
    /// The journal is gone, and there is no copy of it. The rest of the team is there.
    #[error(
        "{} {what}, and your state directory has no copy of it. It said who is in the team and what is on the board. The conversations \
         of {} are there, with their mail",
        .journal.display(), listed(.members)
    )]
    JournalLost {
        /// Its file.
        journal: PathBuf,
        /// The fault, in words.
        what: &'static str,
        /// Whose conversations are there.
        members: Vec<MemberName>,
    },
    /// The record of the user's teams cannot be read or written.
    #[error("the proof that a team is yours cannot be read or written: {0}")]
    Known(#[from] UserStateError),
    /// A member's command spoke as the user.
    #[error("refused: a command that a member runs cannot act as the user")]
    InsideMemberCommand,
    /// Old files are not that old any more.
    #[error("nothing was removed: the team was used meanwhile")]
    UsedMeanwhile,
    /// The whole team should be stopped, but no process runs it.
    #[error("the team is not running")]
    NotRunning,
    /// Programs that run the team come and go faster than one of them can be asked.
    #[error("not stopped: each time it was tried, another process had just started the team")]
    StopTimedOut,
    /// The process that runs the team does not act on a stop.
    #[error(
        "not stopped yet: {holder}, which runs the team, {}. Nothing is lost. The request stays open; that process stops as soon as it continues",
        if *.is_suspended { "is suspended (SIGSTOP)" } else { "did not act on it in time" }
    )]
    Unresponsive {
        /// Which.
        holder: LockHolder,
        /// Whether it was suspended by SIGSTOP or a debugger.
        is_suspended: bool,
    },
    /// The program that runs the team was suspended while it wrote to the journal, so that nobody else can.
    #[error(
        "not stopped: {0}, which runs the team, is suspended (SIGSTOP). Nothing is lost, but it holds the journal's lock, so the \
         stop could not be asked for: ask again when it goes on"
    )]
    SuspendedInWrite(LockHolder),
    /// Rules that deny or ask are about no tool that there is.
    #[error("the team is not opened, because not all that you forbid would be forbidden: {0}")]
    Rules(String),
    /// A tool of the program that uses this library cannot be added.
    #[error("{0}")]
    Tool(String),
    /// Notes are not read or changed.
    #[error(transparent)]
    Memory(#[from] MemoryError),
    /// The search service that is configured cannot be asked.
    #[error("[web_search]: {0}")]
    Search(#[from] SearchError),
    /// The team's files cannot be read.
    #[error("the team's files cannot be read: {0}")]
    Storage(String),
}

impl TeamError {
    /// Whether the team's files cannot be used because the disk is full, broken or read-only. What was written before is kept.
    pub fn is_of_disk(&self) -> bool {
        match self {
            Self::Directory { why, .. } | Self::Known(UserStateError::Files(why)) => {
                is_of_disk(why)
            }
            Self::Host(HostError::Broken(why)) => why.is_of_disk(),
            Self::Open(error) => is_opening_of_disk(error),
            Self::Refused(refusal) => is_mail_of_disk(refusal),
            Self::Workspace { .. }
            | Self::Host(HostError::Running(_))
            | Self::Unverified { .. }
            | Self::Worktree(_)
            | Self::Sandbox(_)
            | Self::Policy(_)
            | Self::Audit(_)
            | Self::WithinHook
            | Self::Hooks(_)
            | Self::WorktreeInUse(_)
            | Self::Model(_)
            | Self::OtherProgram(_)
            | Self::NoTeam(_)
            | Self::NotProven { .. }
            | Self::JournalLost { .. }
            | Self::Known(
                UserStateError::NoDirectory
                | UserStateError::InsideWorkspace(_)
                | UserStateError::Locked(_)
                | UserStateError::Unusable(_),
            )
            | Self::InsideMemberCommand
            | Self::UsedMeanwhile
            | Self::NotRunning
            | Self::StopTimedOut
            | Self::Unresponsive { .. }
            | Self::SuspendedInWrite(_)
            | Self::Rules(_)
            | Self::Tool(_)
            | Self::Memory(_)
            | Self::Search(_)
            | Self::Storage(_) => false,
        }
    }
}

fn is_opening_of_disk(error: &OpenError) -> bool {
    match error {
        OpenError::Journal(JournalError::Broken(why))
        | OpenError::Transcript(TranscriptError::Broken { why, .. }) => why.is_of_disk(),
        OpenError::Job(refusal) => is_mail_of_disk(refusal),
        OpenError::Journal(JournalError::Conflict { .. } | JournalError::Unsound(_))
        | OpenError::Transcript(TranscriptError::Owned { .. })
        | OpenError::NoPrice(_)
        | OpenError::Refused(_) => false,
    }
}

fn is_mail_of_disk(refusal: &Refusal) -> bool {
    match refusal {
        Refusal::Mail(MailError::Broken { why, .. } | MailError::Unknown { why, .. }) => {
            why.is_of_disk()
        }
        Refusal::Mail(
            MailError::TooLarge { .. } | MailError::Full { .. } | MailError::Locked { .. },
        )
        | Refusal::Rule(_)
        | Refusal::Request(_)
        | Refusal::Broken(_) => false,
    }
}

/// Names in a sentence.
pub(crate) fn listed(members: &[MemberName]) -> String {
    let names: Vec<&str> = members.iter().map(MemberName::as_str).collect();
    names.join(", ")
}
