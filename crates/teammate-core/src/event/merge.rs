//! The result of merging a worktree, as the event of the call has it.

use serde::{Deserialize, Serialize};

/// The most files that are named.
const FILES_MAX: usize = 20;

/// A worktree that was merged, or could not be.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MergeEnd {
    /// Its name.
    pub worktree: String,
    /// The files in which both sides changed the same lines, the first of them; none if it was merged.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub conflicts: Vec<String>,
}

impl MergeEnd {
    /// It was merged.
    pub fn merged(worktree: impl Into<String>) -> Self {
        Self {
            worktree: worktree.into(),
            conflicts: Vec::new(),
        }
    }

    /// It was not: these files are in conflict.
    pub fn conflict(worktree: impl Into<String>, files: &[String]) -> Self {
        Self {
            worktree: worktree.into(),
            conflicts: files.iter().take(FILES_MAX).cloned().collect(),
        }
    }
}
