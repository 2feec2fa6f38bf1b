//! A moment, as data. The heart never asks what time it is: the moment comes in with what happened.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// Milliseconds since the Unix epoch.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(transparent)]
pub struct Timestamp(pub u64);

impl Timestamp {
    /// The moment in seconds, with milliseconds behind the point (how mail files write it).
    pub fn as_seconds(self) -> f64 {
        self.0 as f64 / 1000.0
    }

    /// From seconds; what is before the epoch or not a number becomes the epoch.
    pub fn from_seconds(seconds: f64) -> Self {
        Self((seconds.max(0.0) * 1000.0).round() as u64)
    }

    /// The moment that comes so much later.
    #[must_use]
    pub fn after(self, time: Duration) -> Self {
        let millis = u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self(self.0.saturating_add(millis))
    }

    /// Milliseconds from `earlier` to this moment; 0 if the clock went back.
    pub fn millis_since(self, earlier: Self) -> u64 {
        self.0.saturating_sub(earlier.0)
    }
}
