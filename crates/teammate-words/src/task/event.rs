//! Events of a task. Journals hold these words for years: fields are added, never renamed or removed.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    Incarnation, MemberName, Sender,
    cause::Cause,
    id::TaskId,
    name::GroupName,
    task::{Evidence, Requirement},
};

/// Something that happened to a task.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum TaskEvent {
    /// It was put on the board.
    Created {
        by: Sender,
        call: Cause,
        /// What, in a line.
        subject: String,
        /// What, in full.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        description: String,
        /// The present-tense form, such as "Writing the schema".
        #[serde(default, skip_serializing_if = "String::is_empty")]
        active_form: String,
        /// The tasks that must be completed first.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        blocked_by: BTreeSet<TaskId>,
        /// The requirement of its owner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        requires: Option<Requirement>,
        /// The command that must exit 0 in the end.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<String>,
        /// Whether the task has its own worktree.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        worktree: bool,
        /// Whose members may do it.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        team: Option<GroupName>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        assigned: Option<MemberName>,
    },
    /// Its words or its order were changed. What is left out stays.
    Edited {
        by: Sender,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        subject: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        description: Option<String>,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        active_form: Option<String>,
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        add_blocked_by: BTreeSet<TaskId>,
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        remove_blocked_by: BTreeSet<TaskId>,
        /// The new requirement; empty for none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        requires: Option<String>,
        /// The new check; empty for none.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        check: Option<String>,
    },
    /// It was set aside for a member.
    Assigned {
        by: Sender,
        to: MemberName,
        /// The previous owner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        had: Option<MemberName>,
    },
    Claimed {
        by: MemberName,
        incarnation: Incarnation,
        /// Counts the claims of this task.
        claim: u32,
    },
    /// Its owner was spawned again and keeps it.
    Renewed { incarnation: Incarnation },
    /// Its idle owner was reminded.
    Nudged,
    /// Its check did not exit 0.
    CheckFailed {
        /// The one who tried to complete it.
        by: Sender,
        /// An excerpt of the check's output.
        output: String,
    },
    Released {
        /// By whom; by the system if its owner ended.
        by: Sender,
        why: String,
        /// True if its owner ended before finishing it.
        #[serde(default, skip_serializing_if = "std::ops::Not::not")]
        is_setback: bool,
    },
    Completed {
        by: Sender,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        result: String,
        /// The run of its check, if it has one. Nothing in records of older versions.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        evidence: Option<Box<Evidence>>,
    },
    /// It was given up.
    Failed { by: Sender, why: String },
    /// It is to be done again.
    Reopened {
        by: Sender,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        why: String,
        /// The previous owner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        had: Option<MemberName>,
    },
    Deleted {
        by: Sender,
        /// The previous owner.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        had: Option<MemberName>,
    },
}

impl TaskEvent {
    /// The task has no check from now on.
    pub fn without_check(by: Sender) -> Self {
        Self::Edited {
            by,
            subject: None,
            description: None,
            active_form: None,
            add_blocked_by: BTreeSet::new(),
            remove_blocked_by: BTreeSet::new(),
            requires: None,
            check: Some(String::new()),
        }
    }

    /// The task waits for these, too.
    pub fn blocked(by: Sender, earlier: BTreeSet<TaskId>) -> Self {
        Self::Edited {
            by,
            subject: None,
            description: None,
            active_form: None,
            add_blocked_by: earlier,
            remove_blocked_by: BTreeSet::new(),
            requires: None,
            check: None,
        }
    }

    /// The one who did it; `None` for the harness.
    pub fn by(&self) -> Option<Sender> {
        match self {
            Self::Created { by, .. }
            | Self::Edited { by, .. }
            | Self::Assigned { by, .. }
            | Self::CheckFailed { by, .. }
            | Self::Released { by, .. }
            | Self::Completed { by, .. }
            | Self::Failed { by, .. }
            | Self::Reopened { by, .. }
            | Self::Deleted { by, .. } => Some(by.clone()),
            Self::Claimed { by, .. } => Some(Sender::Member(by.clone())),
            Self::Renewed { .. } | Self::Nudged => None,
        }
    }

    /// The owner that lost it to another member.
    pub fn previous_owner(&self) -> Option<&MemberName> {
        match self {
            Self::Assigned { by, had, .. }
            | Self::Reopened { by, had, .. }
            | Self::Deleted { by, had } => had
                .as_ref()
                .filter(|had| *by != Sender::Member((*had).clone())),
            Self::Created { .. }
            | Self::Edited { .. }
            | Self::Claimed { .. }
            | Self::Renewed { .. }
            | Self::Nudged
            | Self::CheckFailed { .. }
            | Self::Released { .. }
            | Self::Completed { .. }
            | Self::Failed { .. } => None,
        }
    }

    /// True if the task is no longer in progress.
    pub fn takes_away(&self) -> bool {
        match self {
            Self::Assigned { .. }
            | Self::Released { .. }
            | Self::Completed { .. }
            | Self::Failed { .. }
            | Self::Reopened { .. }
            | Self::Deleted { .. } => true,
            Self::Created { .. }
            | Self::Edited { .. }
            | Self::Claimed { .. }
            | Self::Renewed { .. }
            | Self::Nudged
            | Self::CheckFailed { .. } => false,
        }
    }

    /// The event in a few words for the user.
    pub fn describe(&self) -> String {
        match self {
            Self::Created {
                by, assigned: None, ..
            } => format!("created by {by}"),
            Self::Created {
                by,
                assigned: Some(to),
                ..
            } => format!("created by {by} for {to}"),
            Self::Edited { by, .. } => format!("changed by {by}"),
            Self::Assigned { by, to, .. } => format!("assigned to {to} by {by}"),
            Self::Claimed { by, .. } => format!("claimed by {by}"),
            Self::Renewed { .. } => "its owner was woken to continue it".to_owned(),
            Self::Nudged => "its owner was idle and was reminded".to_owned(),
            Self::CheckFailed { by, output } => {
                format!("{by} tried to complete it, but the check failed: {output}")
            }
            Self::Released { by, why, .. } => format!("given back by {by}: {why}"),
            Self::Completed { by, result, .. } if result.is_empty() => format!("completed by {by}"),
            Self::Completed { by, result, .. } => format!("completed by {by}: {result}"),
            Self::Failed { by, why } => format!("marked failed by {by}: {why}"),
            Self::Reopened { by, why, .. } if why.is_empty() => format!("reopened by {by}"),
            Self::Reopened { by, why, .. } => format!("reopened by {by}: {why}"),
            Self::Deleted { by, .. } => format!("deleted by {by}"),
        }
    }
}
