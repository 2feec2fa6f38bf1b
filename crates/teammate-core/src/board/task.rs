//! A task: what is to be done, in which order, by whom, and how far it is.

mod status;

use std::collections::BTreeSet;

pub use status::{Lease, TaskStatus};

use super::NUDGES_MAX;
use crate::{
    GroupName, MemberName, Sender, Timestamp,
    id::TaskId,
    member::Member,
    task::{Requirement, TaskEvent},
};

/// A piece of work on the board, with a number, an order and perhaps an owner: the member that it is assigned to, that works
/// on it, or that finished it.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    pub id: TaskId,
    /// What, in a line.
    pub subject: String,
    /// What, in full.
    pub description: String,
    /// The present-tense form, such as "Writing the schema".
    pub active_form: String,
    /// How far it is.
    pub status: TaskStatus,
    /// The tasks that must be completed first.
    pub blocked_by: BTreeSet<TaskId>,
    pub blocks: BTreeSet<TaskId>,
    /// The requirement of its owner; with `None`, any member may claim it.
    pub requires: Option<Requirement>,
    /// A command that must exit 0 before it counts as completed.
    pub check: Option<String>,
    /// The author of the check: it runs with no more rights than theirs.
    pub check_by: Sender,
    /// Whether it is done in its own git worktree.
    pub worktree: bool,
    /// Only members of this team may do it; with `None`, any member.
    pub team: Option<GroupName>,
    /// The one who made it.
    pub by: Sender,
    /// How often it was claimed.
    pub claims: u32,
    /// How often a member ended without finishing it.
    pub setbacks: u32,
    /// The reason it was last given back or reopened with.
    pub last_failure: String,
    pub created: Timestamp,
    /// When something last happened to it.
    pub updated: Timestamp,
}

impl Task {
    /// The member that is assigned to it, works on it, or finished it.
    pub fn owner(&self) -> Option<&MemberName> {
        match &self.status {
            TaskStatus::Pending { assigned } => assigned.as_ref(),
            TaskStatus::InProgress { owner, .. } => Some(owner),
            TaskStatus::Completed { by, .. } | TaskStatus::Failed { by, .. } => match by {
                Sender::Member(name) => Some(name),
                Sender::User | Sender::System | Sender::Unverified(_) => None,
            },
            TaskStatus::Deleted => None,
        }
    }

    /// Whether a member may do it at all, whatever its state.
    pub fn is_for(&self, member: &Member) -> bool {
        self.requires
            .as_ref()
            .is_none_or(|requirement| member.meets(requirement))
            && (self.team.is_none() || self.team == member.options.group)
    }

    /// Whether its owner may be reminded of it once more.
    pub(crate) fn can_be_nudged(&self) -> bool {
        match self.status {
            TaskStatus::InProgress { nudges, .. } => nudges < NUDGES_MAX,
            TaskStatus::Pending { .. }
            | TaskStatus::Completed { .. }
            | TaskStatus::Failed { .. }
            | TaskStatus::Deleted => false,
        }
    }

    /// Whether it would be another task after that.
    pub(crate) fn would_change(&self, event: &TaskEvent) -> bool {
        let mut after = self.clone();
        after.apply(event, self.updated);
        after != *self
    }

    /// The member that is working on it.
    pub fn holder(&self) -> Option<&MemberName> {
        match &self.status {
            TaskStatus::InProgress { owner, .. } => Some(owner),
            TaskStatus::Pending { .. }
            | TaskStatus::Completed { .. }
            | TaskStatus::Failed { .. }
            | TaskStatus::Deleted => None,
        }
    }

    pub(crate) fn created(id: TaskId, event: &TaskEvent, at: Timestamp) -> Self {
        let mut task = Self {
            id,
            subject: String::new(),
            description: String::new(),
            active_form: String::new(),
            status: TaskStatus::Pending { assigned: None },
            blocked_by: BTreeSet::new(),
            blocks: BTreeSet::new(),
            requires: None,
            check: None,
            check_by: Sender::System,
            worktree: false,
            team: None,
            by: Sender::System,
            claims: 0,
            setbacks: 0,
            last_failure: String::new(),
            created: at,
            updated: at,
        };
        task.apply(event, at);
        task
    }

    pub(super) fn apply(&mut self, event: &TaskEvent, at: Timestamp) {
        self.updated = at;
        match event {
            TaskEvent::Created {
                by,
                subject,
                description,
                active_form,
                blocked_by,
                requires,
                check,
                worktree,
                team,
                assigned,
                call: _,
            } => {
                self.by = by.clone();
                self.check_by = by.clone();
                self.subject.clone_from(subject);
                self.description.clone_from(description);
                self.active_form.clone_from(active_form);
                self.blocked_by.clone_from(blocked_by);
                self.requires.clone_from(requires);
                self.check.clone_from(check);
                self.worktree = *worktree;
                self.team.clone_from(team);
                self.status = TaskStatus::Pending {
                    assigned: assigned.clone(),
                };
            }
            TaskEvent::Edited {
                by,
                subject,
                description,
                active_form,
                add_blocked_by,
                remove_blocked_by,
                requires,
                check,
            } => {
                let set = |field: &mut String, new: &Option<String>| {
                    if let Some(new) = new {
                        field.clone_from(new);
                    }
                };
                set(&mut self.subject, subject);
                set(&mut self.description, description);
                set(&mut self.active_form, active_form);
                self.blocked_by.extend(add_blocked_by);
                self.blocked_by.retain(|id| !remove_blocked_by.contains(id));
                if let Some(requires) = requires {
                    self.requires = requires.parse().ok();
                }
                if let Some(check) = check {
                    self.check_by = by.clone();
                    self.check = Some(check.clone()).filter(|check| !check.is_empty());
                }
            }
            TaskEvent::Assigned { to, .. } => {
                self.status = TaskStatus::Pending {
                    assigned: Some(to.clone()),
                }
            }
            TaskEvent::Claimed {
                by,
                incarnation,
                claim,
            } => {
                self.claims = *claim;
                let lease = Lease {
                    claim: *claim,
                    incarnation: *incarnation,
                };
                self.status = TaskStatus::InProgress {
                    owner: by.clone(),
                    lease,
                    checks: 0,
                    nudges: 0,
                };
            }
            TaskEvent::Renewed { incarnation } => {
                if let TaskStatus::InProgress { lease, .. } = &mut self.status {
                    lease.incarnation = *incarnation;
                }
            }
            TaskEvent::Nudged => {
                if let TaskStatus::InProgress { nudges, .. } = &mut self.status {
                    *nudges += 1;
                }
            }
            TaskEvent::CheckFailed { output, .. } => {
                self.last_failure.clone_from(output);
                if let TaskStatus::InProgress { checks, .. } = &mut self.status {
                    *checks += 1;
                }
            }
            TaskEvent::Released {
                why, is_setback, ..
            } => {
                self.setbacks += u32::from(*is_setback);
                self.last_failure.clone_from(why);
                self.status = TaskStatus::Pending { assigned: None };
            }
            TaskEvent::Completed {
                by,
                result,
                evidence,
            } => {
                self.status = TaskStatus::Completed {
                    by: by.clone(),
                    result: result.clone(),
                    evidence: evidence.clone(),
                };
            }
            TaskEvent::Failed { by, why } => {
                self.status = TaskStatus::Failed {
                    by: by.clone(),
                    why: why.clone(),
                };
            }
            TaskEvent::Reopened { why, .. } => {
                self.last_failure.clone_from(why);
                self.setbacks = 0;
                self.status = TaskStatus::Pending { assigned: None };
            }
            TaskEvent::Deleted { .. } => self.status = TaskStatus::Deleted,
        }
    }
}
