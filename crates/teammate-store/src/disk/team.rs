//! A team's directory as a disk: everything below it is reached from one open descriptor.

use std::{
    fs::File,
    io::{self, Read as _, Write as _},
    os::unix::ffi::OsStrExt as _,
    path::{Path, PathBuf},
    time::Duration,
};

use rustix::fs::{self, AtFlags, Dir, OFlags};
use teammate_core::port::{Disk, DiskFile, DiskLock};

use super::{
    RealFile,
    beneath::{DirEntry, TeamRoot},
    is_held, locked,
    unfit::{FileKind, UnfitFile},
};

/// The directory of a team, held open, as a disk.
///
/// Follows no link in any component. Directories and files must belong to the user who runs the
/// program, and files must be regular; anything else is an [`io::ErrorKind::InvalidInput`] with an
/// [`UnfitFile`] in it. Paths must start with the directory's name as given at the opening; any other
/// path is `InvalidInput`, too.
#[derive(Debug)]
pub struct TeamDisk {
    root: TeamRoot,
    read_max: u64,
}

impl TeamDisk {
    /// The most bytes of a file that are read unless [`TeamDisk::reading_at_most`] says otherwise: 1 GiB.
    pub const READ_MAX: u64 = 1 << 30;

    /// Opens an existing directory. `path` is absolute and resolved, except for its last component, which
    /// must not be a link.
    ///
    /// Errors: [`io::ErrorKind::NotFound`] if there is none; [`UnfitFile`] if it is not a directory or
    /// belongs to another user.
    pub fn open(path: &Path) -> io::Result<Self> {
        Ok(Self::of(TeamRoot::open(path)?))
    }

    /// Like [`TeamDisk::open`], but makes a missing directory. The one above must exist.
    pub fn create(path: &Path) -> io::Result<Self> {
        Ok(Self::of(TeamRoot::create(path)?))
    }

    fn of(root: TeamRoot) -> Self {
        Self {
            root,
            read_max: Self::READ_MAX,
        }
    }

    /// Sets the longest file that is read. A longer one is an [`io::ErrorKind::FileTooLarge`] with
    /// [`UnfitFile::TooLong`] in it, before anything is read.
    #[must_use]
    pub fn reading_at_most(self, bytes: u64) -> Self {
        Self {
            read_max: bytes,
            ..self
        }
    }

    /// The directory's path, as it was given.
    pub fn path(&self) -> &Path {
        self.root.path()
    }

    /// Checks that `path`, if it exists, has the wanted kind and the right owner.
    ///
    /// Errors: [`UnfitFile`].
    pub fn expect(&self, path: &Path, wanted: FileKind) -> io::Result<()> {
        match self.root.place(path) {
            Ok(place) => place.expect(wanted),
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
            Err(error) => Err(error),
        }
    }

    fn open_file(&self, path: &Path, flags: OFlags) -> io::Result<Box<dyn DiskFile>> {
        let file = self.root.place(path)?.open(flags)?;
        Ok(Box::new(TeamFile {
            file: RealFile(file),
            limit: self.limit(path),
        }))
    }

    fn limit(&self, path: &Path) -> ReadLimit {
        ReadLimit {
            path: path.to_owned(),
            max: self.read_max,
        }
    }
}

impl Disk for TeamDisk {
    fn open_append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.open_file(path, OFlags::RDWR | OFlags::APPEND | OFlags::CREATE)
    }

    fn open_read(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.open_file(path, OFlags::RDONLY)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let file = self.root.place(path)?.open(OFlags::RDONLY)?;
        let limit = self.limit(path);
        limit.check(file.metadata()?.len())?;
        let mut bytes = Vec::new();
        // It may grow meanwhile.
        (&file)
            .take(limit.max.saturating_add(1))
            .read_to_end(&mut bytes)?;
        limit.check(bytes.len() as u64)?;
        Ok(bytes)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let flags = OFlags::WRONLY | OFlags::CREATE;
        let mut file = self.root.place(path)?.open(flags)?;
        // Not when opening: the owner is not checked yet.
        file.set_len(0)?;
        file.write_all(bytes)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        self.root.place(path)?.open(OFlags::RDONLY)?.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let (from, to) = (self.root.place(from)?, self.root.place(to)?);
        Ok(fs::renameat(&from.dir, from.name, &to.dir, to.name)?)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        let place = self.root.place(path)?;
        Ok(fs::unlinkat(&place.dir, place.name, AtFlags::empty())?)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.root.make(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        Ok(fs::fsync(self.root.reading(path)?)?)
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let dir = match self.root.reading(path) {
            Ok(dir) => dir,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut paths = Vec::new();
        for entry in Dir::new(dir)? {
            let entry = entry?;
            let name = entry.file_name().to_bytes();
            if name != b"." && name != b".." {
                paths.push(path.join(std::ffi::OsStr::from_bytes(name)));
            }
        }
        paths.sort();
        Ok(paths)
    }

    fn exists(&self, path: &Path) -> bool {
        if path == self.root.path() {
            return true;
        }
        self.root
            .place(path)
            .is_ok_and(|place| place.stat().is_ok())
    }

    fn lock(&self, path: &Path, wait: Duration) -> io::Result<Box<dyn DiskLock>> {
        locked(wait, || {
            let place = self.root.place(path)?;
            let file = place.open(OFlags::RDWR | OFlags::CREATE)?;
            Ok((file, move |file: &File| is_same_file(file, &place)))
        })
    }

    fn is_locked(&self, path: &Path) -> io::Result<bool> {
        is_held(&self.root.place(path)?.open(OFlags::RDONLY)?)
    }

    fn wait_unlocked(&self, path: &Path) -> io::Result<()> {
        self.root.place(path)?.open(OFlags::RDONLY)?.lock_shared()
    }
}

fn is_same_file(file: &File, place: &DirEntry<'_>) -> bool {
    match (fs::fstat(file), place.stat()) {
        (Ok(held), Ok(named)) => (held.st_dev, held.st_ino) == (named.st_dev, named.st_ino),
        (Ok(_), Err(_)) | (Err(_), _) => false,
    }
}

/// The longest file that may be read.
struct ReadLimit {
    path: PathBuf,
    max: u64,
}

impl ReadLimit {
    fn check(&self, size: u64) -> Result<(), UnfitFile> {
        if size <= self.max {
            return Ok(());
        }
        Err(UnfitFile::TooLong {
            path: self.path.clone(),
            size,
            max: self.max,
        })
    }
}

/// An open file of a team. One that is too long can still be appended to.
struct TeamFile {
    file: RealFile,
    limit: ReadLimit,
}

impl DiskFile for TeamFile {
    fn len(&self) -> io::Result<u64> {
        self.file.len()
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.limit.check(self.file.len()?)?;
        self.file.read_at(offset, buffer)
    }

    fn read_from(&mut self, offset: u64) -> io::Result<Vec<u8>> {
        self.limit.check(self.file.len()?)?;
        self.file.read_from(offset)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.file.append(bytes)
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.file.truncate(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.file.sync()
    }
}
