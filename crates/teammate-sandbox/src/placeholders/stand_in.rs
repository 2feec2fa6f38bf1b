//! What a placeholder is: an empty directory, or a file with a certain text. Making, recognising and removing one.

use std::{
    ffi::OsString,
    fs,
    io::{Read as _, Write as _},
    os::fd::{AsFd as _, OwnedFd},
    path::Path,
    sync::atomic::{AtomicU32, Ordering},
};

use rustix::{
    fs::{
        AtFlags, CWD, FileType, Mode, OFlags, RawDir, RenameFlags, Stat, mkdirat, openat, renameat,
        renameat_with, unlinkat,
    },
    io::Errno,
};

/// What stands in the place of an absent name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum StandIn {
    /// An empty directory.
    Directory,
    /// A file with this text, where a directory would stop programs. The text changes nothing for them.
    File(&'static str),
}

impl StandIn {
    /// Its mode distinguishes it from what others make: nobody writes in it.
    pub(super) fn mode(self) -> Mode {
        Mode::from_raw_mode(match self {
            Self::Directory => 0o555,
            Self::File(_) => 0o444,
        })
    }

    /// Makes it whole, or not.
    pub(super) fn make(self, path: &Path) -> Result<(), Errno> {
        match self {
            Self::Directory => mkdirat(CWD, path, self.mode()),
            Self::File(text) => make_file(path, text, self.mode()),
        }
    }

    /// Whether it stands at a path that has this status.
    pub(crate) fn is_at(self, path: &Path, found: &Stat) -> bool {
        if found.st_mode & 0o7777 != self.mode().as_raw_mode() {
            return false;
        }
        match (self, FileType::from_raw_mode(found.st_mode)) {
            (Self::Directory, FileType::Directory) => self.is_empty(path).unwrap_or_default(),
            (Self::File(text), FileType::RegularFile) => self.holds(path, text),
            _ => false,
        }
    }

    fn holds(self, path: &Path, text: &str) -> bool {
        let Ok(file) = self.open(path) else {
            return false;
        };
        let mut found = Vec::new();
        // One byte more than the text would show that there is more.
        let limit = text.len() as u64 + 1;
        let read = fs::File::from(file).take(limit).read_to_end(&mut found);
        read.is_ok() && found == text.as_bytes()
    }

    fn is_empty(self, path: &Path) -> Result<bool, Errno> {
        let directory = self.open(path)?;
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

    pub(super) fn open(self, path: &Path) -> Result<OwnedFd, Errno> {
        let kind = match self {
            Self::Directory => OFlags::DIRECTORY,
            Self::File(_) => OFlags::NONBLOCK,
        };
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::CLOEXEC | kind;
        openat(CWD, path, flags, Mode::empty())
    }

    pub(super) fn remove(self, path: &Path) -> Result<(), Errno> {
        let flags = match self {
            Self::Directory => AtFlags::REMOVEDIR,
            Self::File(_) => AtFlags::empty(),
        };
        unlinkat(CWD, path, flags)
    }
}

/// Nobody ever finds the name with half of the text.
fn make_file(path: &Path, text: &str, mode: Mode) -> Result<(), Errno> {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    let mut draft = OsString::from(path);
    let number = NEXT.fetch_add(1, Ordering::Relaxed);
    draft.push(format!(".{}-{number}", std::process::id()));
    let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    let file = openat(CWD, &draft, flags, mode)?;
    let put = || {
        fs::File::from(file)
            .write_all(text.as_bytes())
            .map_err(|error| Errno::from_io_error(&error).unwrap_or(Errno::IO))?;
        match renameat_with(CWD, &draft, CWD, path, RenameFlags::NOREPLACE) {
            // Some file systems cannot tell. What decides here has just seen that the name is free.
            Err(Errno::INVAL | Errno::NOSYS) => renameat(CWD, &draft, CWD, path),
            renamed => renamed,
        }
    };
    let made = put();
    if made.is_err() {
        // It was ours alone; a leftover would decide nothing.
        let _ = unlinkat(CWD, &draft, AtFlags::empty());
    }
    made
}
