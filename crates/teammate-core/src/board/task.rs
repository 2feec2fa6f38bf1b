//! A task: what is to be done, in which order, by whom, and how far it is.

mod id;
mod requirement;
mod state;

use std::collections::BTreeSet;

pub use id::{TaskId, TaskIdError};
pub use requirement::{Requirement, RequirementError};
pub use state::{Lease, State};

use super::{NUDGES_MAX, TaskEvent};
use crate::{MemberName, Sender, TeamName, Timestamp, team::Member};

/// A task.
#[derive(Debug, Clone, PartialEq)]
pub struct Task {
    /// Its number.
    pub id: TaskId,
    /// What, in a line.
    pub subject: String,
    /// What, in full.
    pub description: String,
    /// What whoever does it is doing: "Writing the schema".
    pub active_form: String,
    /// How far it is.
    pub state: State,
    /// What must be completed first.
    pub blocked_by: BTreeSet<TaskId>,
    /// What waits for it.
    pub blocks: BTreeSet<TaskId>,
    /// Who may do it; anybody, if nothing is said.
    pub requires: Option<Requirement>,
    /// A command that must exit 0 before it counts as completed.
    pub check: Option<String>,
    /// Who wrote the check: it runs with no more rights than theirs.
    pub check_by: Sender,
    /// Whether it is done in a git worktree of its own.
    pub worktree: bool,
    /// Only members of this team may do it; any member, if nothing is said.
    pub team: Option<TeamName>,
    /// Who made it.
    pub by: Sender,
    /// How often it was claimed.
    pub claims: u32,
    /// How often a member ended without finishing it.
    pub setbacks: u32,
    /// What was said when it was last given back or opened again.
    pub remark: String,
    /// When it was made.
    pub created: Timestamp,
    /// When something last happened to it.
    pub updated: Timestamp,
}

impl Task {
    /// Who has it or shall have it, or who ended it.
    pub fn owner(&self) -> Option<&MemberName> {
        match &self.state {
            State::Pending { assigned } => assigned.as_ref(),
            State::InProgress { owner, .. } => Some(owner),
            State::Completed { by, .. } | State::Failed { by, .. } => match by {
                Sender::Member(name) => Some(name),
                Sender::User | Sender::System | Sender::Unverified(_) => None,
            },
            State::Deleted => None,
        }
    }

    /// Whether a member may do it at all, whatever its state.
    pub fn is_for(&self, member: &Member) -> bool {
        self.requires
            .as_ref()
            .is_none_or(|requirement| requirement.is_met_by(member))
            && (self.team.is_none() || self.team == member.terms.team)
    }

    /// Whether its owner may be reminded of it once more.
    pub(super) fn may_be_nudged(&self) -> bool {
        match self.state {
            State::InProgress { nudges, .. } => nudges < NUDGES_MAX,
            State::Pending { .. }
            | State::Completed { .. }
            | State::Failed { .. }
            | State::Deleted => false,
        }
    }

    /// Whether it would be another task after that.
    pub(super) fn would_change(&self, event: &TaskEvent) -> bool {
        let mut after = self.clone();
        after.apply(event, self.updated);
        after != *self
    }

    /// Who is at it.
    pub fn holder(&self) -> Option<&MemberName> {
        match &self.state {
            State::InProgress { owner, .. } => Some(owner),
            State::Pending { .. }
            | State::Completed { .. }
            | State::Failed { .. }
            | State::Deleted => None,
        }
    }

    pub(super) fn created(id: TaskId, event: &TaskEvent, at: Timestamp) -> Self {
        let mut task = Self {
            id,
            subject: String::new(),
            description: String::new(),
            active_form: String::new(),
            state: State::Pending { assigned: None },
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
            remark: String::new(),
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
                self.state = State::Pending {
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
                self.state = State::Pending {
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
                self.state = State::InProgress {
                    owner: by.clone(),
                    lease,
                    checks: 0,
                    nudges: 0,
                };
            }
            TaskEvent::Renewed { incarnation } => {
                if let State::InProgress { lease, .. } = &mut self.state {
                    lease.incarnation = *incarnation;
                }
            }
            TaskEvent::Nudged => {
                if let State::InProgress { nudges, .. } = &mut self.state {
                    *nudges += 1;
                }
            }
            TaskEvent::CheckFailed { output, .. } => {
                self.remark.clone_from(output);
                if let State::InProgress { checks, .. } = &mut self.state {
                    *checks += 1;
                }
            }
            TaskEvent::Released {
                why, is_setback, ..
            } => {
                self.setbacks += u32::from(*is_setback);
                self.remark.clone_from(why);
                self.state = State::Pending { assigned: None };
            }
            TaskEvent::Completed { by, result } => {
                self.state = State::Completed {
                    by: by.clone(),
                    result: result.clone(),
                };
            }
            TaskEvent::Failed { by, why } => {
                self.state = State::Failed {
                    by: by.clone(),
                    why: why.clone(),
                };
            }
            TaskEvent::Reopened { why, .. } => {
                self.remark.clone_from(why);
                self.setbacks = 0;
                self.state = State::Pending { assigned: None };
            }
            TaskEvent::Deleted { .. } => self.state = State::Deleted,
        }
    }
}
