//! Empty directories in the place of names that commands may not make: a mount needs something to stand on.
//!
//! They are directories also where a file is expected (`.mcp.json`), because an empty file there confuses programs. Removing one
//! can destroy nothing: only empty directories are removed, by `rmdir`.

use std::{
    os::fd::{AsFd as _, OwnedFd},
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::{
    fs::{
        AtFlags, CWD, FileType, FlockOperation, Mode, OFlags, RawDir, Stat, fchmod, flock, mkdirat,
        openat, statat, unlinkat,
    },
    io::Errno,
};

use crate::{
    failure::{Failure, Step as _},
    policy::{Held, Identity},
};

/// What distinguishes a placeholder from other directories: nobody writes in it, and nothing is in it.
const MODE: u32 = 0o555;
/// How often a placeholder is tried that another program removes at the same moment.
const TRIES: u32 = 100;

/// The placeholders of one workspace. Dropped, it removes those that no other program holds.
#[derive(Debug, Default)]
pub struct Placeholders {
    made: Vec<Placeholder>,
}

#[derive(Debug)]
struct Placeholder {
    path: PathBuf,
    /// Locked as shared by every program that relies on it.
    directory: OwnedFd,
    identity: Identity,
}

impl Placeholders {
    /// False when one was removed: commands could make the name, and a view that stands on it is of no use. Then drop these,
    /// protect again and make a new view.
    pub fn are_in_place(&self) -> bool {
        self.made.iter().all(Placeholder::is_in_place)
    }

    /// Their paths.
    pub fn paths(&self) -> impl Iterator<Item = &Path> {
        self.made
            .iter()
            .map(|placeholder| placeholder.path.as_path())
    }

    /// Puts one at an absolute path without links. `None` where we may not write: commands, which are no other user, may not
    /// either.
    pub(crate) fn put(&mut self, path: &Path) -> Result<Option<Held>, Failure> {
        if !self.paths().any(|made| made == path) {
            match Placeholder::make(path) {
                Ok(made) => self.made.push(made),
                Err(Errno::ACCESS | Errno::PERM | Errno::ROFS) => return Ok(None),
                Err(error) => return Err(error).step_at("hold the absent name", path),
            }
        }
        let held = Held::at(path.to_owned()).step_at("hold the absent name", path)?;
        Ok(Some(held))
    }
}

impl Placeholder {
    fn make(path: &Path) -> Result<Self, Errno> {
        for _ in 0..TRIES {
            match mkdirat(CWD, path, Mode::from_raw_mode(MODE)) {
                Ok(()) => {}
                Err(Errno::EXIST) => match look_at(path) {
                    Ok(Stands::Placeholder) => {}
                    // Somebody has just made something there: the next look at the name protects that.
                    Ok(Stands::Other) => return Err(Errno::EXIST),
                    // Another program has just removed its placeholder.
                    Err(Errno::NOENT) => continue,
                    Err(error) => return Err(error),
                },
                Err(error) => return Err(error),
            }
            match Self::hold(path) {
                // Another program removes it, or has.
                Err(Errno::WOULDBLOCK | Errno::NOENT) => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                done => return done,
            }
        }
        Err(Errno::BUSY)
    }

    fn hold(path: &Path) -> Result<Self, Errno> {
        let directory = open(path)?;
        flock(&directory, FlockOperation::NonBlockingLockShared)?;
        let placeholder = Self {
            path: path.to_owned(),
            identity: Identity::from(&rustix::fs::fstat(&directory)?),
            directory,
        };
        if !placeholder.is_in_place() {
            return Err(Errno::NOENT);
        }
        // Whatever the mask of new files is.
        fchmod(&placeholder.directory, Mode::from_raw_mode(MODE))?;
        Ok(placeholder)
    }

    fn is_in_place(&self) -> bool {
        statat(CWD, &self.path, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|found| Identity::from(&found) == self.identity)
    }
}

impl Drop for Placeholder {
    fn drop(&mut self) {
        // If another program holds it, the last one removes it.
        if flock(&self.directory, FlockOperation::NonBlockingLockExclusive).is_ok()
            && self.is_in_place()
        {
            let _ = unlinkat(CWD, &self.path, AtFlags::REMOVEDIR);
        }
    }
}

/// Removes a placeholder that a killed program left. One that somebody holds stays.
pub(crate) fn sweep(path: &Path) {
    if let Ok(left) = Placeholder::hold(path) {
        drop(left);
    }
}

/// What stands in the place of an absent name.
enum Stands {
    Placeholder,
    Other,
}

fn look_at(path: &Path) -> Result<Stands, Errno> {
    let found = statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW)?;
    Ok(if looks_like_placeholder(&found) && is_empty(path)? {
        Stands::Placeholder
    } else {
        Stands::Other
    })
}

/// Whether what stands at a path, with this status, is a placeholder.
pub(crate) fn is_placeholder(path: &Path, found: &Stat) -> bool {
    looks_like_placeholder(found) && is_empty(path).unwrap_or_default()
}

fn looks_like_placeholder(found: &Stat) -> bool {
    FileType::from_raw_mode(found.st_mode) == FileType::Directory && found.st_mode & 0o7777 == MODE
}

fn is_empty(path: &Path) -> Result<bool, Errno> {
    let directory = open(path)?;
    let mut space = Vec::with_capacity(4096);
    let mut entries = RawDir::new(directory.as_fd(), space.spare_capacity_mut());
    while let Some(entry) = entries.next() {
        let entry = entry?;
        if entry.file_name() != c"." && entry.file_name() != c".." {
            return Ok(false);
        }
    }
    Ok(true)
}

fn open(path: &Path) -> Result<OwnedFd, Errno> {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    openat(CWD, path, flags, Mode::empty())
}
