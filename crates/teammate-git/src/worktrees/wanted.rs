//! What new worktrees are to get besides the files of their commit.

use teammate_core::{permission::Rule, port::WorktreeSetup};

/// What the user wants there. Its commands are none of git's business.
#[derive(Debug, Default)]
pub(super) struct Extras {
    pub(super) setup: WorktreeSetup,
    /// What they close is not copied.
    pub(super) deny: Vec<Rule>,
}
