//! A disk that is simulated: it remembers what was synced, counts what changes it, fails or dies at any of those
//! operations, and shows what may be left after a kill or a power cut.
//!
//! Stricter than a journaling file system: names in different directories reach it in any order, a rename may leave
//! both names behind, unsynced bytes may be torn or zero, and bytes whose sync failed are gone although a later sync
//! says that all is well. It knows no permissions, no links and no sizes that are too big.

mod content;
mod directory;
mod machine;
mod rng;

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError},
    time::{Duration, Instant},
};

use machine::{Machine, Operation};
use teammate_core::port::{Disk, DiskFile, DiskLock};

use crate::locked;

/// What goes wrong at one operation.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It fails with this error and does nothing. A sync that fails loses what it should have saved.
    Error(io::ErrorKind),
    /// An append writes half, then the disk is full. Any other operation fails like that and does nothing.
    ShortWrite,
    /// The process dies before it.
    Crash,
    /// The process dies in the middle: an append has written half, anything else is done but not answered.
    CrashMidway,
}

/// A process on a simulated machine, as its disk. Clones are the same process.
#[derive(Clone)]
pub struct SimDisk {
    shared: Arc<Shared>,
    process: u64,
}

struct Shared {
    machine: Mutex<Machine>,
    lock_freed: Condvar,
}

impl Default for SimDisk {
    fn default() -> Self {
        Self::on(Machine::default())
    }
}

impl SimDisk {
    /// The first process on a machine with an empty disk.
    pub fn new() -> Self {
        Self::default()
    }

    fn on(mut machine: Machine) -> Self {
        let process = machine.start_process();
        let shared = Shared {
            machine: Mutex::new(machine),
            lock_freed: Condvar::new(),
        };
        Self {
            shared: Arc::new(shared),
            process,
        }
    }

    /// From now on syncs of this machine say that all is well and do nothing: to show that a test would notice.
    #[must_use]
    pub fn ignoring_syncs(self) -> Self {
        self.machine().ignores_syncs = true;
        self
    }

    /// How many operations of this process have changed the disk, the failed ones included.
    pub fn operations(&self) -> u64 {
        self.machine().operations(self.process)
    }

    /// Plans a fault for this process' operation number `at`, counted from 0.
    pub fn fail_at(&self, at: u64, fault: Fault) {
        self.machine().plan(self.process, at, fault);
    }

    /// Whether this process has died.
    pub fn is_dead(&self) -> bool {
        self.machine().check_dead(self.process)
    }

    /// Another process on the same machine.
    #[must_use]
    pub fn second_process(&self) -> Self {
        let process = self.machine().start_process();
        Self {
            shared: self.shared.clone(),
            process,
        }
    }

    /// Kills this process, if it is not dead yet, and starts another on the same machine: all that was written is
    /// there, its locks are free.
    #[must_use]
    pub fn restarted(&self) -> Self {
        self.machine().kill(self.process);
        self.shared.lock_freed.notify_all();
        self.second_process()
    }

    /// A process on a copy of the machine as it may be after the power was cut now. What was not synced is there, torn
    /// or gone: `seed` 0 drops all of it, 1 keeps all of it, others choose piece by piece.
    #[must_use]
    pub fn after_power_cut(&self, seed: u64) -> Self {
        Self::on(self.machine().after_power_cut(seed))
    }

    fn machine(&self) -> MutexGuard<'_, Machine> {
        locked(&self.shared.machine)
    }

    /// Does what changes the disk, unless something is planned to go wrong.
    fn change(&self, operation: Operation<'_>) -> io::Result<()> {
        let mut machine = self.machine();
        let result = machine.change(self.process, operation);
        if machine.check_dead(self.process) {
            self.shared.lock_freed.notify_all();
        }
        result
    }

    fn alive(&self) -> io::Result<MutexGuard<'_, Machine>> {
        let machine = self.machine();
        machine.alive(self.process)?;
        Ok(machine)
    }

    fn ensure_file(&self, path: &Path) -> io::Result<usize> {
        if let Some(file) = self.alive()?.file(path)? {
            return Ok(file);
        }
        self.change(Operation::Create(path))?;
        self.alive()?
            .file(path)?
            .ok_or_else(|| io::ErrorKind::NotFound.into())
    }
}

impl Disk for SimDisk {
    fn open_append(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let file = self.ensure_file(path)?;
        Ok(Box::new(SimFile {
            disk: self.clone(),
            file,
        }))
    }

    fn open_read(&self, path: &Path) -> io::Result<Box<dyn DiskFile>> {
        let file = self.alive()?.file(path)?.ok_or(io::ErrorKind::NotFound)?;
        Ok(Box::new(SimFile {
            disk: self.clone(),
            file,
        }))
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let machine = self.alive()?;
        let file = machine.file(path)?.ok_or(io::ErrorKind::NotFound)?;
        Ok(machine.content(file).to_vec())
    }

    fn write(&self, path: &Path, bytes: &[u8]) -> io::Result<()> {
        let file = self.ensure_file(path)?;
        self.change(Operation::Truncate(file, 0))?;
        self.change(Operation::Append(file, bytes))
    }

    fn sync_file(&self, path: &Path) -> io::Result<()> {
        let file = self.alive()?.file(path)?.ok_or(io::ErrorKind::NotFound)?;
        self.change(Operation::Sync(file))
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        self.change(Operation::Rename(from, to))
    }

    fn remove_file(&self, path: &Path) -> io::Result<()> {
        self.change(Operation::Remove(path))
    }

    fn create_dir_all(&self, path: &Path) -> io::Result<()> {
        if self.alive()?.is_dir(path) {
            return Ok(());
        }
        self.change(Operation::CreateDirs(path))
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        self.change(Operation::SyncDir(path))
    }

    fn list(&self, path: &Path) -> io::Result<Vec<PathBuf>> {
        Ok(self.alive()?.list(path))
    }

    fn exists(&self, path: &Path) -> bool {
        self.alive().is_ok_and(|machine| machine.exists(path))
    }

    fn lock(&self, path: &Path, wait: Duration) -> io::Result<Box<dyn DiskLock>> {
        self.ensure_file(path)?;
        let deadline = Instant::now() + wait;
        let mut machine = self.alive()?;
        loop {
            machine.alive(self.process)?;
            if machine.lock(self.process, path) {
                return Ok(Box::new(SimLock {
                    disk: self.clone(),
                    path: path.to_owned(),
                }));
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(io::ErrorKind::WouldBlock.into());
            }
            machine = self
                .shared
                .lock_freed
                .wait_timeout(machine, left)
                .unwrap_or_else(PoisonError::into_inner)
                .0;
        }
    }

    fn is_locked(&self, path: &Path) -> io::Result<bool> {
        Ok(self.alive()?.is_locked(path))
    }

    fn wait_unlocked(&self, path: &Path) -> io::Result<()> {
        let mut machine = self.alive()?;
        while machine.is_locked(path) {
            let freed = self.shared.lock_freed.wait(machine);
            machine = freed.unwrap_or_else(PoisonError::into_inner);
            machine.alive(self.process)?;
        }
        Ok(())
    }
}

struct SimFile {
    disk: SimDisk,
    file: usize,
}

impl DiskFile for SimFile {
    fn len(&self) -> io::Result<u64> {
        Ok(self.disk.alive()?.content(self.file).len() as u64)
    }

    fn read_at(&mut self, offset: u64, buffer: &mut [u8]) -> io::Result<usize> {
        let machine = self.disk.alive()?;
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let rest = machine.content(self.file).get(offset..).unwrap_or_default();
        let count = rest.len().min(buffer.len());
        buffer[..count].copy_from_slice(&rest[..count]);
        Ok(count)
    }

    fn read_from(&mut self, offset: u64) -> io::Result<Vec<u8>> {
        let machine = self.disk.alive()?;
        let offset = usize::try_from(offset).unwrap_or(usize::MAX);
        let content = machine.content(self.file);
        Ok(content.get(offset..).unwrap_or_default().to_vec())
    }

    fn append(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.disk.change(Operation::Append(self.file, bytes))
    }

    fn truncate(&mut self, len: u64) -> io::Result<()> {
        let len = usize::try_from(len).map_err(io::Error::other)?;
        self.disk.change(Operation::Truncate(self.file, len))
    }

    fn sync(&mut self) -> io::Result<()> {
        self.disk.change(Operation::Sync(self.file))
    }
}

struct SimLock {
    disk: SimDisk,
    path: PathBuf,
}

impl DiskLock for SimLock {}

impl Drop for SimLock {
    fn drop(&mut self) {
        self.disk.machine().unlock(self.disk.process, &self.path);
        self.disk.shared.lock_freed.notify_all();
    }
}
