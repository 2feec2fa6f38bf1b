//! Members' work as commits that leave this machine and come from others: the adapter of [`WorkTransfer`] with git.
//!
//! What a member has is put into a commit on top of its last one, through a throw-away index, and leaves as a bundle: to
//! references of a git remote ([`RemoteBundles`]) or to the team's objects ([`ObjectBundles`]). Everything in the members'
//! repository is done by the contained git of the worktrees, so nothing that the repository names runs, hooks never. What talks
//! to a remote runs in a repository of its own that members do not see.

mod address;
mod bring;
mod bundles;
mod choose;
mod clone;
mod fetched;
mod held;
mod place;
mod put_aside;
mod remote;
mod save;

use std::{panic, sync::Arc};

use teammate_core::{
    MemberName,
    port::{BoxFuture, Bringing, BroughtWork, SavedWork, TransferError, WorkOf, WorkTransfer},
    team::Term,
};
use tokio::sync::Mutex;

pub use address::RemoteAddress;
pub use bundles::{BundleStore, ObjectBundles, WorkBundle};
pub use clone::{WorkerClone, remote_bundles, worker_clone};
pub use fetched::FetchedWorktrees;
pub use remote::RemoteBundles;

use self::held::Held;
use crate::{git::OWN_REFERENCES, worktrees::GitWorktrees};

/// The most bytes of a bundle.
pub const BUNDLE_BYTES_MAX: usize = 64 << 20;

/// The work of one team's members on this machine.
#[derive(Clone)]
pub struct GitWorkTransfer {
    worktrees: GitWorktrees,
    bundles: Arc<dyn BundleStore>,
    /// The team's name in references.
    team: Arc<str>,
    /// One after the other, so that no older work of a member replaces newer.
    turn: Arc<Mutex<()>>,
}

impl GitWorkTransfer {
    /// Carries the work in these worktrees, and that of the lead in the workspace, by these bundles. `team` is what tells its
    /// references from those of other teams: a name or an id.
    pub fn new(worktrees: GitWorktrees, bundles: Arc<dyn BundleStore>, team: &str) -> Self {
        Self {
            worktrees,
            bundles,
            team: team.into(),
            turn: Arc::default(),
        }
    }

    /// Does something to its end, also if nobody waits for it any more.
    async fn in_turn<R: Send + 'static>(
        &self,
        work: impl FnOnce(Self) -> BoxFuture<'static, Result<R, TransferError>> + Send + 'static,
    ) -> Result<R, TransferError> {
        let (own, turn) = (self.clone(), self.turn.clone());
        let task = tokio::spawn(async move {
            let _turn = turn.lock().await;
            work(own).await
        });
        match task.await {
            Ok(done) => done,
            Err(error) if error.is_panic() => panic::resume_unwind(error.into_panic()),
            // The runtime is going down; it drops this future next.
            Err(_) => std::future::pending().await,
        }
    }

    fn held(&self, member: &MemberName) -> Held {
        Held::of(&self.worktrees.site.team_dir, member)
    }

    /// The reference under which a member's saved work is known, here and at a remote.
    fn reference(&self, member: &MemberName, term: Term) -> String {
        format!("{OWN_REFERENCES}{}/{member}/{term}/wip", self.team)
    }
}

impl WorkTransfer for GitWorkTransfer {
    fn save<'a>(&'a self, of: &'a WorkOf) -> BoxFuture<'a, Result<SavedWork, TransferError>> {
        let of = of.clone();
        Box::pin(self.in_turn(|own| Box::pin(async move { own.save_now(&of).await })))
    }

    fn bring<'a>(
        &'a self,
        of: &'a WorkOf,
        why: Bringing<'a>,
    ) -> BoxFuture<'a, Result<BroughtWork, TransferError>> {
        let of = of.clone();
        match why {
            Bringing::ToWork { delivered } => {
                let delivered = delivered.cloned();
                Box::pin(self.in_turn(|own| {
                    Box::pin(async move { own.take_over(&of, delivered.as_ref()).await })
                }))
            }
            Bringing::ToLook => {
                Box::pin(self.in_turn(move |own| {
                    Box::pin(async move { own.copy(&of.member, of.term).await })
                }))
            }
        }
    }
}
