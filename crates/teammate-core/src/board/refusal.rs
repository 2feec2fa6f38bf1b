//! Why something cannot be done to a task, in a sentence that says what would have worked.

use std::borrow::Cow;

use serde::{Deserialize, Serialize};

use crate::{
    MemberName,
    id::{ConversationId, TaskId, TaskIdError},
    task::RequirementError,
};

/// A command about a task is refused, with the reason.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum TaskRefusal {
    /// No such task.
    #[error("there is no task {task}; {known}")]
    Unknown { task: TaskId, known: String },
    #[error(transparent)]
    Id(#[from] TaskIdError),
    #[error(transparent)]
    Requirement(#[from] RequirementError),
    /// Only the lead and the user may.
    #[error("only the lead can {what}; ask it by mail")]
    OnlyLead { what: Cow<'static, str> },
    /// A plan comes first.
    #[error(
        "your plan must be approved before you claim or complete a task: submit one, or, if you have, end your turn and wait for the answer"
    )]
    NeedsPlan,
    /// The user does no tasks.
    #[error("the user cannot claim tasks; assign it to a member")]
    UserClaims,
    /// A task needs a subject.
    #[error("a task needs a subject: one line that says what to do")]
    NoSubject,
    #[error(
        "the {what} has {bytes} bytes, at most {max} are allowed; write it to a file and name the file"
    )]
    TooLong {
        what: Cow<'static, str>,
        bytes: usize,
        max: usize,
    },
    #[error("the board has {0} tasks, the most it may have; delete what is no longer needed")]
    Full(usize),
    /// Dependencies would go round in a circle.
    #[error(
        "{task} cannot wait for {blocker}: {blocker} waits for {task} already, directly or through others"
    )]
    Circle {
        /// The task that would wait.
        task: TaskId,
        blocker: TaskId,
    },
    /// Somebody else has it.
    #[error("{task} has already been claimed by {owner}")]
    Claimed { task: TaskId, owner: MemberName },
    /// It waits for another conversation of the lead.
    #[error(
        "{task} belongs to an earlier job, the lead's conversation {conversation}, and is paused; the lead can assign it to have it done now"
    )]
    Paused {
        task: TaskId,
        conversation: ConversationId,
    },
    #[error("{task} is assigned to {to}; only the lead can assign it to another member")]
    AssignedTo { task: TaskId, to: MemberName },
    /// Its state does not allow it.
    #[error("{task} cannot be {what} because its status is '{status}'{hint}")]
    Status {
        task: TaskId,
        /// The wish that was refused.
        what: Cow<'static, str>,
        status: Cow<'static, str>,
        /// A hint at what would have worked.
        hint: Cow<'static, str>,
    },
    /// Others must be completed first.
    #[error("{task} is blocked by {} and cannot be {what} yet", list(blockers))]
    Blocked {
        task: TaskId,
        blockers: Vec<TaskId>,
        /// The wish that was refused.
        what: Cow<'static, str>,
    },
    /// The member does not meet the requirement.
    #[error("{task} requires {requires}, which '{member}' does not meet")]
    Unfit {
        task: TaskId,
        requires: String,
        /// The member that does not meet it.
        member: MemberName,
    },
    /// The member has another task in progress.
    #[error(
        "'{member}' has {held} in progress; complete it first, or give it back (status \"pending\")"
    )]
    Busy { member: MemberName, held: TaskId },
    /// It is not the caller's.
    #[error("{task} is not yours{owner}; only its owner, the lead or the user can do that")]
    NotYours {
        task: TaskId,
        /// Its owner, if it has one.
        owner: String,
    },
    /// The task has a check that must pass first.
    #[error("{task} has a check ({check}) that must exit 0 first")]
    Unverified {
        task: TaskId,
        /// The command.
        check: String,
    },
    /// No member has that name, or the member is stopped.
    #[error("'{0}' is stopped and would not do it; the lead can wake it by spawning it again")]
    Stopped(MemberName),
}

/// `#1, #2`.
pub(crate) fn list<'a>(ids: impl IntoIterator<Item = &'a TaskId>) -> String {
    let ids: Vec<String> = ids.into_iter().map(ToString::to_string).collect();
    ids.join(", ")
}
