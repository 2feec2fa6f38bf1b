//! Why something is not done about a schedule.

use serde::{Deserialize, Serialize};

use super::{SCHEDULES_MAX, TEXT_BYTES_MAX};
use crate::id::ScheduleId;

/// Why something is not done about a schedule.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum ScheduleRefusal {
    #[error("the team has {SCHEDULES_MAX} schedules, the most it may have; remove one first")]
    TooMany,
    #[error("what a schedule says has 1 to {TEXT_BYTES_MAX} bytes")]
    Text,
    #[error("there is no schedule {0}")]
    Unknown(ScheduleId),
    /// Only the lead and the user make and change them.
    #[error("only the lead and the user make and change schedules; ask the lead by mail")]
    NotTheLead,
}
