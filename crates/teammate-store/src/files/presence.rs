//! The presence of a team in files: the process that holds `host.lock`.

use std::{
    sync::{Arc, Mutex},
    thread,
    time::Duration,
};

use teammate_core::{
    Timestamp,
    lock::Hold as _,
    port::{BoxFuture, Disk, HostError, LockHolder, Presence, TeamClaim},
};
use tokio::sync::watch;

use super::{dir::TeamDir, host_lock::HostLock};

/// The pause before a lock that cannot be waited for is looked at again.
const BROKEN_PAUSE: Duration = Duration::from_millis(100);

/// The lock of a team's directory.
pub struct FilePresence {
    disk: Arc<dyn Disk>,
    dir: TeamDir,
    /// Closed by the thread that waits for the lock, once it is free; one thread for all who wait.
    freed: Mutex<Option<watch::Receiver<()>>>,
}

impl FilePresence {
    /// That of the team in `dir`, which [`TeamDir::create`] has made.
    pub fn new(disk: Arc<dyn Disk>, dir: TeamDir) -> Self {
        Self {
            disk,
            dir,
            freed: Mutex::default(),
        }
    }

    /// Closed once the lock is free. Only the kernel knows when that is, and it tells who waits for the lock: where a host was
    /// killed, a program that it was just starting may hold it for a moment more.
    fn freed(&self) -> watch::Receiver<()> {
        let mut freed = self.freed.hold();
        if let Some(waiting) = freed
            .as_ref()
            .filter(|waiting| waiting.has_changed().is_ok())
        {
            return waiting.clone();
        }
        let (sender, waiting) = watch::channel(());
        let (disk, lock) = (self.disk.clone(), self.dir.host_lock());
        // A thread of its own: the runtime does not wait for it when it ends.
        thread::spawn(move || {
            if disk.wait_unlocked(&lock).is_err() {
                thread::sleep(BROKEN_PAUSE);
            }
            drop(sender);
        });
        freed.insert(waiting).clone()
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
        Box::pin(async {
            // Nothing is ever sent: it is closed.
            let _ = self.freed().changed().await;
        })
    }
}
