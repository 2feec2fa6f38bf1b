//! The table `[worktrees]`, of the user's settings and of a workspace's.

use serde::Deserialize;
use teammate_core::port::WorktreeSetup;

/// The table `[worktrees]`, as it is written.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub struct WorktreesTable {
    copy: Vec<String>,
    link: Vec<String>,
    run: Vec<String>,
}

impl From<WorktreesTable> for WorktreeSetup {
    fn from(WorktreesTable { copy, link, run }: WorktreesTable) -> Self {
        Self { copy, link, run }
    }
}
