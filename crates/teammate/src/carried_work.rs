//! Where the work of a team's members goes when it leaves this machine, so that another can go on with it. Without this, work stays
//! in the worktrees here.

use std::{fmt, path::Path, sync::Arc};

pub use teammate_core::port::{ObjectStoreError, ObjectStore, TransferError};
pub use teammate_tools::worktrees::transfer::{RemoteAddress, WorkerClone};
use teammate_tools::worktrees::{
    GitWorktrees,
    transfer::{BundleStore, GitWorkTransfer, ObjectBundles, worker_clone},
};

/// What carries the work of one team.
#[derive(Clone)]
pub struct WorkCarrier {
    bundles: Arc<dyn BundleStore>,
    team: Arc<str>,
}

impl WorkCarrier {
    /// By references of the remote that this clone was made of. `team` tells them from those of other teams there: an id.
    pub fn by_remote(clone: &WorkerClone, team: &str) -> Self {
        Self {
            bundles: Arc::new(clone.bundles.clone()),
            team: team.into(),
        }
    }

    /// By bundles among the team's objects, for workers that cannot push. Their clones must have the same commits of the remote.
    pub fn by_objects(objects: Arc<dyn ObjectStore>, team: &str) -> Self {
        Self {
            bundles: Arc::new(ObjectBundles::new(objects)),
            team: team.into(),
        }
    }

    pub(crate) fn transfer(&self, worktrees: GitWorktrees) -> GitWorkTransfer {
        GitWorkTransfer::new(worktrees, self.bundles.clone(), &self.team)
    }
}

impl fmt::Debug for WorkCarrier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "WorkCarrier({})", self.team)
    }
}

/// A worker's clone of a team's repository in a directory of its own, made if it is not there. Its `workspace` is where the team is
/// opened on this machine.
///
/// # Errors
///
/// The remote does not answer, or the directory cannot be written.
pub async fn clone_repository(
    remote: RemoteAddress,
    dir: &Path,
    team: &str,
) -> Result<WorkerClone, TransferError> {
    worker_clone(remote, dir, team).await
}
