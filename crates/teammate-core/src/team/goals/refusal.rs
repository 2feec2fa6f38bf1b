//! Why something is not done about a goal.

use serde::{Deserialize, Serialize};

use super::{CHECK_BYTES_MAX, TEXT_BYTES_MAX, TRIES_MAX};
use crate::id::GoalId;

/// Why something is not done about a goal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum GoalRefusal {
    #[error("the team works for a goal, {0}; end it first: teammate goal end, or /goal end")]
    Open(GoalId),
    #[error("a goal has 1 to {TEXT_BYTES_MAX} bytes")]
    Text,
    #[error("a goal's check has 1 to {CHECK_BYTES_MAX} bytes")]
    Check,
    #[error("a goal has 1 to {TRIES_MAX} tries")]
    Tries,
    #[error("the team has no goal that is open")]
    None,
}
