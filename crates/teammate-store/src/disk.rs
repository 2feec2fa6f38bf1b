//! The real disk. All platform-specific file code of the crate is in this file and below it.
//!
//! [`RealDisk`] takes any path and guards its last component. [`TeamDisk`] is one team's directory
//! held open; nothing below it is reached through a link.

mod beneath;
mod owner;
mod regular;
mod resolve;
mod team;
mod unfit;

use std::{
    fs::{self, DirBuilder, File, Metadata, OpenOptions, TryLockError},
    hash::{BuildHasher, Hasher},
    io::{self, Read, Write},
    os::unix::fs::{DirBuilderExt, FileExt, MetadataExt, OpenOptionsExt},
    path::{Path, PathBuf},
    thread,
    time::{Duration, Instant},
};

use rustix::{
    fs::OFlags,
    io::Errno,
    process::{Pid, test_kill_process},
};
use teammate_core::port::{Disk, DiskFile, DiskLock};

pub use regular::{open_regular, read_regular, read_regular_text};
pub use team::TeamDisk;
pub use unfit::{FileKind, UnfitFile};

/// The pause between two tries for a lock grows up to this.
const LOCK_PAUSE_MAX: Duration = Duration::from_millis(10);

/// The disk of this machine.
///
/// Keeps the promises of core's `Disk` where `flock` and `fsync` work: on local file systems. Opens
/// regular files only, so a FIFO or a device under a known name is an error, not a hang.
#[derive(Debug, Clone, Copy, Default)]
pub struct RealDisk;

impl Disk for RealDisk {
    fn open_append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let file = regular(private_options().read(true).append(true).create(true), path)?;
        Ok(Box::new(RealFile(file)))
    }

    fn open_read(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(RealFile(regular(
            private_options().read(true),
            path,
        )?)))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        regular(private_options().read(true), path)?.read_to_end(&mut bytes)?;
        Ok(bytes)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let mut file = regular(
            private_options().write(true).create(true).truncate(true),
            path,
        )?;
        file.write_all(bytes)
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        regular(private_options().read(true), path)?.sync_all()
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        fs::rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        fs::remove_file(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        DirBuilder::new().recursive(true).mode(0o700).create(path)
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        File::open(path)?.sync_all()
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        let entries = match fs::read_dir(path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        let mut paths = entries
            .map(|entry| entry.map(|entry| entry.path()))
            .collect::<io::Result<Vec<_>>>()?;
        paths.sort();
        Ok(paths)
    }

    fn exists(&self, path: &Path) -> bool {
        fs::symlink_metadata(path).is_ok()
    }

    fn lock(&self, path: &Path, wait: Duration) -> io::Result<Box<dyn DiskLock>> {
        locked(wait, || {
            let file = regular(private_options().read(true).write(true).create(true), path)?;
            Ok((file, move |file: &File| is_same_file(file, path)))
        })
    }

    fn is_locked(&self, path: &Path) -> io::Result<bool> {
        is_held(&regular(private_options().read(true), path)?)
    }

    fn wait_unlocked(&self, path: &Path) -> io::Result<()> {
        regular(private_options().read(true), path)?.lock_shared()
    }
}

/// True if another process holds this file's lock exclusively.
fn is_held(file: &File) -> io::Result<bool> {
    match file.try_lock_shared() {
        // Closing the file releases the lock.
        Ok(()) => Ok(false),
        Err(TryLockError::WouldBlock) => Ok(true),
        Err(TryLockError::Error(error)) => Err(error),
    }
}

/// True if a process with this id exists. One in another container looks as if it were gone.
pub(crate) fn is_alive(pid: u32) -> bool {
    let pid = i32::try_from(pid).ok().and_then(Pid::from_raw);
    pid.is_some_and(|pid| {
        // It exists, and belongs to another user.
        matches!(test_kill_process(pid), Ok(()) | Err(Errno::PERM))
    })
}

/// Opens and locks a lock file, with retries for at most `wait`. `open` also returns a check that
/// the file still has that name.
fn locked<IsThere: Fn(&File) -> bool>(
    wait: Duration,
    open: impl Fn() -> io::Result<(File, IsThere)>,
) -> io::Result<Box<dyn DiskLock>> {
    let deadline = Instant::now() + wait;
    let mut pause = Duration::from_micros(100);
    loop {
        let (file, is_there) = open()?;
        match file.try_lock() {
            // A file that was removed or replaced between open and lock guards nothing.
            Ok(()) if is_there(&file) => return Ok(Box::new(RealLock { _file: file })),
            Ok(()) | Err(TryLockError::WouldBlock) => {}
            Err(TryLockError::Error(error)) => return Err(error),
        }
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(io::ErrorKind::WouldBlock.into());
        }
        thread::sleep(with_jitter(pause).min(left));
        pause = (pause * 2).min(LOCK_PAUSE_MAX);
    }
}

/// Options for private files. The standard library adds close-on-exec.
fn private_options() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.mode(0o600);
    options
}

/// Opens a regular file, through no symlink in the last component; anything else under that name is
/// an [`UnfitFile`], and no pipe's other end is waited for.
fn regular(options: &OpenOptions, path: &Path) -> io::Result<File> {
    regular::open_with(options, OFlags::NOFOLLOW | OFlags::NONBLOCK, path).map_err(|error| {
        match error.raw_os_error() == Some(Errno::LOOP.raw_os_error()) {
            true => UnfitFile::Kind {
                path: path.to_owned(),
                found: FileKind::Link,
                wanted: FileKind::File,
            }
            .into(),
            false => error,
        }
    })
}

fn is_same_file(file: &File, path: &Path) -> bool {
    let identity = |data: Metadata| (data.dev(), data.ino());
    match (file.metadata(), fs::symlink_metadata(path)) {
        (Ok(held), Ok(named)) => identity(held) == identity(named),
        (Ok(_), Err(_)) | (Err(_), _) => false,
    }
}

/// A random pause between half of `pause` and all of it.
fn with_jitter(pause: Duration) -> Duration {
    let random = std::hash::RandomState::new().build_hasher().finish();
    let half = pause / 2;
    half + half.mul_f64((random >> 11) as f64 / (1u64 << 53) as f64)
}

struct RealFile(File);

impl DiskFile for RealFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.0.metadata()?.len())
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        loop {
            match self.0.read_at(buffer, offset) {
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                read => return read,
            }
        }
    }

    fn read_from(&mut self, offset: u64) -> io::Result<Vec<u8>> {
        let left = self.len()?.saturating_sub(offset);
        let mut bytes = vec![0; usize::try_from(left).map_err(io::Error::other)?];
        let mut done = 0;
        while done < bytes.len() {
            match self.0.read_at(&mut bytes[done..], offset + done as u64) {
                Ok(0) => break,
                Ok(read) => done += read,
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        bytes.truncate(done);
        Ok(bytes)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.write_all(bytes)
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.0.set_len(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        self.0.sync_data()
    }
}

/// The kernel releases the lock when the file is closed, also when the process dies.
struct RealLock {
    _file: File,
}

impl DiskLock for RealLock {}
