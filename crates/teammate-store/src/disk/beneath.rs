//! A directory held open, and what is below it: reached by descriptor, through no link in any component.

use std::{
    ffi::OsStr,
    fs::File,
    io,
    os::fd::OwnedFd,
    path::{Component, Path, PathBuf},
};

use rustix::{
    fs::{self, AtFlags, CWD, FileType, Mode, OFlags, Stat},
    io::Errno,
    process::geteuid,
};

use super::{
    owner::owner_of,
    resolve::{PASSAGE, READING, beneath},
    unfit::{Kind, Unfit},
};

/// Opens a file without following a link, without waiting for a pipe's other end, and without taking a terminal.
pub(super) const CAREFUL: OFlags = OFlags::NOFOLLOW
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

pub(super) const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);
const PRIVATE_DIRECTORY: Mode = Mode::RWXU;

/// A directory held open. Whatever is moved or put in its place afterwards, this one is meant.
#[derive(Debug)]
pub(super) struct Root {
    path: PathBuf,
    dir: OwnedFd,
    owner: u32,
}

/// A name in an open directory beneath a root. Whether something has that name is not known.
pub(super) struct Place<'a> {
    pub(super) dir: OwnedFd,
    pub(super) name: &'a OsStr,
    root: &'a Root,
    full: &'a Path,
}

impl Root {
    /// Opens a directory that is there. Only its last component is looked at; what is above is the caller's choice.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let (above, name) = above(path)?;
        let dir = match fs::openat(&above, name, READING | OFlags::NOFOLLOW, Mode::empty()) {
            Ok(dir) => dir,
            Err(why) => {
                directory_expected(&above, name, path)?;
                return Err(why.into());
            }
        };
        let owner = owner_of(&dir, path)?;
        Ok(Self {
            path: path.to_owned(),
            dir,
            owner,
        })
    }

    /// The same, made if it is not there; durable when this returns.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let (above, name) = above(path)?;
        match fs::mkdirat(&above, name, PRIVATE_DIRECTORY) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(why) => return Err(why.into()),
        }
        let root = Self::open(path)?;
        // Also when it was there: whoever made it may have died before it was durable.
        for up in [".", ".."] {
            match fs::openat(&above, up, READING, Mode::empty()) {
                Ok(dir) => fs::fsync(dir)?,
                // A directory that may not be read is not ours to make durable.
                Err(Errno::ACCESS) => {}
                Err(why) => return Err(why.into()),
            }
        }
        Ok(root)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Where a path is. The directories above it must be there, and nobody else's.
    pub(super) fn place<'a>(&'a self, path: &'a Path) -> io::Result<Place<'a>> {
        let relative = self.relative(path)?;
        let Some(name) = relative.file_name() else {
            return Err(self.outside(path).into());
        };
        let dir = self.directory(relative.parent().unwrap_or(Path::new("")), PASSAGE)?;
        Ok(Place {
            dir,
            name,
            root: self,
            full: path,
        })
    }

    /// Opens a directory to list or sync it.
    pub(super) fn reading(&self, path: &Path) -> io::Result<OwnedFd> {
        self.directory(self.relative(path)?, READING)
    }

    /// Makes a directory and those above it.
    pub(super) fn make(&self, path: &Path) -> io::Result<()> {
        let mut dir = self.dir.try_clone()?;
        let mut full = self.path.clone();
        for name in self.relative(path)? {
            full.push(name);
            match fs::mkdirat(&dir, name, PRIVATE_DIRECTORY) {
                Ok(()) | Err(Errno::EXIST) => {}
                Err(why) => return Err(why.into()),
            }
            directory_expected(&dir, name, &full)?;
            dir = fs::openat(&dir, name, PASSAGE | OFlags::NOFOLLOW, Mode::empty())?;
            self.owned(&fs::fstat(&dir)?, &full)?;
        }
        Ok(())
    }

    fn directory(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let dir = match beneath(&self.dir, relative, flags) {
            Ok(dir) => dir,
            Err(why) => {
                self.blame(relative)?;
                return Err(why.into());
            }
        };
        self.owned(&fs::fstat(&dir)?, &self.path.join(relative))?;
        Ok(dir)
    }

    /// Names the first component that is no directory.
    fn blame(&self, relative: &Path) -> io::Result<()> {
        let mut dir = self.dir.try_clone()?;
        let mut full = self.path.clone();
        for name in relative {
            full.push(name);
            directory_expected(&dir, name, &full)?;
            dir = fs::openat(&dir, name, PASSAGE | OFlags::NOFOLLOW, Mode::empty())?;
        }
        Ok(())
    }

    /// The part below the root: plain names only.
    fn relative<'a>(&self, path: &'a Path) -> Result<&'a Path, Unfit> {
        let is_plain = |part: Component| matches!(part, Component::Normal(_));
        path.strip_prefix(&self.path)
            .ok()
            .filter(|relative| relative.components().all(is_plain))
            .ok_or_else(|| self.outside(path))
    }

    fn outside(&self, path: &Path) -> Unfit {
        Unfit::Outside {
            path: path.to_owned(),
            root: self.path.clone(),
        }
    }

    fn owned(&self, stat: &Stat, path: &Path) -> Result<(), Unfit> {
        if stat.st_uid == self.owner {
            return Ok(());
        }
        Err(Unfit::Owner {
            path: path.to_owned(),
            owner: stat.st_uid,
            user: geteuid().as_raw(),
        })
    }
}

impl Place<'_> {
    /// Opens a regular file of the team's owner. Nothing else is opened for longer than it takes to see what it is.
    pub(super) fn open(&self, flags: OFlags) -> io::Result<File> {
        let opened = fs::openat(&self.dir, self.name, flags | CAREFUL, PRIVATE_FILE);
        let file = match opened {
            Ok(file) => file,
            Err(why) => {
                self.expect(Kind::File)?;
                return Err(why.into());
            }
        };
        let stat = fs::fstat(&file)?;
        self.fits(&stat, Kind::File)?;
        Ok(File::from(file))
    }

    /// Whether what is there, if anything, is of that kind and the team's owner's.
    pub(super) fn expect(&self, wanted: Kind) -> io::Result<()> {
        match self.stat() {
            Ok(stat) => Ok(self.fits(&stat, wanted)?),
            Err(Errno::NOENT) => Ok(()),
            Err(why) => Err(why.into()),
        }
    }

    /// What stands there, without following it.
    pub(super) fn stat(&self) -> Result<Stat, Errno> {
        fs::statat(&self.dir, self.name, AtFlags::SYMLINK_NOFOLLOW)
    }

    fn fits(&self, stat: &Stat, wanted: Kind) -> Result<(), Unfit> {
        let found = kind(stat);
        if found != wanted {
            return Err(Unfit::Kind {
                path: self.full.to_owned(),
                found,
                wanted,
            });
        }
        self.root.owned(stat, self.full)
    }
}

pub(super) fn kind(stat: &Stat) -> Kind {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => Kind::Directory,
        FileType::RegularFile => Kind::File,
        FileType::Symlink => Kind::Link,
        FileType::Fifo => Kind::Fifo,
        FileType::Socket => Kind::Socket,
        FileType::CharacterDevice | FileType::BlockDevice => Kind::Device,
        FileType::Unknown => Kind::Unknown,
    }
}

/// The directory above a path, opened, and the path's last component.
fn above(path: &Path) -> io::Result<(OwnedFd, &OsStr)> {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    Ok((fs::openat(CWD, above, PASSAGE, Mode::empty())?, name))
}

/// An error if something stands there that is no directory.
fn directory_expected(dir: &OwnedFd, name: &OsStr, full: &Path) -> io::Result<()> {
    let found = kind(&fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?);
    if found == Kind::Directory {
        return Ok(());
    }
    let path = full.to_owned();
    let wanted = Kind::Directory;
    Err(Unfit::Kind {
        path,
        found,
        wanted,
    }
    .into())
}
