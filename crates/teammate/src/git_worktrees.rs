//! The team's worktrees, put together: git, held like members' commands, with the environment that these get, and what the
//! user trusts of the programs that the repository brings.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use teammate_core::port::Worktrees;
use teammate_tools::{
    TeamSandbox, environment::allowed_environment, git::TrustedPrograms, worktrees::GitWorktrees,
};

use crate::place::Site;
use crate::project::{ProjectSettings, TrustStore, UserDirs};

/// Those of the team in this place.
pub(crate) fn git_worktrees(
    site: &Site,
    sandbox: TeamSandbox,
    trusted: TrustedPrograms,
) -> Arc<dyn Worktrees> {
    let dirs = (site.workspace.clone(), site.dir.clone());
    let (team, environment) = (&site.name, environment());
    Arc::new(GitWorktrees::of_team(
        team,
        dirs,
        environment,
        sandbox,
        trusted,
    ))
}

/// What git gets of this program's environment.
pub(crate) fn environment() -> Vec<(String, String)> {
    let variables = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)));
    allowed_environment(variables, &[])
}

/// What the user trusts in this workspace, which must be resolved: all there is as long as nothing has changed.
pub(crate) fn trusted_programs(workspace: &Path, user: &UserDirs) -> TrustedPrograms {
    let (workspace, record) = (workspace.to_owned(), TrustStore::at(user.state.as_deref()));
    TrustedPrograms::asking(move || {
        let project = ProjectSettings::read(&workspace);
        if !record.is_trusted(&workspace, &project) {
            return BTreeSet::new();
        }
        let programs = project.programs().as_ref().ok().cloned();
        programs.unwrap_or_default().into_set()
    })
}
