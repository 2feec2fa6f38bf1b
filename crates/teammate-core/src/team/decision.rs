//! A decision: the events that follow from a command, and how durable they must be.

use super::{TeamEvent, TeamRefusal};

/// Events to decide on, or why there are none.
pub(super) type Events = Result<Vec<TeamEvent>, TeamRefusal>;

/// The events that follow from a command.
#[derive(Debug, Clone, PartialEq)]
pub struct Decision {
    /// The events; none, if it had happened before.
    pub events: Vec<TeamEvent>,
    /// How durable the events must be before they are published.
    pub durability: Durability,
}

/// Whether an append must survive a power cut before it returns.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Durability {
    /// Survives the death of the process; the next synced append makes it durable. For what a restart can tell by
    /// itself (who is working right now).
    Lazy,
    /// Survives a power cut.
    Synced,
}

impl Decision {
    /// Adds what else follows, if there was anything to follow from.
    pub(super) fn with(mut self, event: impl IntoIterator<Item = TeamEvent>) -> Self {
        if !self.events.is_empty() {
            self.events.extend(event);
        }
        self
    }
}

pub(super) fn decision_if(is_new: bool, event: TeamEvent, durability: Durability) -> Decision {
    Decision {
        events: if is_new { vec![event] } else { Vec::new() },
        durability,
    }
}
