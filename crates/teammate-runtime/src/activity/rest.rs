//! The rest of the members that run here, for those who wait on other workers.

use std::{collections::BTreeMap, sync::atomic::Ordering};

use teammate_core::{MemberName, lock::Hold};

use super::Activity;

/// The reading of the members that run here, while none of them works.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Reading {
    /// How much of whose mail was read.
    pub(crate) mail: BTreeMap<MemberName, Option<u64>>,
    /// Whether some only wait for the others.
    pub(crate) is_waiting: bool,
}

impl Activity {
    /// The reading of members, if none but `except` works and nothing that they sent is under way.
    pub(crate) fn reading(&self, except: Option<&MemberName>) -> Option<Reading> {
        let seats = self.seats.hold();
        if self.under_way.load(Ordering::SeqCst) > 0 || !self.leaving.hold().is_empty() {
            return None;
        }
        let mut reading = Reading {
            mail: BTreeMap::new(),
            is_waiting: false,
        };
        for (name, seat) in seats.iter().filter(|(name, _)| Some(*name) != except) {
            if !seat.is_idle() && !seat.waits {
                return None;
            }
            reading.is_waiting |= !seat.is_idle();
            // What lies there for a member that waits ends its wait, or is left until it is over.
            let read = seat.read.filter(|_| seat.is_idle());
            reading.mail.insert(name.clone(), read);
        }
        Some(reading)
    }
}
