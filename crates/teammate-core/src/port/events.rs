//! Events for people and programs: those that are kept, and pieces of answers that are not. Nothing is decided by them.

use std::sync::Arc;

use crate::{
    event::Event,
    port::{BoxFuture, FileError, FleetFeed},
};

/// Where a team's events are kept. Only the process that runs the team appends.
pub trait EventStore: Send + Sync {
    /// The number for the first event of a run: one more than the highest that is kept. 0 where there is none, or where they
    /// cannot be read.
    fn next_number(&self) -> BoxFuture<'_, u64>;

    /// Appends events in order. A power cut may cost the last ones.
    fn append<'a>(&'a self, events: &'a [Arc<Event>]) -> BoxFuture<'a, Result<(), FileError>>;

    /// Reads them from the first one on that is still kept.
    fn reader(&self) -> Box<dyn EventReader>;

    /// How pieces of answers are sent. `None` where the store does not send them: then the process that runs the team gives them to
    /// processes of its own machine.
    fn pieces(&self) -> Option<Arc<dyn EventPieces>> {
        None
    }
}

/// Events that are read on and on.
pub trait EventReader: Send + Sync {
    /// Gives each event since the last call, oldest first. Those of another version that cannot be read are passed over.
    fn read_on<'a>(
        &'a mut self,
        give: &'a mut (dyn FnMut(Arc<Event>) + Send),
    ) -> BoxFuture<'a, Result<(), FileError>>;
}

/// Pieces as they are heard.
pub type HeardPieces = Box<dyn FleetFeed<Arc<Event>>>;

/// How pieces come to those who watch the team at the moment, on any machine. They may be lost: what they amount to is in an event.
pub trait EventPieces: Send + Sync {
    /// Tells a piece to those who hear.
    fn emit<'a>(&'a self, piece: &'a Event) -> BoxFuture<'a, ()>;

    /// Hears the pieces of all members from now on.
    ///
    /// Errors: they cannot be heard.
    fn hear(&self) -> BoxFuture<'_, Result<HeardPieces, FileError>>;
}
