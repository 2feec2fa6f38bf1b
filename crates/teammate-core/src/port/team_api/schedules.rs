//! Questions about schedules.

use crate::team::{MissedRuns, ScheduleId, ScheduledWork};

/// A wish of the lead about schedules.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ScheduleAsk {
    /// See them.
    List,
    /// Have something done at a time.
    Add {
        /// When, as the model writes it.
        when: String,
        work: ScheduledWork,
        /// The treatment of moments at which nobody runs the team.
        missed: MissedRuns,
    },
    Remove(ScheduleId),
    /// Let one rest.
    Pause(ScheduleId),
    /// Let one go on.
    Resume(ScheduleId),
}
