//! Work at a time: what the team's journal says of it, and the calendar by which it comes.

pub use teammate_core::{
    port::Calendar,
    team::{
        MissedRuns, Schedule, ScheduleId, ScheduleRefusal, ScheduleTime, ScheduledWork, Schedules,
    },
};

pub use crate::calendar::MachineCalendar;
