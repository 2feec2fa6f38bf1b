//! Where the work of a team's members goes when it leaves this machine, so that another can go on with it. Without this, work stays
//! in the worktrees here.

use std::{fmt, sync::Arc};

pub use teammate_core::port::{ObjectStore, ObjectStoreError, TransferError};
pub use teammate_git::transfer::{
    RemoteAddress, RemoteBundles, WorkerClone, remote_bundles, worker_clone,
};
use teammate_git::{
    GitWorktrees,
    transfer::{BundleStore, GitWorkTransfer, ObjectBundles},
};

/// Carries the work of one team from and to other machines.
#[derive(Clone)]
pub struct WorkCarrier {
    bundles: Arc<dyn BundleStore>,
    team: Arc<str>,
}

impl WorkCarrier {
    /// By references of a git remote.
    pub fn by_remote(bundles: &RemoteBundles) -> Self {
        Self {
            bundles: Arc::new(bundles.clone()),
            team: bundles.team().into(),
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
