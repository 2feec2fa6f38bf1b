//! Worktrees of members that work elsewhere: before one is compared or merged, the newest that its member has saved is brought
//! here as a copy.

use std::{
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::{
    MemberName,
    port::{
        BoxFuture, Bringing, GuardedChange, GuardedFile, Merged, PreparedWorktree, RemovalReason,
        TransferError, WorkOf, WorkTransfer, Worktree, WorktreeError, WorktreeName, WorktreeStatus,
        Worktrees,
    },
    team::Term,
};

/// The worktrees of a team whose members may work on other machines.
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

    fn path(&self, name: &WorktreeName) -> PathBuf {
        self.here.path(name)
    }
}
