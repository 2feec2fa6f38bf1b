//! The file that was probably meant by a path that leads nowhere.

use std::path::{Path, PathBuf};

use ignore::WalkBuilder;
use teammate_core::{name::edit_distance, port::Workspace};
use teammate_process::blocking::CancelFlag;

use crate::beneath::team_dirs;

/// How many entries of the workspace are looked at.
const LOOKED_AT_MAX: usize = 5_000;

/// The existing file whose name, and then whose path, is nearest to `wanted`. Relative to the workspace.
pub(super) fn file(workspace: &Workspace, wanted: &Path, stop: &CancelFlag) -> Option<PathBuf> {
    let name = wanted.file_name()?.to_string_lossy().into_owned();
    let path = wanted.to_string_lossy();
    let teams = team_dirs(workspace);
    WalkBuilder::new(&workspace.root)
        .require_git(false)
        .filter_entry(move |entry| !teams.iter().any(|dir| entry.path() == dir))
        .build()
        .take(LOOKED_AT_MAX)
        .take_while(|_| !stop.is_set())
        .flatten()
        .filter(|entry| entry.file_type().is_some_and(|kind| kind.is_file()))
        .filter_map(|entry| {
            let near = edit_distance(&name, &entry.file_name().to_string_lossy());
            let found = entry.path().strip_prefix(&workspace.root).ok()?.to_owned();
            (near <= 1 + name.chars().count() / 4).then_some((near, found))
        })
        .min_by_key(|(near, found)| (*near, edit_distance(&path, &found.to_string_lossy())))
        .map(|(_, found)| found)
}
