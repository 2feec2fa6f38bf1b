//! Removes a worktree if nothing would be lost, and marks one to be kept.

use teammate_core::port::{RemovalReason, Worktree, WorktreeError, WorktreeName};

use super::{WorkspaceRepo, repository::RegisteredWorktree};

impl WorkspaceRepo {
    pub(super) async fn keep(&self, name: &WorktreeName) -> Result<Worktree, WorktreeError> {
        let repository = self.repository().await?;
        let entry = self.entry(name).await?;
        if entry.lock.is_none() {
            let (dir, path) = self.git_location(name);
            let lock = ["worktree", "lock", "--reason", "kept", &path];
            self.git.run_ok("keep the worktree", &dir, &lock).await?;
        }
        Ok(self.worktree(name, &repository.prefix))
    }

    pub(super) async fn remove(
        &self,
        name: &WorktreeName,
        why: RemovalReason,
    ) -> Result<Worktree, WorktreeError> {
        let repository = self.repository().await?;
        let entry = self.entry(name).await?;
        let status = self.status_of(&repository, name, &entry).await?;
        if !status.is_there && entry.path.exists() {
            return Err(WorktreeError::Occupied(entry.path));
        }
        if !status.uncommitted.is_empty() || status.ahead > 0 {
            return Err(WorktreeError::WouldLose {
                uncommitted: status.uncommitted.len(),
                unmerged: status.ahead,
            });
        }
        match why {
            RemovalReason::CleaningUp if status.is_kept => {
                return Err(WorktreeError::Kept(name.clone()));
            }
            RemovalReason::Asked | RemovalReason::CleaningUp => {}
        }
        let tip = self.tip(name).await?;
        self.git.may(&self.root, &["update-ref"]).await?;
        self.remove_tree(name, &entry).await?;
        if let Some(tip) = tip {
            // Only if it still is where it was when it was compared.
            let reference = format!("refs/heads/{}", self.branch(name));
            let delete = ["update-ref", "-d", &reference, &tip];
            self.git
                .run_ok("delete the branch", &self.root, &delete)
                .await?;
        }
        Ok(status.worktree)
    }

    /// Without force: git looks once more for itself.
    async fn remove_tree(
        &self,
        name: &WorktreeName,
        entry: &RegisteredWorktree,
    ) -> Result<(), WorktreeError> {
        let (dir, path) = self.git_location(name);
        if entry.lock.is_some() {
            let unlock = ["worktree", "unlock", &path];
            self.git
                .run_ok("unlock the worktree", &dir, &unlock)
                .await?;
        }
        let remove = ["worktree", "remove", &path];
        self.git
            .run_ok("remove the worktree", &dir, &remove)
            .await?;
        Ok(())
    }
}
