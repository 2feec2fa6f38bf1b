//! Why something cannot be done to a task, in a sentence that says what would have worked.

use super::{RequirementError, TaskId, TaskIdError};
use crate::{MemberName, team::ConversationId};

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TaskRefusal {
    /// No such task.
    #[error("there is no task {task}; {known}")]
    Unknown {
        /// What was asked for.
        task: TaskId,
        /// What there is.
        known: String,
    },
    /// Text that is no id.
    #[error(transparent)]
    Id(#[from] TaskIdError),
    /// Text that is no requirement.
    #[error(transparent)]
    Requirement(#[from] RequirementError),
    /// Only the lead and the user may.
    #[error("only the lead can {what}; ask it by mail")]
    OnlyLead {
        /// What.
        what: &'static str,
    },
    /// A plan comes first.
    #[error(
        "your plan must be approved before you claim or complete a task: submit one, or end your turn if it waits for \
         its answer"
    )]
    NeedsPlan,
    /// The user does no tasks.
    #[error("the user claims no tasks; assign it to a member")]
    UserClaims,
    /// A task needs a subject.
    #[error("a task needs a subject: one line that says what is to be done")]
    NoSubject,
    /// Something is too long.
    #[error(
        "the {what} has {bytes} bytes, at most {max} are allowed; write it to a file and name the file"
    )]
    TooLong {
        /// What.
        what: &'static str,
        /// How long it is.
        bytes: usize,
        /// How long it may be.
        max: usize,
    },
    /// The board is full.
    #[error("the board has {0} tasks, the most it may have; delete what is no longer needed")]
    Full(usize),
    /// Dependencies would go round in a circle.
    #[error(
        "{task} cannot wait for {blocker}: {blocker} waits for {task} already, directly or through others"
    )]
    Circle {
        /// What would wait.
        task: TaskId,
        /// For what.
        blocker: TaskId,
    },
    /// Somebody else has it.
    #[error("{task} has already been claimed by {owner}")]
    Claimed {
        /// Which.
        task: TaskId,
        /// By whom.
        owner: MemberName,
    },
    /// It waits for another conversation of the lead.
    #[error(
        "{task} belongs to an earlier job, the lead's conversation {conversation}, and is paused; the lead can assign it to \
         somebody if it is to be done now"
    )]
    Paused {
        /// Which.
        task: TaskId,
        /// For which.
        conversation: ConversationId,
    },
    /// It is set aside for somebody else.
    #[error("{task} is assigned to {to}; only the lead can assign it to somebody else")]
    AssignedTo {
        /// Which.
        task: TaskId,
        /// For whom.
        to: MemberName,
    },
    /// Its state does not allow it.
    #[error("{task} cannot be {what} because its status is '{status}'{hint}")]
    Status {
        /// Which.
        task: TaskId,
        /// What was asked.
        what: &'static str,
        /// How it is.
        status: &'static str,
        /// What would have worked.
        hint: &'static str,
    },
    /// Others must be completed first.
    #[error("{task} is blocked by {} and cannot be {what} yet", list(blockers))]
    Blocked {
        /// Which.
        task: TaskId,
        /// By what.
        blockers: Vec<TaskId>,
        /// What was asked.
        what: &'static str,
    },
    /// The member does not meet the requirement.
    #[error("{task} requires {requires}, which '{member}' does not meet")]
    Unfit {
        /// Which.
        task: TaskId,
        /// What it asks.
        requires: String,
        /// Who does not meet it.
        member: MemberName,
    },
    /// The member has another task in progress.
    #[error(
        "'{member}' has {held} in hand; complete it first, or give it back (status \"pending\")"
    )]
    Busy {
        /// Who.
        member: MemberName,
        /// What it has.
        held: TaskId,
    },
    /// It is not the caller's.
    #[error("{task} is not yours{owner}; only its owner, the lead or the user can do that")]
    NotYours {
        /// Which.
        task: TaskId,
        /// Whose it is, if anybody's.
        owner: String,
    },
    /// A check stands between the task and its end.
    #[error("{task} has a check ({check}) that has to exit 0 first")]
    Unverified {
        /// Which.
        task: TaskId,
        /// The command.
        check: String,
    },
    /// Nobody of that name, or nobody who would do it.
    #[error("'{0}' is stopped and would not do it; the lead wakes it by spawning it again")]
    Stopped(MemberName),
}

/// `#1, #2`.
pub(super) fn list<'a>(ids: impl IntoIterator<Item = &'a TaskId>) -> String {
    let ids: Vec<String> = ids.into_iter().map(ToString::to_string).collect();
    ids.join(", ")
}
