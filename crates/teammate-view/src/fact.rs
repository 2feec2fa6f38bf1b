//! What a view is made from.

use std::sync::Arc;

use teammate_core::{Timestamp, event::Event, port::Record};

/// One thing that is known about a team.
#[derive(Debug, Clone)]
pub enum Fact {
    /// A record of the journal.
    Record(Arc<Record>),
    /// An event, also a piece of an answer on its way.
    Event(Arc<Event>),
    /// Time has passed; nothing else moves the view's clock when nothing happens.
    Clock(Timestamp),
}
