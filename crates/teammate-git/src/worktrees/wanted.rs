//! The user's wish about new worktrees: files besides those of their commit.

use teammate_core::{permission::Rule, port::WorktreeSetup};

/// The wish as patterns. Its commands are none of git's business.
#[derive(Debug, Default)]
pub(super) struct Extras {
    pub(super) setup: WorktreeSetup,
    /// Rules of files that are not copied.
    pub(super) deny: Vec<Rule>,
}
