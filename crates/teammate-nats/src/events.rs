//! Events for those who watch: kept for some days, proof of nothing, never waited for.

use std::sync::Arc;

use async_nats::jetstream::consumer::DeliverPolicy;
use teammate_core::{
    event::Event,
    port::{BoxFuture, EventPieces, EventReader, EventStore, FileError, FleetFeed},
};

use crate::{
    parts::Parts,
    wire::{Wire, WireFeed},
};

/// The events of one team. Several processes append, so an event's number is its place in the stream, whatever its process called
/// it: all readers give it the same one, also when older events are gone.
pub(crate) struct NatsEvents {
    pub(crate) parts: Parts,
    pub(crate) wire: Wire,
}

impl NatsEvents {
    /// The number of the last event that is there.
    async fn last(&self) -> Option<u64> {
        let place = &self.parts.place;
        let last = DeliverPolicy::LastPerSubject;
        let stream = place.partition.events();
        let found = self.parts.engine.present(&stream, place.all_events(), last);
        let found = found.await.unwrap_or_default();
        found.iter().map(|message| message.sequence).max()
    }

    async fn append_now(&self, events: &[Arc<Event>]) -> Result<(), FileError> {
        let client = &self.parts.engine.client;
        let failed = |error: &dyn std::fmt::Display| FileError::Other(error.to_string());
        for event in events {
            let line = serde_json::to_vec(&**event).map_err(|error| failed(&error))?;
            let subject = self.parts.place.events(&event.member);
            let sent = client.publish(subject, line.into()).await;
            sent.map_err(|error| failed(&error))?;
        }
        client.flush().await.map_err(|error| failed(&error))
    }
}

impl EventStore for NatsEvents {
    fn next_number(&self) -> BoxFuture<'_, u64> {
        Box::pin(async move { self.last().await.map_or(0, |last| last + 1) })
    }

    /// They are written to the connection when this returns; whether they are stored nobody waits for.
    fn append<'a>(&'a self, events: &'a [Arc<Event>]) -> BoxFuture<'a, Result<(), FileError>> {
        Box::pin(self.append_now(events))
    }

    fn reader(&self) -> Box<dyn EventReader> {
        Box::new(NatsEventReader {
            parts: self.parts.clone(),
            from: 1,
        })
    }

    fn pieces(&self) -> Option<Arc<dyn EventPieces>> {
        Some(Arc::new(NatsPieces {
            parts: self.parts.clone(),
            wire: self.wire.clone(),
        }))
    }
}

/// Reads on and on.
struct NatsEventReader {
    parts: Parts,
    /// The next place in the stream.
    from: u64,
}

impl NatsEventReader {
    async fn read_now(
        &mut self,
        give: &mut (dyn FnMut(Arc<Event>) + Send),
    ) -> Result<(), FileError> {
        let place = &self.parts.place;
        let from = DeliverPolicy::ByStartSequence {
            start_sequence: self.from,
        };
        let stream = place.partition.events();
        let new = self.parts.engine.present(&stream, place.all_events(), from);
        let new = match new.await {
            Ok(new) => new,
            // A backup leaves events out: the team goes on without those.
            Err(_) if self.parts.engine.has_no_stream(&stream).await => return Ok(()),
            Err(error) => return Err(FileError::Other(error.to_string())),
        };
        for message in new {
            self.from = message.sequence + 1;
            let Ok(mut event) = serde_json::from_slice::<Event>(&message.body) else {
                continue;
            };
            event.n = Some(message.sequence);
            give(Arc::new(event));
        }
        Ok(())
    }
}

impl EventReader for NatsEventReader {
    fn read_on<'a>(
        &'a mut self,
        give: &'a mut (dyn FnMut(Arc<Event>) + Send),
    ) -> BoxFuture<'a, Result<(), FileError>> {
        Box::pin(self.read_now(give))
    }
}

/// Pieces of answers, on the wire only.
struct NatsPieces {
    parts: Parts,
    wire: Wire,
}

impl EventPieces for NatsPieces {
    fn emit<'a>(&'a self, piece: &'a Event) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if let Ok(body) = serde_json::to_vec(piece) {
                let subject = self.parts.place.text(&piece.member);
                self.wire.publish(subject, body.into()).await;
            }
        })
    }

    fn hear(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<Arc<Event>>>, FileError>> {
        Box::pin(async move {
            let heard = self.wire.listen(self.parts.place.all_text()).await;
            let heard = heard.map_err(FileError::Other)?;
            Ok(Box::new(PieceFeed(heard)) as Box<dyn FleetFeed<Arc<Event>>>)
        })
    }
}

struct PieceFeed(WireFeed);

impl FleetFeed<Arc<Event>> for PieceFeed {
    fn next(&mut self) -> BoxFuture<'_, Option<Arc<Event>>> {
        Box::pin(async move {
            loop {
                let heard = self.0.next().await?;
                // Nobody speaks for another member.
                if let Ok(event) = serde_json::from_slice::<Event>(&heard.body)
                    && event.member.as_str() == heard.of
                    && event.what.is_piece()
                {
                    return Some(Arc::new(event));
                }
            }
        })
    }
}
