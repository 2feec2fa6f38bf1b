//! The change of placements by a record of the journal: all that one who folds only these has to read.

use serde::{Deserialize, Serialize};

use super::{PlaceEvent, Placements, Walls};
use crate::MemberName;

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceChange {
    Event(PlaceEvent),
    /// A worker wrote what the team demands: it tightens only.
    Tightened(Walls),
    /// A member was stopped: nobody holds it.
    Released(MemberName),
}

impl Placements {
    /// Takes what a record changed.
    pub fn take(&mut self, change: &PlaceChange) {
        match change {
            PlaceChange::Event(event) => self.apply(event),
            PlaceChange::Tightened(walls) => self.demanded = self.demanded.tightened(walls),
            PlaceChange::Released(member) => self.release(member),
        }
    }
}
