//! Makes a worktree, or takes the one that is there.

use std::{fs, path::Path};

use teammate_core::port::{
    Furnished, PreparedWorktree, Worktree, WorktreeError, WorktreeName, WorktreeOrigin,
};

use teammate_process::resolved;

use super::{
    WorkspaceRepo,
    repository::{RegisteredWorktree, Repository},
    status::changed_files,
    wanted::Extras,
};
use crate::git::failed;

impl WorkspaceRepo {
    pub(super) async fn create(
        &self,
        name: &WorktreeName,
        extras: &Extras,
    ) -> Result<PreparedWorktree, WorktreeError> {
        let repository = self.repository().await?;
        self.exclude(&repository)?;
        self.git.write_down();
        let (place, entries) = (self.path(name), self.registered().await?);
        if let Some(entry) = entries.iter().find(|entry| entry.path == place) {
            if entry.exists() && !entry.is_incomplete() {
                return Ok(PreparedWorktree {
                    worktree: self.worktree(name, &repository.prefix),
                    origin: WorktreeOrigin::Existing,
                });
            }
            self.forget(name, entry).await?;
        }
        if fs::symlink_metadata(&place).is_ok() {
            return Err(WorktreeError::Occupied(place));
        }
        let branch = self.branch(name);
        if let Some(entry) = entries
            .iter()
            .find(|e| e.path != place && e.branch.as_ref() == Some(&branch))
        {
            let path = entry.path.clone();
            return Err(WorktreeError::Elsewhere { branch, path });
        }
        self.add(name, &repository, extras).await
    }

    /// Takes a registration back whose directory is gone or was never whole. Removes no directory that was.
    async fn forget(
        &self,
        name: &WorktreeName,
        entry: &RegisteredWorktree,
    ) -> Result<(), WorktreeError> {
        if fs::symlink_metadata(&entry.path).is_ok() && !entry.is_incomplete() {
            return Err(WorktreeError::Occupied(entry.path.clone()));
        }
        // Twice, because it may be locked.
        self.make_dir()?;
        let (dir, path) = self.git_location(name);
        let remove = ["worktree", "remove", "--force", "--force", &path];
        self.git
            .run_ok("forget the lost worktree", &dir, &remove)
            .await?;
        Ok(())
    }

    async fn add(
        &self,
        name: &WorktreeName,
        repository: &Repository,
        extras: &Extras,
    ) -> Result<PreparedWorktree, WorktreeError> {
        self.make_dir()?;
        let branch = self.branch(name);
        let tip = self.tip(name).await?;
        let had_branch = tip.is_some();
        let base = tip.unwrap_or_else(|| repository.head.clone());
        // First, because it may be refused.
        let left_out = changed_files(&self.git, &self.root).await?.len();
        let (dir, path) = self.git_location(name);
        let args: &[&str] = if had_branch {
            &["worktree", "add", "--quiet", &path, &branch]
        } else {
            &[
                "worktree",
                "add",
                "--quiet",
                "--no-track",
                "-b",
                &branch,
                &path,
                &repository.head,
            ]
        };
        let added = self.git.run_ok("make the worktree", &dir, args).await;
        let worktree = self.worktree(name, &repository.prefix);
        let made = added.and_then(|_| require_dir(&worktree));
        if let Err(error) = made {
            let error = self.naming_files(error, &base).await;
            self.roll_back(name, (!had_branch).then_some(base.as_str()))
                .await;
            return Err(error);
        }
        Ok(PreparedWorktree {
            worktree,
            origin: WorktreeOrigin::Created {
                base: base.chars().take(9).collect(),
                had_branch,
                left_out,
                furnished: self.furnish(name, repository, extras).await,
            },
        })
    }

    /// Brings what git does not bring by itself, and says what is missing then.
    async fn furnish(
        &self,
        name: &WorktreeName,
        repository: &Repository,
        extras: &Extras,
    ) -> Furnished {
        let top = self.path(name);
        self.fill_submodules(repository, &top).await;
        let mut furnished = self.bring_extras(repository, name, extras).await;
        let missing = self.missing(repository, &top).await;
        furnished.missing.extend(missing);
        furnished
    }

    /// Takes back what a failed attempt has left. If that fails as well, the next attempt begins with it.
    async fn roll_back(&self, name: &WorktreeName, new_branch_at: Option<&str>) {
        let (dir, path) = self.git_location(name);
        let remove = ["worktree", "remove", "--force", "--force", &path];
        let _ = self.git.run(&dir, &remove).await;
        if let Some(base) = new_branch_at {
            let reference = format!("refs/heads/{}", self.branch(name));
            let _ = self
                .git
                .run(&self.root, &["update-ref", "-d", &reference, base])
                .await;
        }
    }

    fn make_dir(&self) -> Result<(), WorktreeError> {
        let dir = self.dir();
        resolved::make_dir(&dir)
            .map(drop)
            .map_err(|error| failed(&format!("use {}", dir.display()), error))
    }

    pub(super) async fn find(&self, name: &WorktreeName) -> Result<Worktree, WorktreeError> {
        let repository = self.repository().await?;
        let entries = self.registered().await?;
        let worktree = self.worktree(name, &repository.prefix);
        let place = self.path(name);
        let is_there = |entry: &RegisteredWorktree| entry.path == place && entry.exists();
        if entries.iter().any(is_there) && worktree.path.is_dir() {
            return Ok(worktree);
        }
        Err(WorktreeError::Gone {
            name: name.clone(),
            path: worktree.path,
            branch: worktree.branch,
        })
    }
}

/// The workspace may be a directory that holds nothing that was committed.
fn require_dir(worktree: &Worktree) -> Result<(), WorktreeError> {
    let path: &Path = &worktree.path;
    fs::create_dir_all(path).map_err(|error| failed(&format!("make {}", path.display()), error))
}
