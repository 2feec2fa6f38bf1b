//! Moments of schedules, which need the time zones of the machine.

use crate::{Timestamp, team::ScheduleTime};

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
