//! How something is, in one word: a member, a task, a job; and a request, with its kind. Documents and events have these words.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::Sender;

/// A member's status, as documents and events give it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MemberStatus {
    /// Starting, or in a turn.
    Working,
    /// Between turns.
    Idle,
    /// Its loop has ended.
    #[serde(rename = "shutdown")]
    Stopped,
}

impl MemberStatus {
    /// Its name: `working`, `idle` or `shutdown`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::Idle => "idle",
            Self::Stopped => "shutdown",
        }
    }
}

/// How far a task is, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TaskStatusKind {
    Pending,
    /// Somebody is at it.
    InProgress,
    /// Done, and verified if there is a check.
    Completed,
    /// Given up.
    Failed,
    /// Taken off the board.
    Deleted,
}

impl TaskStatusKind {
    /// The word for it: `pending`, `in_progress`, `completed`, `failed` or `deleted`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::InProgress => "in_progress",
            Self::Completed => "completed",
            Self::Failed => "failed",
            Self::Deleted => "deleted",
        }
    }

    /// The mark before a task in a list: `[x]` is done.
    pub fn mark(self) -> &'static str {
        match self {
            Self::Pending => "[ ]",
            Self::InProgress => "[>]",
            Self::Completed => "[x]",
            Self::Failed => "[!]",
            Self::Deleted => "[-]",
        }
    }
}

/// How a job ended.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "how", rename_all = "snake_case")]
pub enum JobEnd {
    /// It did what it was started for.
    Done,
    /// It went wrong, or took longer than it was given.
    Failed,
    Stopped {
        /// By whom; the harness stops the jobs of a member that is stopped.
        by: Sender,
    },
    /// The program stopped, and the job with it.
    Lost,
}

impl fmt::Display for JobEnd {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Done => f.write_str("done"),
            Self::Failed => f.write_str("failed"),
            Self::Stopped { by } => write!(f, "stopped by {by}"),
            Self::Lost => f.write_str("lost: the program stopped"),
        }
    }
}

/// The kinds, as words.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestKind {
    /// `RequestPayload::Shutdown` of the core.
    Shutdown,
    /// `RequestPayload::Plan` of the core.
    Plan,
    /// `RequestPayload::Permission` of the core.
    Permission,
}

impl fmt::Display for RequestKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Shutdown => "shutdown",
            Self::Plan => "plan",
            Self::Permission => "permission",
        })
    }
}

/// How a request stands, in one word.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum RequestStateKind {
    /// Nobody has answered yet.
    Pending,
    Approved,
    Rejected,
    /// Nobody answered in time, and that is a no.
    Expired,
    /// It no longer applies.
    Cancelled,
}

impl RequestStateKind {
    /// The word for it: `pending`, `approved`, `rejected`, `expired` or `cancelled`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Approved => "approved",
            Self::Rejected => "rejected",
            Self::Expired => "expired",
            Self::Cancelled => "cancelled",
        }
    }
}
