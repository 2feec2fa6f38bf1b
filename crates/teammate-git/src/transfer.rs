//! Members' work as commits that leave this machine and come from others: the adapter of [`WorkTransfer`] with git.
//!
//! What a member has is put into a commit on top of its last one, through a throw-away index, and leaves as a bundle: to
//! references of a git remote ([`RemoteBundles`]) or to the team's objects ([`ObjectBundles`]). Everything in the members'
//! repository is done by the contained git of the worktrees, so nothing that the repository names runs, hooks never. What talks
//! to a remote runs in a repository of its own that members do not see.

mod address;
mod bring;
mod bundles;
mod clone;
mod lay_out;
mod place;
mod remote;
mod save;
mod snapshot;

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::{
    MemberName,
    port::{
        BoxFuture, Bringing, BroughtWork, GuardedChange, GuardedFile, Merged, PreparedWorktree,
        RemovalReason, SavedWork, TransferError, WorkOf, WorkTransfer, Worktree, WorktreeError,
        WorktreeName, WorktreeStatus, Worktrees,
    },
    team::Term,
};
use teammate_process::blocking::finished;
use tokio::sync::Mutex;

pub use address::RemoteAddress;
pub use bundles::{BundleStore, ObjectBundles, WorkBundle};
pub use clone::{WorkerClone, remote_bundles, worker_clone};
pub use remote::RemoteBundles;

use self::save::HeldPlace;
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
        finished(task).await
    }

    fn held(&self, member: &MemberName) -> HeldPlace {
        HeldPlace::of(&self.worktrees.site.team_dir, member)
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

/// The worktrees of a team whose members may work on other machines: before one is compared or merged, the newest that its member
/// has saved is brought here as a copy.
pub struct FetchedWorktrees {
    here: Arc<dyn Worktrees>,
    transfer: Arc<dyn WorkTransfer>,
}

impl FetchedWorktrees {
    /// Those `here`, and what `transfer` brings.
    pub fn new(here: Arc<dyn Worktrees>, transfer: Arc<dyn WorkTransfer>) -> Self {
        Self { here, transfer }
    }

    /// Brings the newest work of the member that a worktree belongs to. Those of tasks stay on the machine where they are.
    async fn fetch(&self, name: &WorktreeName) -> Result<(), WorktreeError> {
        let Ok(member) = MemberName::parse(name.as_str()) else {
            return Ok(());
        };
        if member.is_lead() || WorktreeName::of_member(&member).is_err() {
            return Ok(());
        }
        let newest = WorkOf {
            member,
            term: Term(u64::MAX),
        };
        match self.transfer.bring(&newest, Bringing::ToLook).await {
            Ok(_) => Ok(()),
            Err(TransferError::Worktree(error)) => Err(error),
            Err(error) => Err(WorktreeError::Failed {
                what: format!("fetch the newest work of '{name}'"),
                why: error.to_string(),
            }),
        }
    }
}

impl Worktrees for FetchedWorktrees {
    fn create<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<PreparedWorktree, WorktreeError>> {
        self.here.create(name)
    }

    fn find<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<Worktree, WorktreeError>> {
        self.here.find(name)
    }

    fn list(&self) -> BoxFuture<'_, Result<Vec<WorktreeStatus>, WorktreeError>> {
        self.here.list()
    }

    fn status<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<WorktreeStatus, WorktreeError>> {
        self.here.status(name)
    }

    fn diff<'a>(&'a self, name: &'a WorktreeName) -> BoxFuture<'a, Result<String, WorktreeError>> {
        Box::pin(async move {
            self.fetch(name).await?;
            self.here.diff(name).await
        })
    }

    fn merge<'a>(&'a self, name: &'a WorktreeName) -> BoxFuture<'a, Result<Merged, WorktreeError>> {
        Box::pin(async move {
            self.fetch(name).await?;
            self.here.merge(name).await
        })
    }

    fn guarded<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<Vec<GuardedChange>, WorktreeError>> {
        Box::pin(async move {
            self.fetch(name).await?;
            self.here.guarded(name).await
        })
    }

    fn merge_with<'a>(
        &'a self,
        name: &'a WorktreeName,
        accepted: Vec<GuardedFile>,
    ) -> BoxFuture<'a, Result<Merged, WorktreeError>> {
        Box::pin(async move {
            self.fetch(name).await?;
            self.here.merge_with(name, accepted).await
        })
    }

    fn keep<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<Worktree, WorktreeError>> {
        self.here.keep(name)
    }

    fn remove<'a>(
        &'a self,
        name: &'a WorktreeName,
        why: RemovalReason,
    ) -> BoxFuture<'a, Result<Worktree, WorktreeError>> {
        self.here.remove(name, why)
    }

    fn tree<'a>(&'a self, place: &'a Path) -> BoxFuture<'a, Option<String>> {
        self.here.tree(place)
    }

    fn files<'a>(&'a self, place: &'a Path) -> BoxFuture<'a, Option<String>> {
        self.here.files(place)
    }

    fn path(&self, name: &WorktreeName) -> PathBuf {
        self.here.path(name)
    }
}
