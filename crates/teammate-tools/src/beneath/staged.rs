//! A file's new content, written beside it and then renamed over it: readers see the old or the new, never a part. A change of
//! another program is not renamed away: the two files change their names, and change back if the old one is not what was
//! compared.

use std::{
    ffi::{OsStr, OsString},
    fs::File,
    io::{self, Write as _},
    os::fd::OwnedFd,
    process,
    sync::atomic::{AtomicU64, Ordering},
};

use rustix::{
    fs::{self, AtFlags, FileType, Mode, OFlags, RenameFlags},
    io::Errno,
};

/// Content that waits beside its place. Dropped without [`Staged::commit_over`], it goes away.
#[derive(Debug)]
pub(crate) struct Staged {
    dir: OwnedFd,
    beside: OsString,
    name: OsString,
    /// The new file as it was written.
    written: Option<FileMark>,
    is_committed: bool,
}

/// Tells whether a file is the same, and has not been written to: device, number, size and time.
type FileMark = (u64, u64, i64, i64, i64);

/// The content that must be there when other content is put in its place.
pub(crate) enum ExpectedFile<'a> {
    Nothing,
    /// A file of which this holds.
    File(&'a dyn Fn(File) -> io::Result<bool>),
}

/// The result of putting content in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Placed {
    Done,
    /// Something else was there, and still is.
    NotExpected,
}

impl Staged {
    /// Writes `content` into a new file in `dir`, with the permission bits of the file `name` if there is one.
    pub(super) fn write(dir: OwnedFd, name: &OsStr, content: &[u8]) -> io::Result<Self> {
        let old = match fs::statat(&dir, name, AtFlags::SYMLINK_NOFOLLOW) {
            Ok(old) => Some(old),
            Err(Errno::NOENT) => None,
            Err(why) => return Err(why.into()),
        };
        let old_bits = old.map(|old| writable(old.st_mode)).transpose()?;
        let beside = unused_name();
        let flags = OFlags::WRONLY | OFlags::CREATE | OFlags::EXCL | OFlags::CLOEXEC;
        let file = fs::openat(&dir, &beside, flags, Mode::from_raw_mode(0o666))?;
        // From here on a failure takes the new file away again.
        let mut staged = Self {
            dir,
            beside,
            name: name.to_owned(),
            written: None,
            is_committed: false,
        };
        if let Some(bits) = old_bits {
            fs::fchmod(&file, bits)?;
        }
        let mut file = File::from(file);
        file.write_all(content)?;
        staged.written = Some(mark(&fs::fstat(&file)?));
        Ok(staged)
    }

    /// Puts the content in its place if what is expected is there at that moment; what another program puts there meanwhile stays.
    pub(crate) fn commit_over(self, expected: &ExpectedFile<'_>) -> io::Result<Placed> {
        self.commit_after(expected, || {})
    }

    /// Commits after another program's step between the look at the place and the change.
    fn commit_after(
        mut self,
        expected: &ExpectedFile<'_>,
        meanwhile: impl FnOnce(),
    ) -> io::Result<Placed> {
        match expected {
            ExpectedFile::Nothing => {
                meanwhile();
                self.fill()
            }
            ExpectedFile::File(is_expected) => {
                if !self.holds(&self.name, is_expected)? {
                    return Ok(Placed::NotExpected);
                }
                meanwhile();
                self.exchange(is_expected)
            }
        }
    }

    /// Takes a name that nothing has.
    fn fill(&mut self) -> io::Result<Placed> {
        match self.rename(RenameFlags::NOREPLACE) {
            Ok(()) => {}
            Err(Errno::EXIST) => return Ok(Placed::NotExpected),
            Err(why) if is_unknown_here(why) => match fs::linkat(
                &self.dir,
                &self.beside,
                &self.dir,
                &self.name,
                AtFlags::empty(),
            ) {
                Err(Errno::EXIST) => return Ok(Placed::NotExpected),
                Err(why) => return Err(why.into()),
                // The name beside goes away when this is dropped.
                Ok(()) => return Ok(Placed::Done),
            },
            Err(why) => return Err(why.into()),
        }
        self.is_committed = true;
        Ok(Placed::Done)
    }

    /// Changes names with the file at the place, and back if that is not the expected one.
    fn exchange(&mut self, is_expected: &dyn Fn(File) -> io::Result<bool>) -> io::Result<Placed> {
        match self.rename(RenameFlags::EXCHANGE) {
            Ok(()) => {}
            Err(Errno::NOENT) => return Ok(Placed::NotExpected),
            // A file system that cannot do it: what a program does just now, after the last look, is not seen there.
            Err(why) if is_unknown_here(why) => {
                fs::renameat(&self.dir, &self.beside, &self.dir, &self.name)?;
                self.is_committed = true;
                return Ok(Placed::Done);
            }
            Err(why) => return Err(why.into()),
        }
        // From here on, what is beside is not ours.
        self.is_committed = true;
        if matches!(self.holds(&self.beside, is_expected), Ok(true)) {
            fs::unlinkat(&self.dir, &self.beside, AtFlags::empty())?;
            return Ok(Placed::Done);
        }
        self.rename(RenameFlags::EXCHANGE)?;
        let beside = fs::statat(&self.dir, &self.beside, AtFlags::SYMLINK_NOFOLLOW)?;
        if self.written == Some(mark(&beside)) {
            self.is_committed = false;
            return Ok(Placed::NotExpected);
        }
        // Another program was there twice. The newer content gets the place, and nothing is thrown away.
        self.rename(RenameFlags::EXCHANGE)?;
        Err(io::Error::other(format!(
            "another program changed it twice in this moment; what it held in between is in {}",
            self.beside.display()
        )))
    }

    fn rename(&self, flags: RenameFlags) -> Result<(), Errno> {
        fs::renameat_with(&self.dir, &self.beside, &self.dir, &self.name, flags)
    }

    /// Whether the file of this name is the expected one. What cannot be opened is not.
    fn holds(
        &self,
        name: &OsStr,
        is_expected: &dyn Fn(File) -> io::Result<bool>,
    ) -> io::Result<bool> {
        let flags = OFlags::RDONLY | OFlags::NOFOLLOW | OFlags::NONBLOCK | OFlags::CLOEXEC;
        match fs::openat(&self.dir, name, flags, Mode::empty()) {
            Ok(file) => is_expected(file.into()),
            Err(Errno::NOENT | Errno::LOOP | Errno::NXIO) => Ok(false),
            Err(why) => Err(why.into()),
        }
    }
}

#[expect(
    clippy::unnecessary_cast,
    reason = "the types differ between platforms"
)]
fn mark(stat: &fs::Stat) -> FileMark {
    (
        stat.st_dev as u64,
        stat.st_ino as u64,
        stat.st_size as i64,
        stat.st_mtime as i64,
        stat.st_mtime_nsec as i64,
    )
}

/// Whether the kernel or the file system does not know such a renaming.
fn is_unknown_here(why: Errno) -> bool {
    [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP].contains(&why)
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

#[cfg(test)]
mod tests {
    use std::{io::Read as _, path::Path};

    use super::*;
    use crate::beneath::open_root;

    fn staged(dir: &Path, content: &str) -> Staged {
        Staged::write(open_root(dir).unwrap(), OsStr::new("f"), content.as_bytes()).unwrap()
    }

    fn is_old(mut file: File) -> io::Result<bool> {
        let mut text = String::new();
        file.read_to_string(&mut text)?;
        Ok(text == "old")
    }

    #[test]
    fn what_another_program_puts_there_between_look_and_change_stays() {
        let dir = tempfile::tempdir().unwrap();
        let path = dir.path().join("f");
        let others: [(&str, &dyn Fn()); 4] = [
            ("theirs", &|| std::fs::write(&path, "theirs").unwrap()),
            ("saved", &|| {
                std::fs::write(dir.path().join("new"), "saved").unwrap();
                std::fs::rename(dir.path().join("new"), &path).unwrap();
            }),
            ("linked", &|| {
                std::fs::write(dir.path().join("elsewhere"), "linked").unwrap();
                std::fs::remove_file(&path).unwrap();
                std::os::unix::fs::symlink("elsewhere", &path).unwrap();
            }),
            ("", &|| std::fs::remove_file(&path).unwrap()),
        ];
        for (theirs, other) in others {
            let _ = std::fs::remove_file(&path);
            std::fs::write(&path, "old").unwrap();
            let placed =
                staged(dir.path(), "ours").commit_after(&ExpectedFile::File(&is_old), other);
            assert_eq!(placed.unwrap(), Placed::NotExpected, "{theirs}");
            assert_eq!(std::fs::read_to_string(&path).unwrap_or_default(), theirs);
        }
        let new = staged(dir.path(), "ours").commit_after(&ExpectedFile::Nothing, others[0].1);
        assert_eq!(new.unwrap(), Placed::NotExpected);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "theirs");
        std::fs::write(&path, "old").unwrap();
        let done = staged(dir.path(), "ours").commit_over(&ExpectedFile::File(&is_old));
        assert_eq!(done.unwrap(), Placed::Done);
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "ours");
        let left = std::fs::read_dir(dir.path()).unwrap();
        let left = left.filter(|entry| {
            let name = entry.as_ref().unwrap().file_name();
            name.to_string_lossy().starts_with(".teammate")
        });
        assert_eq!(left.count(), 0, "nothing is left beside it");
    }
}
