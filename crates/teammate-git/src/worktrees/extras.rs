//! Puts what git does not have into a new worktree: copies of ignored files and links to them, as the user's settings and the
//! repository's `.worktreeinclude` name them.
//!
//! - **What comes is ignored there as well.** Else a member would commit a `.env` with its work: such a copy is taken back.
//! - **No more is seen than before.** What a deny rule closes, and names that decide what programs do later, stay where they are.
//! - **Nothing leads out.** Files are read and written through no link; a link in the workspace comes as the link that it is.

mod choose;
mod copy;
mod names;

use std::{
    collections::BTreeSet,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

use teammate_core::port::{Furnished, WorktreeError, WorktreeName};
use teammate_process::blocking;

use self::{
    copy::{Copied, make_link},
    names::{collapsed, paths},
};
use super::{
    WorkspaceRepo,
    exclude::{add_line, pattern},
    repository::Repository,
    wanted::Extras,
};
use crate::git::{RunWith, failed};

impl WorkspaceRepo {
    /// Brings them. What cannot be brought is said; the worktree is there in any case.
    pub(super) async fn bring_extras(
        &self,
        repository: &Repository,
        name: &WorktreeName,
        extras: &Extras,
    ) -> Furnished {
        let mut furnished = Furnished::default();
        let place = self.worktree(name, &repository.prefix).path;
        let (mut links, mut files) = (BTreeSet::new(), BTreeSet::new());
        let chosen = async {
            self.choose_links(extras, &mut links, &mut furnished)
                .await?;
            self.choose_files(repository, extras, &mut files, &mut furnished)
                .await
        };
        if let Err(error) = chosen.await {
            let text = format!("Not all ignored files could be found: {error}.");
            furnished.missing.push(text);
        }
        files.retain(|file| !links.iter().any(|link| file.starts_with(link)));
        let brought = async {
            self.bring_links(repository, &place, links, &mut furnished)
                .await?;
            self.bring_files(&place, files, &mut furnished).await
        };
        if let Err(error) = brought.await {
            let text = format!("Not all ignored files could be brought: {error}.");
            furnished.missing.push(text);
        }
        furnished
    }

    async fn bring_links(
        &self,
        repository: &Repository,
        place: &Path,
        links: BTreeSet<PathBuf>,
        furnished: &mut Furnished,
    ) -> Result<(), WorktreeError> {
        for link in &links {
            match make_link(&self.root.join(link), &place.join(link)) {
                Ok(true) => furnished.linked.push(link.display().to_string()),
                Ok(false) => {}
                Err(error) => furnished.missing.push(format!(
                    "No link could be made to {}: {error}.",
                    link.display()
                )),
            }
        }
        // A pattern with a slash at its end means directories, and a link is none.
        for link in self.not_ignored(place, &links).await? {
            let line = pattern(&repository.prefix.join(&link));
            add_line(&repository.common_dir, &line)
                .map_err(|error| failed("have git ignore a link", error))?;
        }
        Ok(())
    }

    async fn bring_files(
        &self,
        place: &Path,
        files: BTreeSet<PathBuf>,
        furnished: &mut Furnished,
    ) -> Result<(), WorktreeError> {
        if files.is_empty() {
            return Ok(());
        }
        let (from, to) = (self.root.clone(), place.to_owned());
        let Copied { mut done, failed } =
            blocking::run(move |_| copy::copy(&from, &to, &files)).await;
        furnished.missing.extend(failed);
        let open = self.not_ignored(place, &done).await?;
        if !open.is_empty() {
            for file in &open {
                done.remove(file);
                // It was made a moment ago, by nobody else.
                let _ = std::fs::remove_file(place.join(file));
            }
            furnished.missing.push(format!(
                "Not copied, for git does not ignore it there and it would be committed: {}.",
                collapsed(&open).join(", ")
            ));
        }
        let done: Vec<PathBuf> = done.into_iter().collect();
        furnished.copied = collapsed(&done);
        Ok(())
    }

    /// Those of some files of a worktree that git does not ignore there.
    async fn not_ignored(
        &self,
        place: &Path,
        files: &BTreeSet<PathBuf>,
    ) -> Result<Vec<PathBuf>, WorktreeError> {
        if files.is_empty() {
            return Ok(Vec::new());
        }
        let names = files.iter().flat_map(|file| {
            let name = file.as_os_str().as_bytes().iter().copied();
            name.chain([0])
        });
        let with = RunWith {
            input: names.collect(),
            ..RunWith::default()
        };
        let args = ["check-ignore", "-z", "--stdin"];
        // It is content only if it finds one.
        let said = self.git.run_with(place, &args, with).await?;
        let ignored: BTreeSet<PathBuf> = paths(&said.out).collect();
        Ok(files.difference(&ignored).cloned().collect())
    }
}
