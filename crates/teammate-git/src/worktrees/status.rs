//! The status of worktrees, and what was changed in them.

use std::path::Path;

use teammate_core::port::{WorktreeError, WorktreeName, WorktreeStatus};

use super::{
    WorkspaceRepo,
    repository::{RegisteredWorktree, Repository},
};
use crate::git::{Git, failed};

impl WorkspaceRepo {
    pub(super) async fn list(&self) -> Result<Vec<WorktreeStatus>, WorktreeError> {
        let repository = match self.repository().await {
            Ok(repository) => repository,
            // Where none can be, there are none.
            Err(WorktreeError::NoRepository(_) | WorktreeError::NoCommit) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut list = Vec::new();
        for (name, entry) in self.team_entries().await? {
            list.push(self.shown_status(&repository, &name, &entry).await?);
        }
        Ok(list)
    }

    pub(super) async fn status(
        &self,
        name: &WorktreeName,
    ) -> Result<WorktreeStatus, WorktreeError> {
        let repository = self.repository().await?;
        let entry = self.entry(name).await?;
        self.shown_status(&repository, name, &entry).await
    }

    /// With what is missing in it.
    async fn shown_status(
        &self,
        repository: &Repository,
        name: &WorktreeName,
        entry: &RegisteredWorktree,
    ) -> Result<WorktreeStatus, WorktreeError> {
        let mut status = self.status_of(repository, name, entry).await?;
        if status.is_there {
            status.missing = self.missing(repository, &entry.path).await;
        }
        Ok(status)
    }

    pub(super) async fn status_of(
        &self,
        repository: &Repository,
        name: &WorktreeName,
        entry: &RegisteredWorktree,
    ) -> Result<WorktreeStatus, WorktreeError> {
        let is_there = entry.exists();
        let uncommitted = if is_there {
            changed_files(&self.git, &entry.path).await?
        } else {
            Vec::new()
        };
        // Both what it is at and its branch: they differ if somebody has switched to another.
        let tip = self.tip(name).await?;
        let tips: Vec<&str> = entry.head.iter().chain(&tip).map(String::as_str).collect();
        let main = [repository.head.as_str()];
        Ok(WorktreeStatus {
            worktree: self.worktree(name, &repository.prefix),
            is_kept: entry.lock.is_some() && !entry.is_incomplete(),
            is_there,
            uncommitted,
            ahead: self.count(&tips, &main).await?,
            behind: self.count(&main, &tips).await?,
            missing: Vec::new(),
        })
    }

    /// How many commits `these` have that `those` have not.
    async fn count(&self, these: &[&str], those: &[&str]) -> Result<usize, WorktreeError> {
        if these.is_empty() {
            return Ok(0);
        }
        let args = [&["rev-list", "--count"], these, &["--not"], those].concat();
        let what = "count commits";
        let count = self.git.run_ok(what, &self.root, &args).await?;
        count.trim().parse().map_err(|error| failed(what, error))
    }

    pub(super) async fn diff(&self, name: &WorktreeName) -> Result<String, WorktreeError> {
        let repository = self.repository().await?;
        let entry = self.entry(name).await?;
        let worktree = self.worktree(name, &repository.prefix);
        if !entry.exists() {
            return Err(WorktreeError::Gone {
                name: name.clone(),
                path: worktree.path,
                branch: worktree.branch,
            });
        }
        let base = match &entry.head {
            Some(head) => self
                .git
                .query(&self.root, &["merge-base", &repository.head, head])
                .await?
                .unwrap_or_else(|| repository.head.clone()),
            None => repository.head.clone(),
        };
        let what = "compare";
        let plain = [
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--submodule=short",
            "--ignore-submodules=dirty",
        ];
        let args = [&["diff", "--stat", "--patch"], &plain[..], &[&base]].concat();
        let mut text = self.git.run_ok(what, &entry.path, &args).await?;
        let new = ["ls-files", "--others", "--exclude-standard"];
        let new = self.git.run_ok(what, &entry.path, &new).await?;
        if !new.is_empty() {
            text.push_str("\nNew files that git does not know yet, not shown here:\n");
            text.push_str(&new);
        }
        Ok(text)
    }
}

/// Files of a tree with changes that are not committed, new ones among them.
pub(super) async fn changed_files(git: &Git, tree: &Path) -> Result<Vec<String>, WorktreeError> {
    let changes = changes(git, tree).await?;
    Ok(changes.into_iter().map(|change| change.path).collect())
}

/// A change that is not committed.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct ChangedFile {
    pub(super) path: String,
    /// Whether it is in the index, on its way into the next commit.
    pub(super) is_staged: bool,
}

pub(super) async fn changes(git: &Git, tree: &Path) -> Result<Vec<ChangedFile>, WorktreeError> {
    // What is inside of a submodule is no file of this tree, and git would run what the submodule's configuration names.
    let status = [
        "status",
        "--porcelain",
        "-z",
        "--untracked-files=all",
        "--ignore-submodules=dirty",
    ];
    let text = git.run_ok("look for changes", tree, &status).await?;
    Ok(read_status(&text))
}

fn read_status(text: &str) -> Vec<ChangedFile> {
    let mut changes = Vec::new();
    let mut parts = text.split('\0');
    while let Some(part) = parts.next() {
        let (Some(state), Some(path)) = (part.get(..2), part.get(3..)) else {
            continue;
        };
        changes.push(ChangedFile {
            path: path.to_owned(),
            is_staged: !state.starts_with([' ', '?']),
        });
        if state.contains(['R', 'C']) {
            // Where it came from.
            parts.next();
        }
    }
    changes
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn git_s_status_is_read() {
        let text = " M a b\0R  new\0old\0?? dir/x\0";
        let change = |path: &str, is_staged| ChangedFile {
            path: path.to_owned(),
            is_staged,
        };
        assert_eq!(
            read_status(text),
            [
                change("a b", false),
                change("new", true),
                change("dir/x", false)
            ]
        );
        assert!(read_status("").is_empty());
    }
}
