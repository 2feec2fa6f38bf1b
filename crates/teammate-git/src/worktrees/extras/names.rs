//! Names of files, as git prints them and as a sentence has them.

use std::{
    collections::BTreeMap,
    ffi::OsStr,
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
};

/// How many files of a directory are named one by one.
const NAMED_MAX: usize = 3;

/// The paths that git printed, each before a zero.
pub(super) fn paths(bytes: &[u8]) -> impl Iterator<Item = PathBuf> {
    let names = bytes.split(|byte| *byte == 0).filter(|it| !it.is_empty());
    names.map(|name| PathBuf::from(OsStr::from_bytes(name)))
}

/// The names for a sentence: many files of one directory are one.
pub(super) fn collapsed(files: &[PathBuf]) -> Vec<String> {
    let mut below: BTreeMap<PathBuf, Vec<&PathBuf>> = BTreeMap::new();
    for file in files {
        let first: PathBuf = file.components().take(1).collect();
        below.entry(first).or_default().push(file);
    }
    let names = below
        .into_iter()
        .flat_map(|(dir, files)| match files.len() {
            ..=NAMED_MAX => files.iter().map(|file| shown(file)).collect(),
            count => vec![format!("{}/ ({count} files)", shown(&dir))],
        });
    names.collect()
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_files_of_a_directory_are_said_in_one() {
        let files: Vec<PathBuf> = [".env", "a/1", "a/2", "v/1", "v/2", "v/b/3", "v/b/4"]
            .map(PathBuf::from)
            .to_vec();
        assert_eq!(collapsed(&files), [".env", "a/1", "a/2", "v/ (4 files)"]);
    }
}
