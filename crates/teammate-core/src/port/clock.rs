//! Time and identifiers, and moments of schedules, which need the time zones of the machine.

use std::time::Duration;

use uuid::Uuid;

use crate::{Timestamp, team::ScheduleTime};

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

/// Reads and computes times of schedules.
pub trait Calendar: Send + Sync {
    /// Reads what a person or a model writes: a cron expression, or a moment.
    ///
    /// Errors: what is wrong, in a sentence without its full stop.
    fn read(&self, text: &str, now: Timestamp) -> Result<ScheduleTime, String>;

    /// The first moment after this one; nothing if there is none.
    ///
    /// Errors: as for [`read`](Self::read).
    fn next(&self, when: &ScheduleTime, after: Timestamp) -> Result<Option<Timestamp>, String>;

    /// A moment where the user is, as `2026-11-25 09:00`.
    fn shown(&self, at: Timestamp) -> String;
}
