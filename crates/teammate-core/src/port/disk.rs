//! File operations, one method per system call that matters for durability, so that a simulation can own them,
//! count them, fail them and cut the power between any two.
//!
//! All methods block. Paths are absolute. Files are made 0600, directories 0700; a symlink in the last
//! component is refused where a file is opened for writing.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

/// A disk.
pub trait Disk: Send + Sync {
    /// Opens for appending and reading; makes the file if it is not there.
    fn open_append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// Opens for reading only.
    ///
    /// Errors: [`io::ErrorKind::NotFound`] if it is not there. Appending to it, cutting it or syncing it may fail.
    fn open_read(&self, path: &Path) -> io::Result<Box<dyn DiskFile>>;

    /// Reads a whole file.
    fn read(&self, path: &Path) -> io::Result<Vec<u8>>;

    /// Makes or replaces a file's content. Not atomic and not synced: for temporary files.
    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()>;

    /// Syncs a file's content by path.
    fn sync_file(&self, path: &Path) -> io::Result<()>;

    /// Renames within one file system, replacing the target.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()>;

    /// Removes a file.
    fn remove_file(&self, path: &Path) -> io::Result<()>;

    /// Makes a directory and those above it.
    fn create_dir_all(&self, path: &Path) -> io::Result<()>;

    /// Makes the names in a directory durable.
    fn sync_dir(&self, path: &Path) -> io::Result<()>;

    /// The entries of a directory, sorted by name. Empty if it is not there.
    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>>;

    /// Whether something is there.
    fn exists(&self, path: &Path) -> bool;

    /// Takes the exclusive advisory lock of a lock file, waiting at most `wait`. The lock is released when the
    /// value is dropped or the process dies, however it dies.
    ///
    /// Errors: [`io::ErrorKind::WouldBlock`] if another holds it for all that time.
    fn lock(&self, path: &Path, wait: Duration) -> io::Result<Box<dyn DiskLock>>;

    /// Whether a process holds the lock of an existing lock file. Those who look at the same moment do not see each
    /// other; one who takes the lock may have to wait until they have looked.
    fn is_locked(&self, path: &Path) -> io::Result<bool>;

    /// Blocks until no process holds the lock of an existing lock file.
    fn wait_unlocked(&self, path: &Path) -> io::Result<()>;
}

/// An open file.
pub trait DiskFile: Send {
    /// How long it is.
    fn len(&self) -> io::Result<u64>;

    /// Whether it holds nothing.
    fn is_empty(&self) -> io::Result<bool> {
        Ok(self.len()? == 0)
    }

    /// Reads from `offset` into `buffer`, as much as there is at once. Returns how many bytes; 0 at the end.
    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize>;

    /// Reads from `offset` to the end.
    fn read_from(&mut self, offset: u64) -> io::Result<Vec<u8>>;

    /// Appends all of it. On an error some of it may have been written.
    fn append(&mut self, bytes: &[u8]) -> io::Result<()>;

    /// Cuts the file to `len`.
    fn truncate(&mut self, len: u64) -> io::Result<()>;

    /// Makes the content durable. After an error the content is in doubt and must not be synced again.
    fn sync(&mut self) -> io::Result<()>;
}

/// A held lock. What the holder writes about itself is for the error message of the next who wants it.
pub trait DiskLock: Send + Sync {}

/// Why a file of the team cannot be read or written, as a sentence for the user.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileError {
    /// The disk is full, broken or read-only. What was written before is kept.
    #[error("{0}")]
    Disk(String),
    /// Anything else: what is in the file's place, its permissions, its lock.
    #[error("{0}")]
    Other(String),
}

impl FileError {
    /// Whether the disk is full, broken or read-only.
    pub fn is_of_disk(&self) -> bool {
        match self {
            Self::Disk(_) => true,
            Self::Other(_) => false,
        }
    }
}

impl From<String> for FileError {
    fn from(text: String) -> Self {
        Self::Other(text)
    }
}

impl From<&str> for FileError {
    fn from(text: &str) -> Self {
        Self::Other(text.to_owned())
    }
}
