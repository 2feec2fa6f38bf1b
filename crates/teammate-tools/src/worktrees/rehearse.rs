//! Tries a merge without touching a file, where it might stop half way for want of a program that is not to run.

use std::{collections::BTreeSet, path::Path};

use teammate_core::port::WorktreeError;

use super::{WorkspaceRepo, git::failed, repository::Repository};

/// How many paths are asked about at once; they stand in the command line.
const PATHS_AT_ONCE: usize = 500;

/// Why an old git does not merge here.
const OLD_GIT: &str = "the repository has git run programs for some files, and only git 2.40 or newer tells whether the merge needs \
                       them";

impl WorkspaceRepo {
    /// An error if the merge of `branch` into `into` needs such a program, or has conflicts. Where there are no such programs,
    /// nothing is tried.
    pub(super) async fn rehearse(
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
        let merge = [
            "merge-tree",
            "--write-tree",
            "-z",
            "--name-only",
            "--no-messages",
            "HEAD",
            branch,
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
}
