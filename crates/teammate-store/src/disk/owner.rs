//! The owner that the files of a team's directory must have.

use std::{
    ffi::OsString,
    io,
    os::fd::OwnedFd,
    path::Path,
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::{
    fs::{self, AtFlags, OFlags},
    io::Errno,
    process::geteuid,
};

use super::{
    beneath::{CAREFUL, PRIVATE_FILE},
    unfit::UnfitFile,
};

/// The required owner of the directory's files: the user who runs this program, also root. A team's
/// files decide what its members run, so root must not trust another user's.
///
/// Some file systems (FAT, some mounts into containers and virtual machines) give every file the
/// same owner; on those it is that one.
pub(super) fn owner_of(dir: &OwnedFd, path: &Path) -> io::Result<u32> {
    let owner = fs::fstat(dir)?.st_uid;
    let user = geteuid().as_raw();
    if owner == user || owner_of_new_files(dir).is_ok_and(|given| given == owner) {
        return Ok(owner);
    }
    let path = path.to_owned();
    Err(UnfitFile::Owner { path, owner, user }.into())
}

fn owner_of_new_files(dir: &OwnedFd) -> Result<u32, Errno> {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    let name = OsString::from(format!(".owner-{}-{number}.tmp", process::id()));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | CAREFUL;
    let file = fs::openat(dir, &name, flags, PRIVATE_FILE)?;
    let stat = fs::fstat(&file);
    // If it cannot be removed it is an empty file.
    let _ = fs::unlinkat(dir, &name, AtFlags::empty());
    Ok(stat?.st_uid)
}
