//! Who runs a team in memory.

use std::{
    future::ready,
    sync::{Arc, Mutex},
};

use teammate_core::{
    Timestamp,
    port::{BoxFuture, HostError, LockHolder, Presence, TeamClaim},
};
use tokio::sync::Notify;

use crate::locked;

/// One process at a time, all of which share the value.
#[derive(Debug, Clone, Default)]
pub struct MemoryPresence(Arc<Shared>);

#[derive(Debug, Default)]
struct Shared {
    holder: Mutex<Option<LockHolder>>,
    left: Notify,
}

impl Presence for MemoryPresence {
    fn claim(&self, now: Timestamp) -> BoxFuture<'_, Result<Box<dyn TeamClaim>, HostError>> {
        let mut holder = locked(&self.0.holder);
        let claimed: Result<Box<dyn TeamClaim>, _> = if let Some(other) = *holder {
            Err(HostError::Running(other))
        } else {
            let pid = std::process::id();
            *holder = Some(LockHolder::Process { pid, since: now });
            Ok(Box::new(MemoryClaim(self.0.clone())))
        };
        Box::pin(ready(claimed))
    }

    fn holder(&self) -> BoxFuture<'_, Result<Option<LockHolder>, HostError>> {
        Box::pin(ready(Ok(*locked(&self.0.holder))))
    }

    fn left(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.0.left.notified())
    }
}

struct MemoryClaim(Arc<Shared>);

impl TeamClaim for MemoryClaim {}

impl Drop for MemoryClaim {
    fn drop(&mut self) {
        *locked(&self.0.holder) = None;
        self.0.left.notify_waiters();
    }
}
