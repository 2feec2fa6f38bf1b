//! Names: what was done to them since their directories were synced.

use std::{
    collections::BTreeMap,
    path::{Path, PathBuf},
};

use super::rng::SimRng;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum DirEntry {
    Dir,
    File(usize),
}

#[derive(Clone)]
pub(super) enum NameChange {
    Add(PathBuf, DirEntry),
    Remove(PathBuf),
    Rename {
        from: PathBuf,
        to: PathBuf,
        node: DirEntry,
        /// Whether each end's directory was synced since.
        is_gone: bool,
        is_there: bool,
    },
}

impl NameChange {
    /// The directory is synced: what concerns it becomes durable. Whether nothing is left to be synced.
    pub(super) fn sync(&mut self, dir: &Path, durable: &mut BTreeMap<PathBuf, DirEntry>) -> bool {
        let is_in = |path: &Path| path.parent() == Some(dir);
        match self {
            Self::Add(path, node) => {
                if is_in(path) {
                    durable.insert(path.clone(), *node);
                }
                is_in(path)
            }
            Self::Remove(path) => {
                if is_in(path) {
                    durable.remove(path);
                }
                is_in(path)
            }
            Self::Rename {
                from,
                to,
                node,
                is_gone,
                is_there,
            } => {
                if is_in(to) && !*is_there {
                    *is_there = true;
                    durable.insert(to.clone(), *node);
                }
                if is_in(from) && !*is_gone {
                    *is_gone = true;
                    durable.remove(from);
                }
                *is_gone && *is_there
            }
        }
    }

    /// The power is cut: it may have reached the disk or not.
    pub(super) fn after_power_cut(
        &self,
        names: &mut BTreeMap<PathBuf, DirEntry>,
        luck: &mut SimRng,
    ) {
        match self {
            Self::Add(path, node) => {
                if luck.keeps() {
                    names.insert(path.clone(), *node);
                }
            }
            Self::Remove(path) => {
                if luck.keeps() {
                    names.remove(path);
                }
            }
            Self::Rename {
                from,
                to,
                node,
                is_gone,
                is_there,
            } => {
                // The new name may come without the old one going, but the old one goes only after the new one came,
                // or when its directory alone was synced.
                let comes = *is_there || luck.keeps();
                if comes {
                    names.insert(to.clone(), *node);
                }
                if !*is_gone && comes && luck.keeps() && names.get(from) == Some(node) {
                    names.remove(from);
                }
            }
        }
    }
}
