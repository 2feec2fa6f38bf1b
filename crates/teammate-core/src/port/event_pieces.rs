//! Events that nobody keeps: pieces of answers while they are written, and how far calls are.

use std::sync::Arc;

use crate::{
    event::Event,
    port::{BoxFuture, FileError, FleetFeed},
};

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
