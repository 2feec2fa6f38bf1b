//! The status of a task, and the lease of its owner.

use crate::{Incarnation, MemberName, Sender, status::TaskStatusKind, task::Evidence};

/// Permission to work on a task: it ends with the incarnation it was given to, or when the task is taken away. What
/// comes with an old lease is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Lease {
    /// Counts the claims of this task.
    pub claim: u32,
    /// The incarnation of its holder.
    pub incarnation: Incarnation,
}

/// How far a task is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TaskStatus {
    Pending {
        /// The assigned owner, if any.
        assigned: Option<MemberName>,
    },
    /// A member is working on it.
    InProgress {
        owner: MemberName,
        lease: Lease,
        /// How often its check failed in this claim.
        checks: u32,
        /// How often the owner was reminded of it in this claim.
        nudges: u32,
    },
    /// Done, and verified if there is a check.
    Completed {
        by: Sender,
        result: String,
        /// The run of its check, if it has one and the record is not older than that.
        evidence: Option<Box<Evidence>>,
    },
    /// Given up.
    Failed { by: Sender, why: String },
    /// Taken off the board.
    Deleted,
}

impl TaskStatus {
    /// Whether nothing is left to do.
    pub fn is_settled(&self) -> bool {
        match self {
            Self::Pending { .. } | Self::InProgress { .. } => false,
            Self::Completed { .. } | Self::Failed { .. } | Self::Deleted => true,
        }
    }

    /// Which status it is.
    pub fn kind(&self) -> TaskStatusKind {
        match self {
            Self::Pending { .. } => TaskStatusKind::Pending,
            Self::InProgress { .. } => TaskStatusKind::InProgress,
            Self::Completed { .. } => TaskStatusKind::Completed,
            Self::Failed { .. } => TaskStatusKind::Failed,
            Self::Deleted => TaskStatusKind::Deleted,
        }
    }

    /// The run of its check that completed it.
    pub fn evidence(&self) -> Option<&Evidence> {
        match self {
            Self::Completed { evidence, .. } => evidence.as_deref(),
            Self::Pending { .. }
            | Self::InProgress { .. }
            | Self::Failed { .. }
            | Self::Deleted => None,
        }
    }

    /// The word for it.
    pub fn word(&self) -> &'static str {
        self.kind().as_str()
    }
}
