//! Which files of a commit a partial clone does not have. It has nothing fetched: where from is the repository's word, and its remote
//! is asked by a command of the user or of a member, which the network rules hold.

use std::collections::HashSet;

use teammate_core::port::WorktreeError;

use super::WorkspaceRepo;

impl WorkspaceRepo {
    /// The error, with the names of the files that are missing in the commit if it is about such.
    pub(super) async fn naming_files(&self, error: WorktreeError, commit: &str) -> WorktreeError {
        match error {
            WorktreeError::NotFetched { what, lacks } => {
                let files = self.unfetched(commit).await;
                let lacks = files.filter(|files| !files.is_empty()).unwrap_or(lacks);
                WorktreeError::NotFetched { what, lacks }
            }
            other => other,
        }
    }

    /// Nothing if git cannot say.
    async fn unfetched(&self, commit: &str) -> Option<Vec<String>> {
        let list = [
            "rev-list",
            "--objects",
            "--no-object-names",
            "--missing=print",
            "--max-count=1",
            commit,
        ];
        let objects = self.git.run(&self.root, &list).await.ok()?.out;
        let missing = objects.lines().filter_map(|line| line.strip_prefix('?'));
        let missing: HashSet<&str> = missing.collect();
        let list = ["ls-tree", "-r", "-z", "--full-tree", commit];
        let files = self.git.run(&self.root, &list).await.ok()?.out;
        let files = files.split('\0').filter_map(|entry| {
            let (object, name) = entry.split_once('\t')?;
            let object = object.rsplit(' ').next()?;
            missing.contains(object).then(|| name.to_owned())
        });
        Some(files.collect())
    }
}
