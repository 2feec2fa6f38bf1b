//! Commands to the board.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};

use crate::{
    Incarnation, MemberName, Sender,
    cause::Cause,
    id::TaskId,
    name::GroupName,
    task::{Evidence, Requirement, TaskEvent},
};

/// A longer result is cut: what is long belongs into a file.
const RESULT_BYTES_MAX: usize = 16 * 1024;

/// The one who acts on a task.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Actor {
    User,
    Member(MemberName, Incarnation),
}

impl Actor {
    /// The actor as the sender in the journal.
    pub fn sender(&self) -> Sender {
        match self {
            Self::User => Sender::User,
            Self::Member(name, _) => Sender::Member(name.clone()),
        }
    }

    /// Whether it is the lead or the user, who may do everything to a task.
    pub fn is_lead_or_user(&self) -> bool {
        match self {
            Self::User => true,
            Self::Member(name, _) => name.is_lead(),
        }
    }
}

/// Something that a member or the user wants of the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskAction {
    /// Put a task on the board. The same call again makes nothing.
    Create(Box<NewTask>),
    /// Change words, order or demands.
    Edit(TaskId, Box<TaskEdit>),
    Claim(TaskId),
    Complete(TaskId, String),
    /// It cannot be done, and why.
    Fail(TaskId, String),
    /// Give it back, and why.
    Release(TaskId, String),
    /// Assign it to a member, taking it from its present owner.
    Assign(TaskId, MemberName),
    /// Reopened, for the same member or another.
    Reopen(TaskId, String),
    /// Take it off the board.
    Delete(TaskId),
}

impl TaskAction {
    /// Which task; `None` for one that is yet to be made.
    pub fn task(&self) -> Option<TaskId> {
        match self {
            Self::Create(_) => None,
            Self::Edit(id, _)
            | Self::Claim(id)
            | Self::Complete(id, _)
            | Self::Fail(id, _)
            | Self::Release(id, _)
            | Self::Assign(id, _)
            | Self::Reopen(id, _)
            | Self::Delete(id) => Some(*id),
        }
    }
}

/// Something to decide about the board.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskCommand {
    /// Somebody asks.
    Act {
        by: Actor,
        action: TaskAction,
        /// The run of the check that exited 0 just now, if there was one.
        verified: Option<Box<Evidence>>,
    },
    /// Take whatever the member may do next; nothing happens if there is nothing.
    ClaimNext(MemberName, Incarnation),
    /// Its check was run and did not exit 0.
    CheckFailed {
        /// The one who tried to complete it.
        by: Actor,
        task: TaskId,
        /// An excerpt of the check's output.
        output: String,
    },
    /// Its owner could not do it for an outside reason: counts as a setback.
    Withdraw(MemberName, Incarnation, TaskId, String),
    /// Remind its idle owner.
    Nudge(MemberName, Incarnation, TaskId),
}

/// A task to be made.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct NewTask {
    pub call: Cause,
    /// What, in a line.
    pub subject: String,
    /// What, in full.
    pub description: String,
    /// The present-tense form, such as "Writing the schema".
    pub active_form: String,
    /// The tasks that must be completed first.
    pub blocked_by: BTreeSet<TaskId>,
    pub blocks: BTreeSet<TaskId>,
    /// The requirement of its owner.
    pub requires: Option<Requirement>,
    /// A command that must exit 0 in the end.
    pub check: Option<String>,
    /// Whether the task has its own worktree.
    pub worktree: bool,
    /// Only members of this team may do it.
    pub team: Option<GroupName>,
    pub assigned: Option<MemberName>,
}

/// A change of a task. What is `None` or empty stays.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct TaskEdit {
    pub subject: Option<String>,
    pub description: Option<String>,
    pub active_form: Option<String>,
    pub add_blocked_by: BTreeSet<TaskId>,
    pub remove_blocked_by: BTreeSet<TaskId>,
    pub add_blocks: BTreeSet<TaskId>,
    /// The new requirement; `Some(None)` for none.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "taken_away_or_set"
    )]
    pub requires: Option<Option<Requirement>>,
    /// The new check; `Some(None)` for none.
    #[serde(
        default,
        skip_serializing_if = "Option::is_none",
        deserialize_with = "taken_away_or_set"
    )]
    pub check: Option<Option<String>>,
}

/// Reads a change of a field: `null` takes its value away.
fn taken_away_or_set<'de, T, D>(deserializer: D) -> Result<Option<Option<T>>, D::Error>
where
    T: Deserialize<'de>,
    D: serde::Deserializer<'de>,
{
    Option::deserialize(deserializer).map(Some)
}

impl NewTask {
    /// It is put on the board.
    pub(crate) fn created(&self, by: &Actor) -> TaskEvent {
        let check = self.check.clone();
        TaskEvent::Created {
            by: by.sender(),
            call: self.call.clone(),
            subject: self.subject.trim().to_owned(),
            description: self.description.clone(),
            active_form: self.active_form.clone(),
            blocked_by: self.blocked_by.clone(),
            requires: self.requires.clone(),
            check: check.filter(|check| !check.trim().is_empty()),
            worktree: self.worktree,
            team: self.team.clone(),
            assigned: self.assigned.clone(),
        }
    }
}

impl TaskEdit {
    /// The task itself is changed.
    pub(crate) fn edited(&self, by: &Actor) -> TaskEvent {
        let requires = self.requires.as_ref();
        TaskEvent::Edited {
            by: by.sender(),
            subject: self.subject.as_ref().map(|text| text.trim().to_owned()),
            description: self.description.clone(),
            active_form: self.active_form.clone(),
            add_blocked_by: self.add_blocked_by.clone(),
            remove_blocked_by: self.remove_blocked_by.clone(),
            requires: requires.map(|new| new.as_ref().map(ToString::to_string).unwrap_or_default()),
            check: self.check.clone().map(Option::unwrap_or_default),
        }
    }
}

/// The text without what is too much of it.
pub(crate) fn truncated(text: &str) -> String {
    let text = text.trim();
    if text.len() <= RESULT_BYTES_MAX {
        return text.to_owned();
    }
    let end = text.floor_char_boundary(RESULT_BYTES_MAX);
    format!("{} ... (cut: keep what is long in a file)", &text[..end])
}
