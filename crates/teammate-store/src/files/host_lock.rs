//! The lock of the process that runs a team, and the name of that process beside it.
//!
//! The process holds `host.lock` exclusively. Whoever only looks takes it shared for a moment, so that those who look never take
//! each other for a host, and a host waits until they have looked. Its name is in `host.json`, replaced as a whole.

use std::{
    fmt, io,
    sync::Arc,
    thread,
    time::{Duration, Instant},
};

use serde::{Deserialize, Serialize};
use teammate_core::{
    Timestamp,
    port::{Disk, DiskLock, FileError},
};

use super::{cannot, dir::TeamDir};
use crate::disk::is_alive;

/// How long a taker waits for a process that lets go just now.
const LOCK_WAIT: Duration = Duration::from_millis(200);

/// How long a taker waits for those who only look, however many.
const LOOKS_WAIT: Duration = Duration::from_secs(10);

/// How long somebody who looks waits for the name of a host that has just begun.
const NAME_WAIT: Duration = Duration::from_millis(200);

/// The pause before the name is read again.
const NAME_PAUSE: Duration = Duration::from_millis(5);

/// Held by the process that runs the team; let go when it is dropped or the process dies.
pub struct HostLock {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    _lock: Box<dyn DiskLock>,
}

/// Who runs a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holder {
    /// A process that has written down who it is.
    Process {
        /// Its process id.
        pid: u32,
        /// When it began.
        since: Timestamp,
    },
    /// One that has not done so yet, or could not.
    Unnamed,
}

impl Holder {
    /// Its process id, if it is known.
    pub fn pid(self) -> Option<u32> {
        match self {
            Self::Process { pid, .. } => Some(pid),
            Self::Unnamed => None,
        }
    }
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Process { pid, .. } => write!(f, "process {pid}"),
            Self::Unnamed => write!(f, "another process"),
        }
    }
}

/// What is written down.
#[derive(Serialize, Deserialize)]
struct Name {
    pid: u32,
    since: Timestamp,
}

/// Why the team cannot be run by this process.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// Another process runs it.
    #[error("the team is already running ({0}); stop it first, or use another team")]
    Running(Holder),
    /// The lock cannot be used.
    #[error("the team's host.lock failed: {0}")]
    Broken(FileError),
}

impl HostLock {
    /// Takes the lock for this process, which begins to run the team `now`. Waits for those who only look.
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
                Err(error) => return Err(HostError::Broken(cannot("take it")(error))),
            }
            if begun.elapsed() > LOOKS_WAIT || is_held(disk, dir)? {
                return Err(HostError::Running(named(disk, dir)));
            }
        };
        let me = Name {
            pid: std::process::id(),
            since: now,
        };
        write(disk, dir, &me).map_err(HostError::Broken)?;
        Ok(Self {
            disk: shared,
            dir: dir.clone(),
            _lock: lock,
        })
    }

    /// Who runs the team now, if anybody does.
    pub fn holder(disk: &dyn Disk, dir: &TeamDir) -> Result<Option<Holder>, HostError> {
        if !disk.exists(&dir.host_lock()) || !is_held(disk, dir)? {
            return Ok(None);
        }
        Ok(Some(named(disk, dir)))
    }
}

/// The name goes before the lock does.
impl Drop for HostLock {
    fn drop(&mut self) {
        // What stays is the name of a process that has ended, or is replaced by the next host's.
        let _ = self.disk.remove_file(&self.dir.host_name());
    }
}

fn is_held(disk: &dyn Disk, dir: &TeamDir) -> Result<bool, HostError> {
    disk.is_locked(&dir.host_lock())
        .map_err(|error| HostError::Broken(cannot("look at it")(error)))
}

fn write(disk: &dyn Disk, dir: &TeamDir, name: &Name) -> Result<(), FileError> {
    let text = serde_json::to_vec(name).map_err(|error| FileError::Other(error.to_string()))?;
    let path = dir.host_name();
    let new = path.with_extension("json.tmp");
    let written = disk.write(&new, &text);
    written
        .and_then(|()| disk.rename(&new, &path))
        .map_err(cannot("write down who runs the team"))
}

/// The name of the host. A host that was killed leaves its own, until the next one has replaced it.
fn named(disk: &dyn Disk, dir: &TeamDir) -> Holder {
    let begun = Instant::now();
    loop {
        let found = written(disk, dir);
        let is_sure = found.as_ref().is_some_and(|name| is_alive(name.pid));
        if is_sure || begun.elapsed() > NAME_WAIT {
            return found.map_or(Holder::Unnamed, |Name { pid, since }| Holder::Process {
                pid,
                since,
            });
        }
        thread::sleep(NAME_PAUSE);
    }
}

/// Older programs wrote it into the lock file.
fn written(disk: &dyn Disk, dir: &TeamDir) -> Option<Name> {
    let bytes = disk
        .read(&dir.host_name())
        .or_else(|_| disk.read(&dir.host_lock()));
    serde_json::from_slice(&bytes.ok()?).ok()
}
