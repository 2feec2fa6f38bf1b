//! A task: what is to be done, in which order, by whom, and how far it is.

use std::{collections::BTreeSet, fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{NUDGES_MAX, TaskEvent};
use crate::{Incarnation, MemberName, Sender, Timestamp, name::TeamName, team::Member};

/// A task's number: 1, 2, 3 and so on, never used twice in a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TaskId(u32);

impl TaskId {
    /// The task of that number.
    pub fn new(number: u32) -> Self {
        Self(number)
    }

    /// The number.
    pub fn number(self) -> u32 {
        self.0
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "#{}", self.0)
    }
}

/// Text that is no task's number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no task id; ids are numbers, as list_tasks shows them")]
pub struct TaskIdError(String);

impl FromStr for TaskId {
    type Err = TaskIdError;

    /// `3`, `#3` or `task-3`.
    fn from_str(text: &str) -> Result<Self, TaskIdError> {
        let digits = text.trim();
        let digits = digits.strip_prefix("task-").unwrap_or(digits);
        let digits = digits.strip_prefix('#').unwrap_or(digits);
        match digits.parse() {
            Ok(number) if number > 0 && digits.bytes().all(|b| b.is_ascii_digit()) => {
                Ok(Self(number))
            }
            Ok(_) | Err(_) => Err(TaskIdError(
                text.chars()
                    .take(40)
                    .flat_map(char::escape_default)
                    .collect(),
            )),
        }
    }
}

/// Who may do a task.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Requirement {
    /// Members of that name, or with that word in their role.
    Role(String),
    /// Members that have this tool.
    Tool(String),
}

/// Text that is no requirement.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no requirement; write role:WORD or tool:NAME")]
pub struct RequirementError(String);

impl FromStr for Requirement {
    type Err = RequirementError;

    /// `role:frontend`, `tool:bash`; a word alone is a role.
    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let text = text.trim();
        let (kind, word) = text.split_once(':').unwrap_or(("role", text));
        let word = word.trim().to_lowercase();
        let is_word = !word.is_empty()
            && word.len() <= 64
            && !word.chars().any(|c| c.is_control() || c == '<' || c == '>');
        match (kind.trim(), is_word) {
            ("role", true) => Ok(Self::Role(word)),
            ("tool", true) => Ok(Self::Tool(word)),
            _ => Err(RequirementError(
                text.chars()
                    .take(60)
                    .flat_map(char::escape_default)
                    .collect(),
            )),
        }
    }
}

impl TryFrom<String> for Requirement {
    type Error = RequirementError;
    fn try_from(text: String) -> Result<Self, RequirementError> {
        text.parse()
    }
}

impl From<Requirement> for String {
    fn from(requirement: Requirement) -> Self {
        requirement.to_string()
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Role(word) => write!(f, "role:{word}"),
            Self::Tool(name) => write!(f, "tool:{name}"),
        }
    }
}

impl Requirement {
    /// Whether a member meets it.
    pub fn is_met_by(&self, member: &Member) -> bool {
        match self {
            Self::Role(word) => {
                let role = member.role.to_lowercase();
                member.name.as_str() == word
                    || role == *word
                    || role
                        .split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
                        .any(|part| part == word)
            }
            Self::Tool(name) => member
                .terms
                .tools
                .as_ref()
                .is_none_or(|tools| tools.iter().any(|tool| tool == name)),
        }
    }
}

/// Permission to work on a task: it ends with the life it was given to, or when the task is taken away. What comes with
/// an old lease is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// Counts the claims of this task.
    pub claim: u32,
    /// The life of its holder.
    pub incarnation: Incarnation,
}

/// How far a task is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum State {
    /// Not begun.
    Pending {
        /// Who shall do it, if that was said.
        assigned: Option<MemberName>,
    },
    /// Somebody is at it.
    InProgress {
        /// Who.
        owner: MemberName,
        /// By which right.
        lease: Lease,
        /// How often its check failed in this claim.
        checks: u32,
        /// How often the owner was reminded of it in this claim.
        nudges: u32,
    },
    /// Done, and verified if there is a check.
    Completed {
        /// By whom.
        by: Sender,
        /// What came of it.
        result: String,
    },
    /// Given up.
    Failed {
        /// By whom.
        by: Sender,
        /// Why.
        why: String,
    },
    /// Taken off the board.
    Deleted,
}

impl State {
    /// The word for it: `pending`, `in_progress`, `completed`, `failed` or `deleted`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Pending { .. } => "pending",
            Self::InProgress { .. } => "in_progress",
            Self::Completed { .. } => "completed",
            Self::Failed { .. } => "failed",
            Self::Deleted => "deleted",
        }
    }
}

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
                Sender::User | Sender::System => None,
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
