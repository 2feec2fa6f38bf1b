//! Time and identifiers.

use std::time::Duration;

use uuid::Uuid;

use crate::Timestamp;

/// Tells the wall time.
pub trait Clock: Send + Sync {
    /// Now. May go back when the machine's clock is set.
    fn now(&self) -> Timestamp;

    /// How long the machine has been up, its sleep counted, where that is known. Goes forward only.
    fn since_boot(&self) -> Option<Duration> {
        None
    }
}

/// Makes unique identifiers.
pub trait Ids: Send + Sync {
    /// A new id, sortable by time where the adapter can.
    fn new_id(&self) -> Uuid;
}
