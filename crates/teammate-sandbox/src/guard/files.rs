//! Files by their paths, in order.

use std::{
    collections::{BTreeMap, btree_map},
    ffi::OsString,
    path::{Path, PathBuf},
};

use super::thing::Found;

/// The files that were found, by absolute paths. They are compared as text: by their components it takes most of the time of
/// a look.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Files(BTreeMap<OsString, Found>);

impl Files {
    pub(super) fn get(&self, path: &Path) -> Option<&Found> {
        self.0.get(path.as_os_str())
    }

    pub(super) fn insert(&mut self, path: PathBuf, found: Found) {
        self.0.insert(path.into(), found);
    }

    pub(super) fn remove(&mut self, path: &Path) {
        self.0.remove(path.as_os_str());
    }

    /// Removes those at and below a path.
    pub(super) fn remove_below(&mut self, dir: &Path) {
        self.0.retain(|path, _| !Path::new(path).starts_with(dir));
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = (&Path, &Found)> {
        (self.0.iter()).map(|(path, found)| (Path::new(path), found))
    }

    pub(super) fn paths(&self) -> impl Iterator<Item = &Path> {
        self.0.keys().map(Path::new)
    }

    /// Whether the same things stand at the same paths, whenever they were changed.
    pub(super) fn have_things_of(&self, other: &Self) -> bool {
        let mut pairs = self.0.iter().zip(&other.0);
        self.0.len() == other.0.len()
            && pairs.all(|((path, found), (other_path, other))| {
                path == other_path && found.thing == other.thing
            })
    }
}

impl FromIterator<(PathBuf, Found)> for Files {
    fn from_iter<I: IntoIterator<Item = (PathBuf, Found)>>(files: I) -> Self {
        let files = files.into_iter();
        Self(files.map(|(path, found)| (path.into(), found)).collect())
    }
}

impl IntoIterator for Files {
    type Item = (PathBuf, Found);
    type IntoIter = std::iter::Map<
        btree_map::IntoIter<OsString, Found>,
        fn((OsString, Found)) -> (PathBuf, Found),
    >;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter().map(|(path, found)| (path.into(), found))
    }
}
