//! A member as the team knows it: what it is, what it was given, what it is doing.

mod options;
mod todo;

pub use options::MemberOptions;
pub use todo::{TODOS_MAX, Todo, TodoError, TodoList, TodoStatus};

use serde::{Deserialize, Serialize};

use crate::{
    Incarnation, MemberName, cause::Cause, request::PlanGate, status::MemberStatus,
    task::Requirement, transcript::EndReason,
};

/// A member as the team knows it.
#[derive(Debug, Clone, PartialEq)]
pub struct Member {
    pub name: MemberName,
    pub role: String,
    pub incarnation: Incarnation,
    /// The options of its spawn.
    pub options: MemberOptions,
    /// The assignment of its last spawn.
    pub assignment: Option<Assignment>,
    pub phase: MemberPhase,
    pub todos: TodoList,
    /// Whether it may do more than read.
    pub gate: PlanGate,
    /// Counts how often the gate was closed over what the member does: whatever ran before that ends.
    pub closings: u32,
}

impl Member {
    /// Whether it is in a turn, or was when its team was closed. A lead that has just been made has nothing to do.
    pub(crate) fn is_at_work(&self) -> bool {
        match self.phase {
            MemberPhase::Starting => !self.name.is_lead(),
            MemberPhase::Working | MemberPhase::Waiting(_) => true,
            MemberPhase::Idle { .. } | MemberPhase::Stopped => false,
        }
    }

    /// The role, and the external agent that answers it if one does: `writer, by codex`.
    pub fn role_and_engine(&self) -> String {
        match &self.options.engine {
            Some(agent) => format!("{}, by {agent}", self.role),
            None => self.role.clone(),
        }
    }

    /// Whether it meets a task's requirement.
    pub fn meets(&self, requirement: &Requirement) -> bool {
        match requirement {
            Requirement::Role(word) => {
                let role = self.role.to_lowercase();
                self.name.as_str() == word
                    || role == *word
                    || role
                        .split(|c: char| !c.is_alphanumeric() && c != '-' && c != '_')
                        .any(|part| part == word)
            }
            Requirement::Tool(name) => self
                .options
                .tools
                .as_ref()
                .is_none_or(|tools| tools.iter().any(|tool| tool == name)),
        }
    }
}

/// The prompt of a spawn.
#[derive(Debug, Clone, PartialEq)]
pub struct Assignment {
    /// The member that spawned it.
    pub by: MemberName,
    /// The call that did; the same call again changes nothing.
    pub call: Cause,
    pub prompt: String,
    /// Whether the member's memory starts anew with it.
    pub fresh: bool,
    pub at: crate::Timestamp,
}

/// The state of a member in detail: starting, working, waiting for something, idle and why, stopped. Programs see it as
/// `working`, `idle` or `shutdown`.
#[derive(Debug, Clone, PartialEq)]
pub enum MemberPhase {
    /// Spawned; its loop has not begun yet.
    Starting,
    /// In a turn.
    Working,
    /// In a turn, but waiting.
    Waiting(WaitingOn),
    /// Between turns.
    Idle {
        /// Why the last turn ended.
        why: EndReason,
        /// The transcript entry that ended it, if the model ended it.
        turn: Option<u64>,
    },
    /// Its loop has ended; a spawn wakes it.
    Stopped,
}

impl MemberPhase {
    /// The status that documents and events give.
    pub fn status(&self) -> MemberStatus {
        match self {
            Self::Starting | Self::Working | Self::Waiting(_) => MemberStatus::Working,
            Self::Idle { .. } => MemberStatus::Idle,
            Self::Stopped => MemberStatus::Stopped,
        }
    }

    /// The phase with all that is known, for the user.
    pub fn describe(&self) -> String {
        match self {
            Self::Starting => "starting".to_owned(),
            Self::Working => "working".to_owned(),
            Self::Waiting(on) => format!("working (waiting for {})", on.word()),
            Self::Idle {
                why: EndReason::Done,
                ..
            } => "idle".to_owned(),
            Self::Idle {
                why: EndReason::Interrupted,
                ..
            } => "interrupted; send it a message to continue".to_owned(),
            Self::Idle {
                why: EndReason::Failed { what },
                ..
            } => format!("failed: {what}"),
            Self::Idle {
                why: EndReason::Limit { what },
                ..
            } => format!("idle ({what})"),
            Self::Idle {
                why: EndReason::Waiting { what },
                ..
            } => format!("idle (waits for {what})"),
            Self::Stopped => "stopped".to_owned(),
        }
    }

    /// Whether a turn is under way.
    pub fn is_busy(&self) -> bool {
        match self {
            Self::Starting | Self::Working | Self::Waiting(_) => true,
            Self::Idle { .. } | Self::Stopped => false,
        }
    }
}

/// The reason why a turn waits.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WaitingOn {
    /// The user's permission.
    Permission,
    /// A model that is overloaded or out of reach.
    Model,
}

impl WaitingOn {
    /// For people.
    pub fn word(self) -> &'static str {
        match self {
            Self::Permission => "permission",
            Self::Model => "the model",
        }
    }
}
