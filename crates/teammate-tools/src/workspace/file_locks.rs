//! One lock for each file that is being changed, shared by the tools of all members in this process.
//!
//! Other processes know nothing of these locks; against them an edit compares before it
//! replaces.

use std::{
    collections::HashMap,
    path::Path,
    path::PathBuf,
    sync::{Arc, Mutex, Weak},
};

use teammate_core::lock::Hold;
use tokio::sync::OwnedMutexGuard;

/// How many locks there may be before unused ones are looked for.
const UNUSED_MAX: usize = 64;

/// Locks by resolved path. Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub(super) struct FileLocks(Arc<Mutex<HashMap<PathBuf, Weak<tokio::sync::Mutex<()>>>>>);

impl FileLocks {
    /// Waits until no other call changes the file.
    pub(super) async fn lock(&self, path: &Path) -> OwnedMutexGuard<()> {
        self.of(path).lock_owned().await
    }

    fn of(&self, path: &Path) -> Arc<tokio::sync::Mutex<()>> {
        let mut locks = self.0.hold();
        if let Some(lock) = locks.get(path).and_then(Weak::upgrade) {
            return lock;
        }
        if locks.len() >= UNUSED_MAX {
            locks.retain(|_, lock| lock.strong_count() > 0);
        }
        let lock = Arc::default();
        locks.insert(path.to_owned(), Arc::downgrade(&lock));
        lock
    }
}
