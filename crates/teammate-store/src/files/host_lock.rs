//! The lock of the process that runs a team.

use std::{fmt, io, time::Duration};

use serde::{Deserialize, Serialize};
use teammate_core::{
    Timestamp,
    port::{Disk, DiskLock},
};

use super::{cannot, dir::TeamDir};

/// How long a taker waits for those who only look.
const LOCK_WAIT: Duration = Duration::from_millis(200);

/// Held by the process that runs the team; let go when it is dropped or the process dies.
pub struct HostLock {
    _lock: Box<dyn DiskLock>,
}

/// Who runs a team.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Its process id.
    pub pid: u32,
    /// When it began.
    pub since: Timestamp,
}

impl fmt::Display for Holder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "process {}", self.pid)
    }
}

/// Why the team cannot be run by this process.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HostError {
    /// Another process runs it.
    #[error("the team is already running ({}); stop it first, or use another team", shown(.0.as_ref()))]
    Running(Option<Holder>),
    /// The lock cannot be used.
    #[error("the team's host.lock failed: {0}")]
    Broken(String),
}

fn shown(holder: Option<&Holder>) -> String {
    holder.map_or_else(|| "in another process".to_owned(), Holder::to_string)
}

impl HostLock {
    /// Takes the lock for this process, which begins to run the team `now`.
    pub fn take(disk: &dyn Disk, dir: &TeamDir, now: Timestamp) -> Result<Self, HostError> {
        let path = dir.host_lock();
        let lock = match disk.lock(&path, LOCK_WAIT) {
            Ok(lock) => lock,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                return Err(HostError::Running(written(disk, dir)));
            }
            Err(error) => return Err(HostError::Broken(cannot("take it")(error))),
        };
        let me = Holder {
            pid: std::process::id(),
            since: now,
        };
        let text = serde_json::to_vec(&me).map_err(|error| HostError::Broken(error.to_string()))?;
        disk.write(&path, &text)
            .map_err(|error| HostError::Broken(cannot("write it")(error)))?;
        Ok(Self { _lock: lock })
    }

    /// Who runs the team now, if anybody does. Takes the lock for a moment at most.
    ///
    /// Errors: [`HostError::Running`] if somebody does who has not yet written down who it is.
    pub fn holder(disk: &dyn Disk, dir: &TeamDir) -> Result<Option<Holder>, HostError> {
        let path = dir.host_lock();
        if !disk.exists(&path) {
            return Ok(None);
        }
        match disk.lock(&path, Duration::ZERO) {
            Ok(_free) => Ok(None),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                written(disk, dir).map(Some).ok_or(HostError::Running(None))
            }
            Err(error) => Err(HostError::Broken(cannot("look at it")(error))),
        }
    }
}

fn written(disk: &dyn Disk, dir: &TeamDir) -> Option<Holder> {
    serde_json::from_slice(&disk.read(&dir.host_lock()).ok()?).ok()
}
