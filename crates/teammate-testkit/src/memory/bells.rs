//! Who hears when a store in memory changes.

use std::sync::{Arc, Mutex, Weak};

use crate::locked;

/// What somebody who listens has done at each change.
pub(super) type Ring = dyn Fn() + Send + Sync;

/// All who listen to one thing.
#[derive(Default)]
pub(super) struct Bells(Mutex<Vec<Weak<Ring>>>);

impl Bells {
    /// Rings for as long as somebody holds it.
    pub(super) fn add(&self, ring: &Arc<Ring>) {
        let mut all = locked(&self.0);
        all.retain(|ring| ring.strong_count() > 0);
        all.push(Arc::downgrade(ring));
    }

    pub(super) fn ring(&self) {
        let all: Vec<_> = locked(&self.0).iter().filter_map(Weak::upgrade).collect();
        for ring in all {
            ring();
        }
    }
}
