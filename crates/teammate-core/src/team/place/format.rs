//! Which events a program reads, where workers of different versions run one team.

use serde::{Deserialize, Serialize};

use super::PlaceEvent;

/// All events that a program reads, as a number that grows with each version that has a new one. Fields that are added to an event do
/// not count: earlier programs leave them out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct JournalFormat(pub u16);

impl JournalFormat {
    /// That of workers that do not say theirs.
    pub const FIRST: Self = Self(1);
    /// That of this program. Counted up with the first event that is added after a release.
    pub const NOW: Self = Self(1);

    /// The format that an event about workers and placements needs.
    pub fn of_place(event: &PlaceEvent) -> Self {
        match event {
            PlaceEvent::Joined { .. }
            | PlaceEvent::Left { .. }
            | PlaceEvent::Stewarded { .. }
            | PlaceEvent::Placed { .. }
            | PlaceEvent::Moved { .. }
            | PlaceEvent::Delivered { .. }
            | PlaceEvent::Demanded { .. } => Self::FIRST,
        }
    }

    /// Whether it goes without saying.
    pub(super) fn is_first(&self) -> bool {
        *self == Self::FIRST
    }
}

impl Default for JournalFormat {
    fn default() -> Self {
        Self::FIRST
    }
}
