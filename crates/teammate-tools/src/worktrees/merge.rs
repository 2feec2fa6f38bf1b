//! Merges a worktree's branch into the workspace's: wholly, or not at all.

use std::collections::BTreeSet;

use teammate_core::port::{GuardedFile, Merged, WorktreeError, WorktreeName};

use super::{WorkspaceRepo, git::GitOutput, status::changes};

impl WorkspaceRepo {
    pub(super) async fn merge(
        &self,
        name: &WorktreeName,
        accepted: &[GuardedFile],
    ) -> Result<Merged, WorktreeError> {
        let repository = self.repository().await?;
        let (entry, branch) = (self.entry(name).await?, self.branch(name));
        let status = self.status_of(&repository, name, &entry).await?;
        if !status.uncommitted.is_empty() {
            return Err(WorktreeError::Uncommitted {
                name: name.clone(),
                files: status.uncommitted,
            });
        }
        if entry.exists() && entry.branch.as_ref() != Some(&branch) {
            return Err(WorktreeError::NotReady(format!(
                "the worktree '{name}' is not on its branch; have 'git switch {branch}' run there"
            )));
        }
        let into = self.current_branch().await?;
        let commits = status.ahead;
        if commits > 0 {
            self.require_clean(&branch).await?;
            self.rehearse(&repository, &branch, &into).await?;
            self.require_accepted(name, accepted).await?;
            self.merge_branch(&branch, &into).await?;
        }
        Ok(Merged {
            branch,
            into,
            commits,
        })
    }

    async fn current_branch(&self) -> Result<String, WorktreeError> {
        let branch = ["symbolic-ref", "--quiet", "--short", "HEAD"];
        let branch = self.git.query(&self.root, &branch).await?;
        let branch = branch.ok_or_else(|| {
            WorktreeError::NotReady("it is on no branch; check one out first".to_owned())
        })?;
        if self.is_merging().await? {
            let why = "a merge is under way there; finish it or take it back first";
            return Err(WorktreeError::NotReady(why.to_owned()));
        }
        Ok(branch)
    }

    async fn is_merging(&self) -> Result<bool, WorktreeError> {
        let head = ["rev-parse", "--verify", "--quiet", "MERGE_HEAD"];
        Ok(self.git.query(&self.root, &head).await?.is_some())
    }

    /// Git would refuse as well, but in other words for each case.
    async fn require_clean(&self, branch: &str) -> Result<(), WorktreeError> {
        let range = format!("HEAD...{branch}");
        let coming = ["diff", "--name-only", "--no-renames", "-z", &range];
        let coming = self.git.run_ok("compare", &self.root, &coming).await?;
        let coming: BTreeSet<&str> = coming.split('\0').collect();
        let in_the_way: Vec<String> = changes(&self.git, &self.root)
            .await?
            .into_iter()
            .filter(|change| change.is_staged || coming.contains(change.path.as_str()))
            .map(|change| change.path)
            .collect();
        if in_the_way.is_empty() {
            return Ok(());
        }
        Err(WorktreeError::InTheWay { files: in_the_way })
    }

    async fn merge_branch(&self, branch: &str, into: &str) -> Result<(), WorktreeError> {
        let merge = [
            "merge",
            "--ff",
            "--no-edit",
            "--no-stat",
            "--no-gpg-sign",
            "--no-autostash",
            "--no-rerere-autoupdate",
            branch,
        ];
        let merged = self.git.run(&self.root, &merge).await;
        if let Ok(GitOutput { is_ok: true, .. }) = merged {
            return Ok(());
        }
        let conflicts = ["diff", "--name-only", "--diff-filter=U", "-z"];
        let conflicts = self.git.run_ok("compare", &self.root, &conflicts).await?;
        if self.is_merging().await? {
            let what = "take the failed merge back";
            self.git
                .run_ok(what, &self.root, &["merge", "--abort"])
                .await?;
        }
        let files: Vec<String> = conflicts
            .split('\0')
            .filter(|file| !file.is_empty())
            .map(str::to_owned)
            .collect();
        if files.is_empty() {
            return Err(merged?.refused("merge; nothing was changed"));
        }
        Err(WorktreeError::Conflict {
            branch: branch.to_owned(),
            into: into.to_owned(),
            files,
        })
    }
}
