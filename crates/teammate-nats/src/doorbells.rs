//! How a process hears of the others: the journal and mailboxes ring by themselves, and one watch rings for journal and events.

use std::sync::Arc;

use teammate_core::port::{Doorbells, Listening};

use crate::{listen::Subjects, parts::Parts, read::WantedPart};

/// The doorbells of one team.
pub(crate) struct NatsDoorbells {
    pub(crate) parts: Parts,
}

impl Doorbells for NatsDoorbells {
    fn on_change(&self, ring: Box<dyn Fn() + Send + Sync>) -> Option<Listening> {
        let ring: Arc<dyn Fn() + Send + Sync> = Arc::from(ring);
        let (place, engine) = (&self.parts.place, &self.parts.engine);
        let listen = |stream, filter| {
            let (engine, ring) = (engine.clone(), ring.clone());
            let source = Subjects {
                engine,
                stream,
                filter,
            };
            source.listen(WantedPart::Headers, move |_, _| ring())
        };
        let journal = listen(place.partition.log(), place.journal());
        let events = listen(place.partition.events(), place.all_events());
        Some(Box::new((journal, events)))
    }
}
