//! The repositories that another one keeps for its submodules, below its directory `modules`. Their names may have slashes in them.
//! It only looks where they are, not what they hold.

use std::{
    fs,
    path::{Path, PathBuf},
    time::SystemTime,
};

/// Of a repository, what decides what git runs: absent or there.
pub(crate) const DECIDING: [&str; 5] = ["commondir", "config", "config.worktree", "hooks", "info"];

/// How many slashes a submodule's name may have.
const DEPTH_MAX: usize = 4;
/// How many entries are looked at, for submodules of submodules as well.
const ENTRIES_MAX: usize = 1_000;

/// The submodules below some directories `modules`.
#[derive(Debug, Default)]
pub(crate) struct Submodules {
    /// Each has a `HEAD`, as git demands; that may be a link to nowhere.
    pub(crate) repositories: Vec<PathBuf>,
    /// Directories that only lead to those, `modules` itself too, and when each was changed last, before it was listed: what is new
    /// in them may be a repository.
    pub(crate) between: Vec<(PathBuf, Option<SystemTime>)>,
    /// The directories that were not looked into, because there is too much or it is too deep.
    pub(crate) beyond: Vec<PathBuf>,
    seen: usize,
}

impl Submodules {
    /// Looks below these directories. What is no directory, or a link, has none.
    pub(crate) fn below<'a>(modules: impl IntoIterator<Item = &'a PathBuf>) -> Self {
        let mut found = Self::default();
        for dir in modules {
            found.look(dir, DEPTH_MAX);
        }
        found
    }

    fn look(&mut self, dir: &Path, depth: usize) {
        let about = fs::symlink_metadata(dir).ok();
        let changed = about.as_ref().and_then(|about| about.modified().ok());
        self.between.push((dir.to_owned(), changed));
        if !about.is_some_and(|about| about.is_dir()) {
            return;
        }
        for entry in fs::read_dir(dir).into_iter().flatten().flatten() {
            let inner = entry.path();
            self.seen += 1;
            if !is_dir(&inner) {
                continue;
            }
            if self.seen > ENTRIES_MAX {
                self.beyond.push(inner);
            } else if fs::symlink_metadata(inner.join("HEAD")).is_ok() {
                self.look(&inner.join("modules"), DEPTH_MAX);
                self.repositories.push(inner);
            } else if depth > 0 {
                self.look(&inner, depth - 1);
            } else {
                self.beyond.push(inner);
            }
        }
    }
}

fn is_dir(path: &Path) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| found.is_dir())
}
