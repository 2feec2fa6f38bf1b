//! The files of the repository, for tests that read them.

use std::{
    fs,
    path::{Path, PathBuf},
};

/// The repository.
pub(crate) fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// The files below these folders with one of these endings, but for what a build made: sorted, each
/// by its path from the root.
pub(crate) fn files(folders: &[&str], endings: &[&str]) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> = folders.iter().map(PathBuf::from).collect();
    let mut found = Vec::new();
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let entry = entry.unwrap();
            let path = folder.join(entry.file_name());
            if entry.file_type().unwrap().is_dir() {
                if entry.file_name() != "target" {
                    folders.push(path);
                }
            } else if path
                .extension()
                .is_some_and(|end| endings.iter().any(|one| end == *one))
            {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}
