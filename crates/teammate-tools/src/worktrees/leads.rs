//! Whether the repository that git finds is that of the workspace.
//!
//! A `.git` may be a file or a link that leads anywhere, and a directory of that name may share what is elsewhere: then
//! files of somebody else's repository would come into the workspace, and branches into that repository. It is ours if it is
//! in the directory itself, or if it names the directory in turn.

use std::{
    fs,
    path::{Path, PathBuf},
};

use teammate_core::port::WorktreeError;

use super::WorkspaceRepo;

/// Where git finds things; absolute paths.
pub(super) struct Found {
    pub(super) top: PathBuf,
    pub(super) git_dir: PathBuf,
    pub(super) common_dir: PathBuf,
}

impl WorkspaceRepo {
    pub(super) async fn belongs_here(&self, found: &Found) -> Result<(), WorktreeError> {
        // A directory that merely looks like a repository, or the workspace is within one.
        if self.root.starts_with(&found.git_dir) {
            return Err(WorktreeError::NoRepository(self.root.clone()));
        }
        let dot = found.top.join(".git");
        let is_around = self.root.starts_with(resolved(&found.top));
        let is_plain = fs::symlink_metadata(&dot).is_ok_and(|found| found.is_dir());
        let is_ours = is_around
            && if is_plain {
                resolved(&dot) == resolved(&found.common_dir)
            } else {
                found.knows_as_worktree(&dot) || self.is_its_worktree(found).await?
            };
        if is_ours {
            return Ok(());
        }
        let git_dir = found.common_dir.clone();
        Err(WorktreeError::LeadsAway { dot, git_dir })
    }

    /// As in a submodule.
    async fn is_its_worktree(&self, found: &Found) -> Result<bool, WorktreeError> {
        let named = ["config", "--local", "--get", "core.worktree"];
        let named = self.git.query(&self.root, &named).await?;
        Ok(named.is_some_and(|named| resolved(&found.git_dir.join(named)) == resolved(&found.top)))
    }
}

impl Found {
    /// A linked worktree: what is known of it lies below what is shared, and names its `.git`.
    fn knows_as_worktree(&self, dot: &Path) -> bool {
        let shared = self.git_dir.parent().and_then(Path::parent);
        let named = fs::read_to_string(self.git_dir.join("gitdir")).unwrap_or_default();
        let named = self.git_dir.join(named.trim_end_matches('\n'));
        shared.is_some_and(|shared| resolved(shared) == resolved(&self.common_dir))
            && resolved(&named) == resolved(dot)
    }
}

fn resolved(path: &Path) -> PathBuf {
    path.canonicalize().unwrap_or_else(|_| path.to_owned())
}
