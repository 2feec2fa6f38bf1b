//! A disk that never syncs, to show that the rig would notice.

use std::{
    io,
    path::{Path, PathBuf},
    time::Duration,
};

use teammate_core::port::{Disk, DiskFile, DiskLock};

/// The disk below, without its syncs.
pub(crate) struct Unsynced<T>(pub(crate) T);

impl<T: Disk> Disk for Unsynced<T> {
    fn open_append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        Ok(Box::new(UnsyncedFile(self.0.open_append(path)?)))
    }

    fn open_read(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        self.0.open_read(path)
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        self.0.read(path)
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        self.0.write(path, bytes)
    }

    fn sync_file(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.0.rename(from, to)
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.0.remove_file(path)
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        self.0.create_dir_all(path)
    }

    fn sync_dir(&self, _path: &Path) -> io::Result<()> {
        Ok(())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        self.0.list(path)
    }

    fn exists(&self, path: &Path) -> bool {
        self.0.exists(path)
    }

    fn lock(&self, path: &Path, wait: Duration) -> io::Result<Box<dyn DiskLock>> {
        self.0.lock(path, wait)
    }

    fn is_locked(&self, path: &Path) -> io::Result<bool> {
        self.0.is_locked(path)
    }

    fn wait_unlocked(&self, path: &Path) -> io::Result<()> {
        self.0.wait_unlocked(path)
    }
}

struct UnsyncedFile(Box<dyn DiskFile>);

impl DiskFile for UnsyncedFile {
    fn len(&self) -> io::Result<u64> {
        self.0.len()
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        self.0.read_at(offset, buffer)
    }

    fn read_from(&mut self, offset: u64) -> io::Result<Vec<u8>> {
        self.0.read_from(offset)
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.0.append(bytes)
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        self.0.truncate(len)
    }

    fn sync(&mut self) -> io::Result<()> {
        Ok(())
    }
}
