//! Looks four times a second at what all processes of a command use together, which no limit of one process holds.

use std::time::{Duration, Instant};

use rustix::{event::Timespec, fs::statvfs};

use super::{
    processes,
    usage::{self, Usage},
};
use crate::{
    level::Level,
    limits::{CommandLimits, Limit},
};

const INTERVAL: Duration = Duration::from_millis(250);

pub(super) struct Watch {
    level: Level,
    limits: CommandLimits,
    next: Instant,
}

impl Watch {
    /// `None` if there is nothing to watch for.
    pub(super) fn new(limits: &CommandLimits, level: Level) -> Option<Self> {
        let is_limited = limits.total_memory_bytes.is_some()
            || limits.processes.is_some()
            || limits.cpu_seconds.is_some()
            || limits.disk_bytes.is_some();
        (level != Level::Off && is_limited).then(|| Self {
            level,
            limits: *limits,
            next: Instant::now() + INTERVAL,
        })
    }

    /// How long it is until the next look.
    pub(super) fn pause(&self) -> Timespec {
        let pause = self.next.saturating_duration_since(Instant::now());
        Timespec::try_from(pause).unwrap_or_default()
    }

    /// Looks, if it is time. What there is too much of.
    pub(super) fn look(&mut self) -> Option<Limit> {
        let now = Instant::now();
        if now < self.next {
            return None;
        }
        self.next = now + INTERVAL;
        let all = processes::all(self.level);
        let count = u64::try_from(all.len()).unwrap_or(u64::MAX);
        let exceeds = |used: u64, limit: Option<u64>| limit.is_some_and(|limit| used > limit);
        if exceeds(count, self.limits.processes.map(u64::from)) {
            return Some(Limit::Processes);
        }
        let limit = self.limits.total_memory_bytes;
        if limit.is_some() && exceeds(self.memory(&all), limit) {
            return Some(Limit::Memory);
        }
        let limit = self.limits.cpu_seconds;
        if limit.is_some() && exceeds(usage::sum(&all, Usage::CpuSeconds), limit) {
            return Some(Limit::CpuTime);
        }
        let limit = self.limits.disk_bytes;
        (limit.is_some() && exceeds(usage::sum(&all, Usage::DiskBytes), limit))
            .then_some(Limit::DiskWritten)
    }

    fn memory(&self, processes: &[i32]) -> u64 {
        let private: u64 = processes.iter().copied().map(usage::private_bytes).sum();
        private.saturating_add(self.shared_bytes())
    }

    /// What is in the command's own file system in memory.
    fn shared_bytes(&self) -> u64 {
        match self.level {
            Level::Full => statvfs("/dev/shm").map_or(0, |found| {
                let used = found.f_blocks.saturating_sub(found.f_bfree);
                used.saturating_mul(found.f_frsize)
            }),
            Level::Landlock | Level::None | Level::Off => 0,
        }
    }
}
