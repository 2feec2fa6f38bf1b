//! The facts that a view is made from.

use std::sync::Arc;

use teammate_core::{
    Timestamp,
    event::Event,
    port::{Record, SeenPresence},
};

/// One thing that is known about a team.
#[derive(Debug, Clone)]
pub enum Fact {
    Record(Arc<Record>),
    /// An event, also a piece of an answer on its way.
    Event(Arc<Event>),
    /// The process with this id has ended. If it ran the team and has not said so, it was killed.
    HostEnded {
        pid: u32,
    },
    /// The processes that run the team, as those say who were asked: of a team on servers, where no file tells of a process
    /// that has ended.
    Presence(SeenPresence),
    /// Time has passed; nothing else moves the view's clock when nothing happens.
    Clock(Timestamp),
}

impl Fact {
    /// When it happened, where that is known.
    pub fn at(&self) -> Option<Timestamp> {
        match self {
            Self::Record(record) => Some(record.at),
            Self::Event(event) => Some(event.at),
            Self::HostEnded { .. } | Self::Presence(_) => None,
            Self::Clock(now) => Some(*now),
        }
    }
}
