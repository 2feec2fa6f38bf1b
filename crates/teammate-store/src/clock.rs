//! The machine's clock and real identifiers.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use teammate_core::{
    Timestamp,
    port::{Clock, Ids},
};
use uuid::Uuid;

/// The wall clock of the machine.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    fn now(&self) -> Timestamp {
        let since = SystemTime::now()
            .duration_since(UNIX_EPOCH)
            .unwrap_or_default();
        Timestamp(u64::try_from(since.as_millis()).unwrap_or(u64::MAX))
    }

    /// Linux tells it in a file, and counts suspended time in it.
    fn since_boot(&self) -> Option<Duration> {
        let uptime = std::fs::read_to_string("/proc/uptime").ok()?;
        let seconds: f64 = uptime.split(' ').next()?.parse().ok()?;
        Duration::try_from_secs_f64(seconds).ok()
    }
}

/// Version 7 UUIDs: random, and sorted by the time they were made.
#[derive(Debug, Clone, Copy, Default)]
pub struct UuidV7Ids;

impl Ids for UuidV7Ids {
    fn new_id(&self) -> Uuid {
        Uuid::now_v7()
    }
}
