//! The holdings of workers: who has ever held whom, and who has been the steward, as the journal says.
//!
//! Also of the past: what a worker wrote while it held a member stays true when the member has moved.

use std::{
    collections::BTreeSet,
    sync::{RwLock, RwLockReadGuard},
};

use teammate_core::{MemberName, lock::HoldRw, name::WorkerName, team::PlaceEvent};

/// Which worker has ever held which member: a fold over the journal, shared by all that reads one team.
#[derive(Debug, Default)]
pub struct Holdings(RwLock<Seen>);

#[derive(Debug, Default)]
struct Seen {
    held: BTreeSet<(WorkerName, MemberName)>,
    stewards: BTreeSet<WorkerName>,
}

impl Holdings {
    /// Takes what happened. The same again changes nothing.
    pub fn see(&self, event: &PlaceEvent) {
        let mut seen = self.0.hold_write();
        match event {
            PlaceEvent::Placed { member, worker, .. }
            | PlaceEvent::Moved { member, worker, .. } => {
                seen.held.insert((worker.clone(), member.clone()));
            }
            PlaceEvent::Stewarded { worker, .. } => {
                seen.stewards.insert(worker.clone());
            }
            PlaceEvent::Joined { .. }
            | PlaceEvent::Left { .. }
            | PlaceEvent::Delivered { .. }
            | PlaceEvent::Demanded { .. } => {}
        }
    }

    /// Whether this worker holds or held this member.
    pub fn has_held(&self, worker: &WorkerName, member: &MemberName) -> bool {
        let held = (worker.clone(), member.clone());
        self.seen().held.contains(&held)
    }

    /// Whether this worker is or was the steward.
    pub fn has_stewarded(&self, worker: &WorkerName) -> bool {
        self.seen().stewards.contains(worker)
    }

    fn seen(&self) -> RwLockReadGuard<'_, Seen> {
        self.0.hold_read()
    }
}
