//! What stands in the place of names that commands may not make: a mount needs something to stand on.
//!
//! They are empty directories also where a file is expected (`.mcp.json`), because an empty file there confuses programs; a
//! file where a directory would stop them. Removing one can destroy nothing: only empty directories are removed, by `rmdir`,
//! and files that hold nothing but the text that was put there.

use std::{
    os::fd::OwnedFd,
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::{
    fs::{AtFlags, CWD, FlockOperation, fchmod, flock, statat},
    io::Errno,
};

use crate::{
    failure::{Failure, Step as _},
    policy::{Held, Identity},
};

mod stand_in;

pub use stand_in::StandIn;

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
    kind: StandIn,
    /// Locked as shared by every program that relies on it.
    file: OwnedFd,
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
    pub(crate) fn put(&mut self, path: &Path, kind: StandIn) -> Result<Option<Held>, Failure> {
        if !self.paths().any(|made| made == path) {
            match Placeholder::make(path, kind) {
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
    fn make(path: &Path, kind: StandIn) -> Result<Self, Errno> {
        for _ in 0..TRIES {
            match kind.make(path) {
                Ok(()) => {}
                Err(Errno::EXIST) => match statat(CWD, path, AtFlags::SYMLINK_NOFOLLOW) {
                    Ok(found) if kind.is_at(path, &found) => {}
                    // Somebody has just made something there: the next look at the name protects that.
                    Ok(_) => return Err(Errno::EXIST),
                    // Another program has just removed its placeholder.
                    Err(Errno::NOENT) => continue,
                    Err(error) => return Err(error),
                },
                Err(error) => return Err(error),
            }
            match Self::hold(path, kind) {
                // Another program removes it, or has.
                Err(Errno::WOULDBLOCK | Errno::NOENT) => {
                    std::thread::sleep(Duration::from_millis(1));
                }
                done => return done,
            }
        }
        Err(Errno::BUSY)
    }

    fn hold(path: &Path, kind: StandIn) -> Result<Self, Errno> {
        let file = kind.open(path)?;
        flock(&file, FlockOperation::NonBlockingLockShared)?;
        let placeholder = Self {
            path: path.to_owned(),
            kind,
            identity: Identity::from(&rustix::fs::fstat(&file)?),
            file,
        };
        if !placeholder.is_in_place() {
            return Err(Errno::NOENT);
        }
        // Whatever the mask of new files is.
        fchmod(&placeholder.file, kind.mode())?;
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
        if flock(&self.file, FlockOperation::NonBlockingLockExclusive).is_ok() && self.is_in_place()
        {
            let _ = self.kind.remove(&self.path);
        }
    }
}

/// Removes a placeholder that a killed program left. One that somebody holds stays.
pub(crate) fn sweep(path: &Path, kind: StandIn) {
    if let Ok(left) = Placeholder::hold(path, kind) {
        drop(left);
    }
}
