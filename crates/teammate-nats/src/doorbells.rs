//! How a process hears of the others: the journal and mailboxes ring by themselves, and one watch rings for journal and events.

use std::sync::Arc;

use teammate_core::port::{Doorbells, Listening};
use tokio::task::AbortHandle;

use crate::{bell::watch, parts::Parts};

/// The doorbells of one team.
pub(crate) struct NatsDoorbells {
    pub(crate) parts: Parts,
}

/// Ends its watches.
struct Watches([AbortHandle; 2]);

impl Drop for Watches {
    fn drop(&mut self) {
        for watch in &self.0 {
            watch.abort();
        }
    }
}

impl Doorbells for NatsDoorbells {
    fn on_change(&self, ring: Box<dyn Fn() + Send + Sync>) -> Option<Listening> {
        let ring: Arc<dyn Fn() + Send + Sync> = Arc::from(ring);
        let (place, engine) = (&self.parts.place, &self.parts.engine);
        let (log, events) = (place.partition.log(), place.partition.events());
        Some(Box::new(Watches([
            watch(engine.clone(), log, place.journal(), ring.clone()),
            watch(engine.clone(), events, place.all_events(), ring),
        ])))
    }
}
