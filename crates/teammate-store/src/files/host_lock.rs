//! The lock of the process that runs a team, and the name of that process beside it.
//!
//! The host holds `host.lock` exclusively. A process that only checks takes it shared for a moment,
//! so that two checks do not take each other for a host, and a host waits for them. `host.json` says
//! which process it is; it is replaced atomically.

use std::{
    io,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use teammate_core::{
    Timestamp,
    port::{Disk, DiskLock, FileError, HostError, LockHolder, TeamClaim},
};

use super::{dir::TeamDir, failed_to};
use crate::disk::is_alive;

/// How long to wait for a process that is just releasing the lock.
const LOCK_WAIT: Duration = Duration::from_millis(200);

/// How long to wait for processes that only check.
const LOOKS_WAIT: Duration = Duration::from_secs(10);

/// How long a check waits for a new host to write its name.
const NAME_WAIT: Duration = Duration::from_millis(200);

/// The pause before the name is read again.
const NAME_PAUSE: Duration = Duration::from_millis(5);

/// Held by the process that runs the team; released on drop or when the process dies.
pub struct HostLock {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    _lock: Box<dyn DiskLock>,
}

/// The content of `host.json`.
#[derive(Serialize, Deserialize)]
struct HostRecord {
    pid: u32,
    since: Timestamp,
}

impl HostLock {
    /// Takes the lock for this process. Waits for processes that only check.
    ///
    /// Errors: [`HostError::Running`] if another process runs the team.
    pub fn take(disk: &Arc<dyn Disk>, dir: &TeamDir, now: Timestamp) -> Result<Self, HostError> {
        let (shared, disk) = (disk.clone(), &**disk);
        let path = dir.host_lock();
        let begun = Instant::now();
        let lock = loop {
            match disk.lock(&path, LOCK_WAIT) {
                Ok(lock) => break lock,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => {}
                Err(error) => return Err(broken(failed_to("take it")(error))),
            }
            if begun.elapsed() > LOOKS_WAIT || is_held(disk, dir)? {
                return Err(HostError::Running(holder_or_unnamed(disk, dir)));
            }
        };
        let me = HostRecord {
            pid: std::process::id(),
            since: now,
        };
        write(disk, dir, &me).map_err(broken)?;
        Ok(Self {
            disk: shared,
            dir: dir.clone(),
            _lock: lock,
        })
    }

    /// The process that runs the team now; `None` if there is none.
    pub fn holder(disk: &dyn Disk, dir: &TeamDir) -> Result<Option<LockHolder>, HostError> {
        if !disk.exists(&dir.host_lock()) || !is_held(disk, dir)? {
            return Ok(None);
        }
        Ok(Some(holder_or_unnamed(disk, dir)))
    }
}

/// Removes the name before releasing the lock.
impl Drop for HostLock {
    fn drop(&mut self) {
        // On failure the name of an ended process stays; the next host replaces it.
        let _ = self.disk.remove_file(&self.dir.host_name());
    }
}

impl TeamClaim for HostLock {}

fn broken(why: FileError) -> HostError {
    let said = |why| format!("the team's host.lock failed: {why}");
    HostError::Broken(match why {
        FileError::Disk(why) => FileError::Disk(said(why)),
        FileError::Other(why) => FileError::Other(said(why)),
    })
}

fn is_held(disk: &dyn Disk, dir: &TeamDir) -> Result<bool, HostError> {
    disk.is_locked(&dir.host_lock())
        .map_err(|error| broken(failed_to("look at it")(error)))
}

fn write(disk: &dyn Disk, dir: &TeamDir, name: &HostRecord) -> Result<(), FileError> {
    let text = serde_json::to_vec(name).map_err(|error| FileError::Other(error.to_string()))?;
    let path = dir.host_name();
    let new = path.with_extension("json.tmp");
    let written = disk.write(&new, &text);
    written
        .and_then(|()| disk.rename(&new, &path))
        .map_err(failed_to("write down who runs the team"))
}

/// The name of the host. A killed host leaves its name until the next one replaces it.
fn holder_or_unnamed(disk: &dyn Disk, dir: &TeamDir) -> LockHolder {
    let begun = Instant::now();
    loop {
        let found = read_holder(disk, dir);
        let is_sure = found.as_ref().is_some_and(|name| is_alive(name.pid));
        if is_sure || begun.elapsed() > NAME_WAIT {
            return found.map_or(LockHolder::Unnamed, |HostRecord { pid, since }| {
                LockHolder::Process { pid, since }
            });
        }
        thread::sleep(NAME_PAUSE);
    }
}

/// Older programs wrote it into the lock file.
fn read_holder(disk: &dyn Disk, dir: &TeamDir) -> Option<HostRecord> {
    let bytes = disk
        .read(&dir.host_name())
        .or_else(|_| disk.read(&dir.host_lock()));
    serde_json::from_slice(&bytes.ok()?).ok()
}
