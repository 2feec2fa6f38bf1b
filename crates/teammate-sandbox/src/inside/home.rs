//! The user's home directory as commands see it: what it holds, read-only, in a private directory. What is hidden is not
//! there; new files are private to the view.

use std::{
    ffi::OsString,
    fs, io,
    os::{
        fd::{AsFd as _, OwnedFd},
        unix::fs::symlink,
    },
    path::{Path, PathBuf},
};

use super::{
    mounts::{self, NO_DEVICES, NO_SETUID, READ_ONLY},
    sys,
};
use crate::{
    failure::{Failure, Step as _},
    policy::Expected,
};

/// How much commands may write there: caches and dot files.
const SIZE: &str = "256m";

/// What the home directory held, taken before it is covered.
pub(super) struct Home {
    path: PathBuf,
    entries: Vec<(OsString, Entry)>,
}

enum Entry {
    Link(PathBuf),
    Mount { mount: OwnedFd, is_dir: bool },
}

impl Home {
    /// Sockets and pipes are left out: who is behind them is outside.
    pub(super) fn take(home: &Expected, hidden: &[Expected]) -> Result<Self, Failure> {
        let path = home.path().to_owned();
        let place = mounts::find(&path).step_at("find", &path)?;
        home.check(place)?;
        let mut entries = Vec::new();
        for found in fs::read_dir(&path).step_at("list", &path)? {
            let found = found.step_at("list", &path)?;
            let full = found.path();
            if hidden.iter().any(|hidden| hidden.path() == full) {
                continue;
            }
            match Entry::take(&full) {
                Ok(Some(entry)) => entries.push((found.file_name(), entry)),
                Ok(None) => {}
                // It has just been removed.
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(error).step_at("take", &full),
            }
        }
        Ok(Self { path, entries })
    }

    pub(super) fn put(self) -> Result<(), Failure> {
        let path = self.path.clone();
        self.try_put().step_at("make private", &path)
    }

    fn try_put(self) -> io::Result<()> {
        let options = [("mode", "700"), ("size", SIZE)];
        let mount = mounts::new("tmpfs", &options, NO_SETUID | NO_DEVICES)?;
        mounts::put_at(mount, &self.path, true)?;
        for (name, entry) in self.entries {
            let full = self.path.join(name);
            match entry {
                Entry::Link(target) => symlink(target, full)?,
                Entry::Mount { mount, is_dir } => mounts::put_at(mount, &full, is_dir)?,
            }
        }
        Ok(())
    }
}

impl Entry {
    fn take(path: &Path) -> io::Result<Option<Self>> {
        let kind = fs::symlink_metadata(path)?.file_type();
        if kind.is_symlink() {
            return Ok(Some(Self::Link(fs::read_link(path)?)));
        }
        if !kind.is_dir() && !kind.is_file() {
            return Ok(None);
        }
        let mount = mounts::copy(mounts::find(path)?.as_fd())?;
        sys::set_mount_attributes(mount.as_fd(), READ_ONLY | NO_SETUID | NO_DEVICES)?;
        let is_dir = kind.is_dir();
        Ok(Some(Self::Mount { mount, is_dir }))
    }
}
