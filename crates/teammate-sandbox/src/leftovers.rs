//! Removes what earlier versions of the program left in a workspace when they were killed: empty, read-only directories at guarded
//! names, on which walls stood. Nothing else looks like them, and nothing that holds anything is removed.

use std::{fs, os::unix::fs::PermissionsExt as _, path::Path};

use rustix::fs::{FlockOperation, flock};

use crate::{place::Place, rules::PROTECTED};

/// The words of an earlier version in the repository's file `commondir`, which change nothing for git.
const COMMON_DIR: &str = "./\n";

pub(crate) fn remove(place: &Place) {
    for name in PROTECTED {
        let path = place.root.join(name);
        if has_mode(&path, 0o555) && is_free(&path) {
            // Only if it is an empty directory.
            let _ = fs::remove_dir(&path);
        }
    }
    let common = place.root.join(".git/commondir");
    let is_ours =
        has_mode(&common, 0o444) && fs::read_to_string(&common).is_ok_and(|it| it == COMMON_DIR);
    if is_ours && is_free(&common) {
        let _ = fs::remove_file(common);
    }
}

fn has_mode(path: &Path, mode: u32) -> bool {
    fs::symlink_metadata(path)
        .is_ok_and(|found| !found.is_symlink() && found.permissions().mode() & 0o7777 == mode)
}

/// Whether no program of an earlier version relies on it.
fn is_free(path: &Path) -> bool {
    fs::File::open(path)
        .is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok())
}
