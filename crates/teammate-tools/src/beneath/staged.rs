//! A file's new content, written beside it and then renamed over it: readers see the old or the new, never a part.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Write as _},
    os::fd::OwnedFd,
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::{
    fs::{self, AtFlags, FileType, Mode, OFlags},
    io::Errno,
};

/// Content that waits beside its place. Dropped without [`Staged::commit`], it goes away.
#[derive(Debug)]
pub(crate) struct Staged {
    dir: OwnedFd,
    beside: OsString,
    name: OsString,
    /// How long what it replaces is; nothing if there was nothing.
    replaces: Option<u64>,
    is_committed: bool,
}

impl Staged {
    /// Writes `content` into a new file in `dir`, with the permission bits of the file `name` if there is one.
    pub(super) fn write(dir: OwnedFd, name: &OsStr, content: &[u8]) -> io::Result<Self> {
        let old = match fs::statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(old) => Some(old),
            Err(Errno::NOENT) => None,
            Err(why) => return Err(why.into()),
        };
        let old_bits = old
            .map(|old| writable(old.st_mode).map(|bits| (bits, old.st_size)))
            .transpose()?;
        let beside = unused_name();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = fs::openat(&dir, &beside, flags, Mode::from_raw_mode(0o666))?;
        // From here on a failure takes the new file away again.
        let staged = Self {
            dir,
            beside,
            name: name.to_owned(),
            replaces: old_bits.map(|(_, size)| u64::try_from(size).unwrap_or(0)),
            is_committed: false,
        };
        if let Some((bits, _)) = old_bits {
            fs::fchmod(&file, bits)?;
        }
        File::from(file).write_all(content)?;
        Ok(staged)
    }

    /// How many bytes the replaced file has, if there is one.
    pub(crate) fn replaces(&self) -> Option<u64> {
        self.replaces
    }

    /// Puts the content in its place.
    pub(crate) fn commit(mut self) -> io::Result<()> {
        fs::renameat(&self.dir, &self.beside, &self.dir, &self.name)?;
        self.is_committed = true;
        Ok(())
    }
}

impl Drop for Staged {
    fn drop(&mut self) {
        if !self.is_committed {
            // Nothing better can be done about it than to leave the file.
            let _ = fs::unlinkat(&self.dir, &self.beside, AtFlags::empty());
        }
    }
}

/// The permission bits of a file that may be replaced.
fn writable(mode: fs::RawMode) -> io::Result<Mode> {
    let refused = |why: &str| Err(io::Error::other(why.to_owned()));
    match FileType::from_raw_mode(mode) {
        FileType::RegularFile if mode & 0o222 == 0 => {
            refused("the file is read-only; make it writable with chmod first")
        }
        FileType::RegularFile => Ok(Mode::from_raw_mode(mode & 0o777)),
        FileType::Directory => refused("it is a directory; give the path of a file"),
        FileType::Symlink => refused("it has become a link in the meantime"),
        _ => refused("it is not a regular file"),
    }
}

fn unused_name() -> OsString {
    static COUNT: AtomicU64 = AtomicU64::new(0);
    let number = COUNT.fetch_add(1, Ordering::Relaxed);
    format!(".teammate-{}-{number}.tmp", process::id()).into()
}
