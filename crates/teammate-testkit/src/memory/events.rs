//! Events in memory.

use std::{
    future::ready,
    sync::{Arc, Mutex},
};

use teammate_core::{
    event::Event,
    port::{BoxFuture, EventReader, EventStore, FileError},
};

use super::bells::Bells;
use crate::locked;

/// Events that live as long as the value.
#[derive(Default)]
pub struct MemoryEvents {
    kept: Arc<Mutex<Vec<Arc<Event>>>>,
    bells: Bells,
}

impl MemoryEvents {
    pub(super) fn bells(&self) -> &Bells {
        &self.bells
    }
}

impl EventStore for MemoryEvents {
    fn next_number(&self) -> BoxFuture<'_, u64> {
        let highest = locked(&self.kept).iter().filter_map(|event| event.n).max();
        Box::pin(ready(highest.map_or(0, |highest| highest + 1)))
    }

    fn append<'a>(&'a self, events: &'a [Arc<Event>]) -> BoxFuture<'a, Result<(), FileError>> {
        locked(&self.kept).extend_from_slice(events);
        self.bells.ring();
        Box::pin(ready(Ok(())))
    }

    fn reader(&self) -> Box<dyn EventReader> {
        Box::new(MemoryEventReader {
            kept: self.kept.clone(),
            read: 0,
        })
    }
}

struct MemoryEventReader {
    kept: Arc<Mutex<Vec<Arc<Event>>>>,
    read: usize,
}

impl EventReader for MemoryEventReader {
    fn read_on<'a>(
        &'a mut self,
        give: &'a mut (dyn FnMut(Arc<Event>) + Send),
    ) -> BoxFuture<'a, Result<(), FileError>> {
        let new = locked(&self.kept)[self.read..].to_vec();
        self.read += new.len();
        new.into_iter().for_each(give);
        Box::pin(ready(Ok(())))
    }
}
