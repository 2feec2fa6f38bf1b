//! Numbers that name things for ever within a team: tasks, requests, conversations, jobs, orders, schedules, goals; and terms, which
//! count holders.

mod conversation;
mod numbered;
mod request;
mod task;

use std::fmt;

use serde::{Deserialize, Serialize};

use self::numbered::numbered_id;
pub use self::{
    conversation::{ConversationId, ConversationIdError},
    request::{RequestId, RequestIdError},
    task::{TaskId, TaskIdError},
};

numbered_id! {
    /// Names a job for ever within its team: `b1`, `b2` and so on, never used twice.
    JobId, 'b', "a job"
}

numbered_id! {
    /// Names an order for ever within its team: `o1`, `o2` and so on, never used twice.
    OrderId, 'o', "an order"
}

numbered_id! {
    /// Names a goal for ever within its team: `g1`, `g2` and so on, never used twice.
    GoalId, 'g', "a goal"
}

numbered_id! {
    /// Names a schedule for ever within its team: `s1`, `s2` and so on, never used twice.
    ScheduleId, 's', "a schedule"
}

/// Counts who held a member, or the stewardship, one after the other. What comes under an old term is refused,
/// so a claim needs no clock.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Term(pub u64);

impl Term {
    /// Nobody has held it yet.
    pub const NONE: Self = Self(0);
    /// The first holder's.
    pub const FIRST: Self = Self(1);

    /// The next holder's.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0 + 1)
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}
