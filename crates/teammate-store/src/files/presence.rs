//! The presence of a team in files: the process that holds `host.lock`.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    Timestamp,
    port::{BoxFuture, Disk, HostError, LockHolder, Presence, TeamClaim},
};

use super::{dir::TeamDir, host_lock::HostLock};

/// How often to check whether a host has released its lock: the kernel gives no hint of that.
const LOCK_POLL: Duration = Duration::from_millis(20);

/// The lock of a team's directory.
pub struct FilePresence {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
}

impl FilePresence {
    /// That of the team in `dir`, which [`TeamDir::create`] has made.
    pub fn new(disk: Arc<dyn Disk>, dir: TeamDir) -> Self {
        Self { disk, dir }
    }
}

impl Presence for FilePresence {
    fn claim(&self, now: Timestamp) -> BoxFuture<'_, Result<Box<dyn TeamClaim>, HostError>> {
        Box::pin(async move {
            let lock = HostLock::take(&self.disk, &self.dir, now)?;
            Ok(Box::new(lock) as Box<dyn TeamClaim>)
        })
    }

    fn holder(&self) -> BoxFuture<'_, Result<Option<LockHolder>, HostError>> {
        Box::pin(async { HostLock::holder(&*self.disk, &self.dir) })
    }

    fn left(&self) -> BoxFuture<'_, ()> {
        Box::pin(tokio::time::sleep(LOCK_POLL))
    }
}
