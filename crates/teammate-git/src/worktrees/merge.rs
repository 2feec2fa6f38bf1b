//! Merges a worktree's branch into the workspace's: wholly, or not at all. It is tried without touching a file first, where it might
//! stop half way for want of a program that is not to run.

use std::{collections::BTreeSet, path::Path};

use teammate_core::port::{GuardedFile, Merged, WorktreeError, WorktreeName};

use super::{
    WorkspaceRepo,
    repository::{HEADS, Repository},
    status::changes,
};
use crate::git::{GitOutput, failed};

/// How many paths are asked about at once; they stand in the command line.
const PATHS_AT_ONCE: usize = 500;

/// Why an old git does not merge here.
const OLD_GIT: &str = "the repository has git run programs for some files, and only git 2.40 or newer tells whether the merge needs \
                       them";

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
        // Not the short name, which is another where a tag has it, too.
        let head = ["symbolic-ref", "--quiet", "HEAD"];
        let head = self.git.query(&self.root, &head).await?;
        let branch = head.as_deref().and_then(|head| head.strip_prefix(HEADS));
        let branch = branch.map(str::to_owned).ok_or_else(|| {
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
        let range = format!("HEAD...{HEADS}{branch}");
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

    /// An error if the merge of `branch` into `into` needs such a program, or has conflicts. Where there are no such programs,
    /// nothing is tried.
    async fn rehearse(
        &self,
        repository: &Repository,
        branch: &str,
        into: &str,
    ) -> Result<(), WorktreeError> {
        let top = &repository.top;
        let guard = self.git.guard(top).await?;
        if !guard.is_about_files() {
            return Ok(());
        }
        let reference = format!("{HEADS}{branch}");
        let merge = [
            "merge-tree",
            "--write-tree",
            "-z",
            "--name-only",
            "--no-messages",
            "HEAD",
            &reference,
        ];
        let merged = self.git.run(top, &merge).await?;
        let mut parts = merged.out.split('\0').filter(|part| !part.is_empty());
        let tree = parts.next().unwrap_or_default();
        let files: Vec<String> = parts.map(str::to_owned).collect();
        if !merged.is_ok && files.is_empty() {
            return Err(merged.refused("merge; nothing was changed"));
        }
        if !files.is_empty() {
            let (branch, into) = (branch.to_owned(), into.to_owned());
            return Err(WorktreeError::Conflict {
                branch,
                into,
                files,
            });
        }
        let filters = self.filters(top, tree).await?;
        guard.refuse_filters(&filters.iter().map(|filter| &**filter).collect())
    }

    /// The filters of all files that a change to `tree` would write.
    async fn filters(&self, top: &Path, tree: &str) -> Result<BTreeSet<String>, WorktreeError> {
        let coming = [
            "diff-tree",
            "-r",
            "-z",
            "--name-only",
            "--no-renames",
            "--diff-filter=d",
            "HEAD",
            tree,
        ];
        let coming = self.git.run_ok("compare", top, &coming).await?;
        let paths: Vec<&str> = coming.split('\0').filter(|path| !path.is_empty()).collect();
        let source = format!("--source={tree}");
        let mut filters = BTreeSet::new();
        for paths in paths.chunks(PATHS_AT_ONCE) {
            let ask = [&["check-attr", "-z", &*source, "filter", "--"], paths].concat();
            let said = self.git.run(top, &ask).await?;
            if !said.is_ok {
                return Err(match said.err.contains("unknown option") {
                    true => failed("merge; nothing was changed", OLD_GIT),
                    false => said.refused("read the attributes of files"),
                });
            }
            // Path, attribute, value.
            let values = said.out.split('\0').skip(2).step_by(3);
            filters.extend(values.map(str::to_owned));
        }
        Ok(filters)
    }

    async fn merge_branch(&self, branch: &str, into: &str) -> Result<(), WorktreeError> {
        let reference = format!("{HEADS}{branch}");
        // The words that git has for the branch by its short name.
        let message = match into {
            "main" | "master" => format!("Merge branch '{branch}'"),
            _ => format!("Merge branch '{branch}' into {into}"),
        };
        let merge = [
            "merge",
            "--ff",
            "--no-edit",
            "-m",
            &message,
            "--no-stat",
            "--no-gpg-sign",
            "--no-autostash",
            "--no-rerere-autoupdate",
            &reference,
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
