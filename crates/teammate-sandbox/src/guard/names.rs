//! Where a guard looks: names that are known, and those of each submodule that a repository keeps, also of one that is new.

use std::{
    collections::BTreeSet,
    path::{Path, PathBuf},
};

use super::{State, scan::Scan};
use crate::submodules::{DECIDING, Submodules};

/// Where nothing may come to stand that nobody has said yes to. All paths are absolute.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Names {
    /// Files and directories; in order, each once.
    pub(crate) paths: Vec<PathBuf>,
    /// Directories in which repositories keep their submodules: of each, what decides what git runs is looked at.
    pub(crate) modules: Vec<PathBuf>,
}

impl Names {
    pub(crate) fn new(paths: Vec<PathBuf>, modules: Vec<PathBuf>) -> Self {
        let mut names = Self::default();
        names.add(&Self { paths, modules });
        names
    }

    pub(super) fn has(&self, other: &Self) -> bool {
        let has = |own: &Vec<PathBuf>, other: &Vec<PathBuf>| {
            (other.iter()).all(|path| own.binary_search(path).is_ok())
        };
        self == other || has(&self.paths, &other.paths) && has(&self.modules, &other.modules)
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (own, other) in [
            (&mut self.paths, &other.paths),
            (&mut self.modules, &other.modules),
        ] {
            own.extend_from_slice(other);
            own.sort();
            own.dedup();
        }
    }

    /// Whether what is at this path is looked at.
    pub(super) fn cover(&self, path: &Path) -> bool {
        let mut all = self.paths.iter().chain(&self.modules);
        all.any(|name| path.starts_with(name))
    }
}

impl State {
    /// Scans all names. A repository that is too deep or one too many is too large to be looked at.
    pub(super) fn scan(&self, root: &Path) -> Scan {
        let found = Submodules::below(&self.names.modules);
        let inner = (found.repositories.iter()).flat_map(|dir| DECIDING.map(|name| dir.join(name)));
        let is_new = |name: &PathBuf| {
            self.names.paths.binary_search(name).is_err() && !self.left_out.contains(name)
        };
        let inner = inner.filter(is_new).collect::<Vec<_>>();
        let mut scan = Scan::of(root, self.names.paths.iter().chain(&inner), &self.before);
        let beyond: BTreeSet<PathBuf> = found.beyond.into_iter().collect();
        scan.large
            .extend(beyond.difference(&self.left_out).cloned());
        scan
    }
}
