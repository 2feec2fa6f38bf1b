//! The team's worktrees, put together: git, held like members' commands, with the environment that these get, and what the
//! user trusts of the programs that the repository brings.

use std::{collections::BTreeSet, path::Path, sync::Arc};

use teammate_core::port::{WorkTransfer, Worktrees};
use teammate_git::{GitWorktrees, TrustedPrograms, transfer::FetchedWorktrees};
use teammate_process::TeamSandbox;

use crate::{
    carried_work::WorkCarrier,
    place::Site,
    project::{ProjectSettings, TrustStore, UserDirs, git_environment},
};

/// Those of the team in this place.
pub(crate) fn git_worktrees(
    site: &Site,
    sandbox: TeamSandbox,
    trusted: TrustedPrograms,
) -> Arc<dyn Worktrees> {
    Arc::new(own_worktrees(site, sandbox, trusted))
}

/// These where members' work may be on other machines, and what carries it.
pub(crate) fn carried_worktrees(
    own: GitWorktrees,
    carrier: Option<&WorkCarrier>,
) -> (Arc<dyn Worktrees>, Option<Arc<dyn WorkTransfer>>) {
    let Some(carrier) = carrier else {
        return (Arc::new(own), None);
    };
    let transfer: Arc<dyn WorkTransfer> = Arc::new(carrier.transfer(own.clone()));
    let fetched = FetchedWorktrees::new(Arc::new(own), transfer.clone());
    (Arc::new(fetched), Some(transfer))
}

pub(crate) fn own_worktrees(
    site: &Site,
    sandbox: TeamSandbox,
    trusted: TrustedPrograms,
) -> GitWorktrees {
    let dirs = (site.workspace.clone(), site.dir.clone());
    GitWorktrees::of_team(&site.name, dirs, git_environment(), sandbox, trusted)
}

/// The programs of this workspace's repository that the user trusts. The workspace must be resolved; all there is counts as
/// long as nothing has changed.
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
