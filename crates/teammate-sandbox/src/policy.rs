//! The view's policy: what commands may see and change.

use std::{
    ffi::OsString,
    io,
    os::fd::{AsFd, BorrowedFd, OwnedFd},
    path::{Path, PathBuf},
};

use rustix::fs::{AtFlags, Mode, OFlags, fstat, statat};
use serde::{Deserialize, Serialize};

use crate::failure::{Failure, Step as _};

/// Directories of the machine for which a member's commands see [`Place::tmp`](crate::Place::tmp).
pub const TMP_DIRS: [&str; 2] = ["/tmp", "/var/tmp"];

/// Directories of the machine that commands do not see: sockets and files of other programs.
pub(crate) const PRIVATE: [&str; 3] = ["/run", TMP_DIRS[0], TMP_DIRS[1]];

/// The sight of a command of the file system. Everything that is not named is there and read-only.
#[derive(Debug, Default)]
pub struct Policy {
    /// Trees that commands write in.
    pub writable: Vec<Held>,
    /// The private directory that commands see as `/tmp` and `/var/tmp`.
    pub tmp: Option<Held>,
    /// Below a writable tree, but read-only, and not to be renamed or removed.
    pub protected: Vec<Held>,
    /// Directories whose content, and files which nobody sees.
    pub hidden: Vec<Held>,
    /// Unix sockets of other programs, to which commands do not connect. Their programs put others in their place at any
    /// time, so what is there when the view is made is covered.
    pub sockets: Vec<Held>,
    /// Directories that stay visible below a hidden one, read-only. Writable trees may stand in them, or in what is hidden.
    pub shown: Vec<Held>,
    /// The user's home directory: commands see what it held when the view was made, and new files there are private.
    pub home: Option<Held>,
    /// Whether all else is there as it is, also `/tmp` and the home directory, but read-only.
    pub shows_all: bool,
    /// Whether commands have networks of their own, with a name server of their own.
    pub has_own_network: bool,
}

/// A file or directory, held open since somebody decided about it: whatever is put in its place later is another one.
#[derive(Debug)]
pub struct Held {
    path: PathBuf,
    file: OwnedFd,
    identity: Identity,
}

/// Which file it is, whatever it is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Identity {
    device: u64,
    inode: u64,
}

impl Held {
    /// Holds what is at this path. Links are followed once, here.
    pub fn open(path: &Path) -> io::Result<Self> {
        Self::at(path.canonicalize()?)
    }

    /// Holds what is at this absolute path, above which there are no links: also a link itself.
    pub(crate) fn at(path: PathBuf) -> io::Result<Self> {
        let flags = OFlags::PATH | OFlags::NOFOLLOW | OFlags::CLOEXEC;
        let file = rustix::fs::open(&path, flags, Mode::empty())?;
        let identity = Identity::of(&file)?;
        Ok(Self {
            path,
            file,
            identity,
        })
    }

    /// The path it was held at, without links.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Whether the path still leads to the file that is held.
    pub fn is_in_place(&self) -> bool {
        statat(rustix::fs::CWD, &self.path, AtFlags::SYMLINK_NOFOLLOW)
            .is_ok_and(|found| Identity::from(&found) == self.identity)
    }

    fn sent(&self) -> Expected {
        Expected {
            path: self.path.clone().into_os_string(),
            identity: self.identity,
        }
    }
}

impl AsFd for Held {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.file.as_fd()
    }
}

impl Identity {
    pub(crate) fn of(file: impl AsFd) -> io::Result<Self> {
        Ok(Self::from(&fstat(file)?))
    }
}

impl From<&rustix::fs::Stat> for Identity {
    fn from(found: &rustix::fs::Stat) -> Self {
        Self {
            device: found.st_dev,
            inode: found.st_ino,
        }
    }
}

impl Policy {
    /// The path of a file that is not the one any more that was decided about: a wall would stand beside it.
    pub fn moved(&self) -> Option<&Path> {
        self.all().find(|held| !held.is_in_place()).map(Held::path)
    }

    /// Whether a view that was made by this policy shows what the next command should see.
    pub(crate) fn is_current(&self) -> bool {
        self.moved().is_none() && self.sockets.iter().all(Held::is_in_place)
    }

    /// Leaves out paths that stand in a list twice, or are both protected and hidden, as `.claude` is where the workspace is the
    /// home directory: what covers a path the first time would be taken for another file. What is hidden cannot be changed either.
    pub(crate) fn drop_repeated(&mut self) {
        let hidden = &self.hidden;
        let is_hidden = |held: &Held| hidden.iter().any(|hidden| hidden.path == held.path);
        self.protected.retain(|held| !is_hidden(held));
        for list in [
            &mut self.writable,
            &mut self.protected,
            &mut self.hidden,
            &mut self.shown,
        ] {
            drop_repeated(list);
        }
    }

    /// Whether commands would connect to a socket at this path, which has no links in it. They do where they work, if they
    /// share the machine's network: their own sockets are there.
    pub(crate) fn lets_reach(&self, socket: &Path) -> bool {
        // What the home directory has at its top is left out there.
        let is_left_out = |home: &Held| socket.parent() == Some(home.path());
        if self.home.as_ref().is_some_and(is_left_out) {
            return false;
        }
        let lists = [
            (&self.hidden, false),
            (&self.shown, true),
            (&self.writable, self.has_own_network),
        ];
        let trees = lists
            .into_iter()
            .flat_map(|(list, is_seen)| list.iter().map(move |held| (held.path(), is_seen)))
            .chain(PRIVATE.map(|dir| (Path::new(dir), false)));
        trees
            .filter(|(tree, _)| socket.starts_with(tree))
            .max_by_key(|(tree, _)| tree.components().count())
            .is_none_or(|(_, is_seen)| is_seen)
    }

    fn all(&self) -> impl Iterator<Item = &Held> {
        let lists = [&self.writable, &self.protected, &self.hidden, &self.shown];
        lists
            .into_iter()
            .flatten()
            .chain(self.tmp.as_ref())
            .chain(self.home.as_ref())
    }

    pub(crate) fn sent(&self) -> ViewPlan {
        let list = |held: &[Held]| held.iter().map(Held::sent).collect();
        ViewPlan {
            writable: list(&self.writable),
            tmp: self.tmp.as_ref().map(Held::sent),
            protected: list(&self.protected),
            hidden: list(&self.hidden),
            sockets: (self.sockets.iter())
                .map(|held| held.path.clone().into_os_string())
                .collect(),
            shown: list(&self.shown),
            home: self.home.as_ref().map(Held::sent),
            shows_all: self.shows_all,
            has_own_network: self.has_own_network,
        }
    }
}

/// Puts a list in order, with each path once.
pub(crate) fn drop_repeated(list: &mut Vec<Held>) {
    list.sort_by(|one, other| one.path.cmp(&other.path));
    list.dedup_by(|one, other| one.path == other.path);
}

/// The policy as the view reads it.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct ViewPlan {
    pub(crate) writable: Vec<Expected>,
    pub(crate) tmp: Option<Expected>,
    pub(crate) protected: Vec<Expected>,
    pub(crate) hidden: Vec<Expected>,
    pub(crate) sockets: Vec<OsString>,
    pub(crate) shown: Vec<Expected>,
    pub(crate) home: Option<Expected>,
    pub(crate) shows_all: bool,
    pub(crate) has_own_network: bool,
}

/// A path and which file must be there.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Expected {
    path: OsString,
    identity: Identity,
}

impl Expected {
    pub(crate) fn path(&self) -> &Path {
        Path::new(&self.path)
    }

    /// Refuses a file that is not the one.
    pub(crate) fn check(&self, file: impl AsFd) -> Result<(), Failure> {
        let found = Identity::of(file).step_at("look at", self.path())?;
        if found == self.identity {
            Ok(())
        } else {
            Err(Failure::new(
                format!("hold {}", self.path().display()),
                "something else is there now",
            ))
        }
    }
}
