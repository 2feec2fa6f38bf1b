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
    unfit::{FileKind, UnfitFile, opening},
};

/// Opens a file without following a link, without waiting for a pipe's other end, and without taking a terminal.
pub(super) const CAREFUL: OFlags = OFlags::NOFOLLOW
    .union(OFlags::NONBLOCK)
    .union(OFlags::NOCTTY)
    .union(OFlags::CLOEXEC);

pub(super) const PRIVATE_FILE: Mode = Mode::RUSR.union(Mode::WUSR);
const PRIVATE_DIRECTORY: Mode = Mode::RWXU;

/// A directory held open. Later moves or replacements of its path do not matter.
#[derive(Debug)]
pub(super) struct TeamRoot {
    path: PathBuf,
    dir: OwnedFd,
    owner: u32,
}

/// A name in an open directory below a root; nothing may have that name.
pub(super) struct DirEntry<'a> {
    pub(super) dir: OwnedFd,
    pub(super) name: &'a OsStr,
    root: &'a TeamRoot,
    full: &'a Path,
}

impl TeamRoot {
    /// Opens an existing directory. Checks only the last component; the path above is the caller's.
    pub(super) fn open(path: &Path) -> io::Result<Self> {
        let (above, name) = above(path)?;
        let dir = match fs::openat(&above, name, READING | OFlags::NOFOLLOW, Mode::empty()) {
            Ok(dir) => dir,
            Err(why) => {
                directory_expected(&above, name, path)?;
                return Err(opening(path, why));
            }
        };
        let owner = owner_of(&dir, path)?;
        Ok(Self {
            path: path.to_owned(),
            dir,
            owner,
        })
    }

    /// Like [`TeamRoot::open`], but makes a missing directory, durably.
    pub(super) fn create(path: &Path) -> io::Result<Self> {
        let (above, name) = above(path)?;
        match fs::mkdirat(&above, name, PRIVATE_DIRECTORY) {
            Ok(()) | Err(Errno::EXIST) => {}
            Err(why) => return Err(why.into()),
        }
        let root = Self::open(path)?;
        // Sync also if it existed: the process that made it may have died before its sync.
        for up in [".", ".."] {
            match fs::openat(&above, up, READING, Mode::empty()) {
                Ok(dir) => fs::fsync(dir)?,
                // A directory that we may not read is not ours to sync.
                Err(Errno::ACCESS) => {}
                Err(why) => return Err(why.into()),
            }
        }
        Ok(root)
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Resolves a path. The directories above it must exist and have the right owner.
    pub(super) fn place<'a>(&'a self, path: &'a Path) -> io::Result<DirEntry<'a>> {
        let relative = self.relative(path)?;
        let Some(name) = relative.file_name() else {
            return Err(self.outside_error(path).into());
        };
        let dir = self.directory(relative.parent().unwrap_or(Path::new("")), PASSAGE)?;
        Ok(DirEntry {
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
            let opened = fs::openat(&dir, name, PASSAGE | OFlags::NOFOLLOW, Mode::empty());
            dir = opened.map_err(|why| opening(&full, why))?;
            self.owned(&fs::fstat(&dir)?, &full)?;
        }
        Ok(())
    }

    fn directory(&self, relative: &Path, flags: OFlags) -> io::Result<OwnedFd> {
        let dir = match beneath(&self.dir, relative, flags) {
            Ok(dir) => dir,
            Err(why) => {
                self.find_non_directory(relative)?;
                return Err(opening(&self.path.join(relative), why));
            }
        };
        self.owned(&fs::fstat(&dir)?, &self.path.join(relative))?;
        Ok(dir)
    }

    /// Names the first component that is no directory.
    fn find_non_directory(&self, relative: &Path) -> io::Result<()> {
        let mut dir = self.dir.try_clone()?;
        let mut full = self.path.clone();
        for name in relative {
            full.push(name);
            directory_expected(&dir, name, &full)?;
            let opened = fs::openat(&dir, name, PASSAGE | OFlags::NOFOLLOW, Mode::empty());
            dir = opened.map_err(|why| opening(&full, why))?;
        }
        Ok(())
    }

    /// The part of a path below the root: plain names only.
    fn relative<'a>(&self, path: &'a Path) -> Result<&'a Path, UnfitFile> {
        let is_plain = |part: Component| matches!(part, Component::Normal(_));
        path.strip_prefix(&self.path)
            .ok()
            .filter(|relative| relative.components().all(is_plain))
            .ok_or_else(|| self.outside_error(path))
    }

    fn outside_error(&self, path: &Path) -> UnfitFile {
        UnfitFile::Outside {
            path: path.to_owned(),
            root: self.path.clone(),
        }
    }

    fn owned(&self, stat: &Stat, path: &Path) -> Result<(), UnfitFile> {
        if stat.st_uid == self.owner {
            return Ok(());
        }
        Err(UnfitFile::Owner {
            path: path.to_owned(),
            owner: stat.st_uid,
            user: geteuid().as_raw(),
        })
    }
}

impl DirEntry<'_> {
    /// Opens a regular file with the right owner. Anything else is closed as soon as it is recognised.
    pub(super) fn open(&self, flags: OFlags) -> io::Result<File> {
        let opened = fs::openat(&self.dir, self.name, flags | CAREFUL, PRIVATE_FILE);
        let file = match opened {
            Ok(file) => file,
            Err(why) => {
                self.expect(FileKind::File)?;
                return Err(opening(self.full, why));
            }
        };
        let stat = fs::fstat(&file)?;
        self.fits(&stat, FileKind::File)?;
        Ok(File::from(file))
    }

    /// Checks that an existing file has the right kind and owner.
    pub(super) fn expect(&self, wanted: FileKind) -> io::Result<()> {
        match self.stat() {
            Ok(stat) => Ok(self.fits(&stat, wanted)?),
            Err(Errno::NOENT) => Ok(()),
            Err(why) => Err(why.into()),
        }
    }

    /// The file's metadata, without following a link.
    pub(super) fn stat(&self) -> Result<Stat, Errno> {
        fs::statat(&self.dir, self.name, AtFlags::SYMLINK_NOFOLLOW)
    }

    fn fits(&self, stat: &Stat, wanted: FileKind) -> Result<(), UnfitFile> {
        let found = kind(stat);
        if found != wanted {
            return Err(UnfitFile::Kind {
                path: self.full.to_owned(),
                found,
                wanted,
            });
        }
        self.root.owned(stat, self.full)
    }
}

pub(super) fn kind(stat: &Stat) -> FileKind {
    match FileType::from_raw_mode(stat.st_mode) {
        FileType::Directory => FileKind::Directory,
        FileType::RegularFile => FileKind::File,
        FileType::Symlink => FileKind::Link,
        FileType::Fifo => FileKind::Fifo,
        FileType::Socket => FileKind::Socket,
        FileType::CharacterDevice | FileType::BlockDevice => FileKind::Device,
        FileType::Unknown => FileKind::Unknown,
    }
}

/// The directory above a path, opened, and the path's last component.
fn above(path: &Path) -> io::Result<(OwnedFd, &OsStr)> {
    let (Some(above), Some(name)) = (path.parent(), path.file_name()) else {
        return Err(io::ErrorKind::InvalidInput.into());
    };
    Ok((fs::openat(CWD, above, PASSAGE, Mode::empty())?, name))
}

/// An error if the name exists and is no directory.
fn directory_expected(dir: &OwnedFd, name: &OsStr, full: &Path) -> io::Result<()> {
    let found = kind(&fs::statat(dir, name, AtFlags::SYMLINK_NOFOLLOW)?);
    if found == FileKind::Directory {
        return Ok(());
    }
    let path = full.to_owned();
    let wanted = FileKind::Directory;
    Err(UnfitFile::Kind {
        path,
        found,
        wanted,
    }
    .into())
}
