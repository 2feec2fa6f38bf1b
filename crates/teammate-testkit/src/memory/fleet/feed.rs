//! What arrives at one process.

use std::sync::{Arc, Mutex};

use teammate_core::port::{BoxFuture, FleetFeed};
use tokio::sync::mpsc;

use super::Station;
use crate::locked;

/// What arrives. A process that is stopped takes nothing before it goes on.
pub(super) struct MemoryFeed<T> {
    station: Arc<Station>,
    arrived: mpsc::UnboundedReceiver<T>,
    /// Arrived while the process was stopped.
    held: Option<T>,
}

impl<T: Send + 'static> MemoryFeed<T> {
    /// Listens until the value is dropped.
    pub(super) fn listen(
        station: &Arc<Station>,
        feeds: &Mutex<Vec<mpsc::UnboundedSender<T>>>,
    ) -> Box<dyn FleetFeed<T>> {
        let (sender, arrived) = mpsc::unbounded_channel();
        locked(feeds).push(sender);
        Box::new(Self {
            station: station.clone(),
            arrived,
            held: None,
        })
    }
}

impl<T: Send + 'static> FleetFeed<T> for MemoryFeed<T> {
    fn next(&mut self) -> BoxFuture<'_, Option<T>> {
        Box::pin(async move {
            if self.held.is_none() {
                self.held = self.arrived.recv().await;
            }
            self.station.link.runs().await;
            self.held.take()
        })
    }
}
