//! Files that decide what programs do later, in a merge: they come in only with content that the user has said yes to, or that a
//! commit had before members came.

use std::path::Path;

use teammate_core::port::{GuardedChange, GuardedFile, WorktreeError, WorktreeName};
use teammate_process::is_guarded;
use teammate_sandbox::Content;

use super::{WorkspaceRepo, repository::HEADS};
use crate::git::RunWith;

/// How much of one file's difference is shown, in lines.
const LINES_MAX: usize = 200;

/// A guarded file as it would be after a merge.
struct Coming {
    file: GuardedFile,
    is_executable: bool,
    is_link: bool,
}

impl Coming {
    /// Does something with the content that these bytes are.
    fn with<R>(&self, bytes: &[u8], then: impl FnOnce(&Content<'_>) -> R) -> R {
        let to = String::from_utf8_lossy(bytes);
        then(&match self.is_link {
            true => Content::Link(Path::new(&*to)),
            false => Content::File {
                bytes,
                is_executable: self.is_executable,
            },
        })
    }
}

impl WorkspaceRepo {
    /// Those that a merge of this worktree's branch would bring, and that need a yes.
    pub(super) async fn guarded(
        &self,
        name: &WorktreeName,
    ) -> Result<Vec<GuardedChange>, WorktreeError> {
        let branch = self.branch(name);
        let mut changes = Vec::new();
        for coming in self.coming(&branch).await? {
            let bytes = self.blob(&coming.file.object).await?;
            let file = coming.file.clone();
            if !coming.with(&bytes, |content| self.git.knows(&file.path, content)) {
                let diff = self.difference(&branch, &file.path).await?;
                changes.push(GuardedChange { file, diff });
            }
        }
        Ok(changes)
    }

    /// Refuses what the user has not said yes to. What they have may be there from now on.
    pub(super) async fn require_accepted(
        &self,
        name: &WorktreeName,
        accepted: &[GuardedFile],
    ) -> Result<(), WorktreeError> {
        let branch = self.branch(name);
        let changes = self.guarded(name).await?;
        let is_accepted = |file: &GuardedFile| accepted.iter().any(|yes| yes.is_yes_to(file));
        let (open, said): (Vec<_>, Vec<_>) = changes
            .into_iter()
            .map(|change| change.file)
            .partition(|file| !is_accepted(file));
        if !open.is_empty() {
            return Err(WorktreeError::Guarded {
                name: name.clone(),
                branch,
                files: open,
            });
        }
        if said.is_empty() {
            return Ok(());
        }
        for coming in self.coming(&branch).await? {
            if said.contains(&coming.file) {
                let bytes = self.blob(&coming.file.object).await?;
                coming.with(&bytes, |content| {
                    self.git.accept(&coming.file.path, content);
                });
            }
        }
        Ok(())
    }

    /// The guarded files as a merge would have them, where that is new.
    async fn coming(&self, branch: &str) -> Result<Vec<Coming>, WorktreeError> {
        let reference = format!("{HEADS}{branch}");
        let range = format!("HEAD...{reference}");
        let touched = self.raw(&range).await?;
        if touched.is_empty() {
            return Ok(touched);
        }
        // Where both sides have changed a file, what comes is neither's. Before git 2.38 it is not known ahead.
        let merge = [
            "merge-tree",
            "--write-tree",
            "--no-messages",
            "HEAD",
            &reference,
        ];
        let merged = self.git.run(&self.root, &merge).await?;
        match merged.out.lines().next().map(str::trim) {
            Some(tree) if merged.is_ok && !tree.is_empty() => self.raw(tree).await,
            Some(_) | None => Ok(touched),
        }
    }

    /// The guarded files that differ, but for those that are removed.
    async fn raw(&self, with: &str) -> Result<Vec<Coming>, WorktreeError> {
        let ends: &[&str] = match with.contains("...") {
            true => &[with],
            false => &["HEAD", with],
        };
        let fixed = [
            "diff",
            "--raw",
            "--no-abbrev",
            "--no-renames",
            "--relative",
            "-z",
            "--diff-filter=d",
        ];
        let words = [&fixed[..], ends].concat();
        let said = self.git.run_ok("compare", &self.root, &words).await?;
        let mut found = Vec::new();
        let mut parts = said.split('\0');
        while let (Some(about), Some(path)) = (parts.next(), parts.next()) {
            let words: Vec<&str> = about.split(' ').collect();
            if let [_, mode, _, object, ..] = words[..]
                && is_guarded(Path::new(path))
            {
                let file = GuardedFile {
                    path: path.to_owned(),
                    object: object.to_owned(),
                };
                found.push(Coming {
                    file,
                    is_executable: mode == "100755",
                    is_link: mode == "120000",
                });
            }
        }
        Ok(found)
    }

    async fn blob(&self, object: &str) -> Result<Vec<u8>, WorktreeError> {
        let words = ["cat-file", "blob", object];
        let said = self
            .git
            .run_with(&self.root, &words, RunWith::default())
            .await?;
        Ok(said.out)
    }

    async fn difference(&self, branch: &str, path: &str) -> Result<String, WorktreeError> {
        let range = format!("HEAD...{HEADS}{branch}");
        let path = format!(":(literal){path}");
        let words = [
            "diff",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            &range,
            "--",
            &path,
        ];
        let said = self.git.run_ok("compare", &self.root, &words).await?;
        let lines: Vec<&str> = said.lines().collect();
        let shown = lines[..lines.len().min(LINES_MAX)].join("\n");
        Ok(match lines.len().saturating_sub(LINES_MAX) {
            0 => shown,
            more => format!("{shown}\n({more} more lines)"),
        })
    }
}
