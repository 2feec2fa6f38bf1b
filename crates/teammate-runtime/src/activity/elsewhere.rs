//! What other workers last said of their rest.

use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

use teammate_core::{name::WorkerName, team::Beat};

use super::Activity;

/// The workers that rest, as far as they were heard, each with the count of its changes.
#[derive(Debug, Default)]
pub(super) struct Elsewhere(Mutex<BTreeMap<WorkerName, u64>>);

impl Elsewhere {
    fn lock(&self) -> MutexGuard<'_, BTreeMap<WorkerName, u64>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Activity {
    /// A worker, perhaps this one, has said whether it rests. Who waits looks again if that is new.
    pub(crate) fn hear(&self, beat: &Beat) {
        let before = match beat.rests {
            Some(count) => self.elsewhere.lock().insert(beat.worker.clone(), count),
            None => self.elsewhere.lock().remove(&beat.worker),
        };
        if before != beat.rests {
            self.recheck();
        }
    }

    /// Doubts what this worker said of its rest: its next beat is news.
    pub(crate) fn doubt(&self, worker: &WorkerName) {
        self.elsewhere.lock().remove(worker);
    }

    /// Whether this worker last said that it rests.
    pub(crate) fn is_resting(&self, worker: &WorkerName) -> bool {
        self.elsewhere.lock().contains_key(worker)
    }
}
