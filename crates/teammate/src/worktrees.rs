//! The team's worktrees, put together: git, with the environment that members' commands get.

use std::{path::PathBuf, sync::Arc};

use teammate_core::port::Worktrees;
use teammate_tools::{environment::allowed_environment, worktrees::GitWorktrees};

/// Those of the workspace `root` with the team in `team_dir`, both resolved.
pub(crate) fn of_team(root: PathBuf, team_dir: PathBuf) -> Arc<dyn Worktrees> {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    let environment = allowed_environment(variables, &[]);
    Arc::new(GitWorktrees::new(root, team_dir, environment))
}
