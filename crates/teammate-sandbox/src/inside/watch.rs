//! Looks four times a second at what all processes of a command use together, which no limit of one process holds.

use std::{
    fs,
    time::{Duration, Instant},
};

use rustix::{event::Timespec, fs::statvfs, param::page_size};

use super::processes;
use crate::{
    level::Level,
    limits::{CommandLimits, Limit},
};

const INTERVAL: Duration = Duration::from_millis(250);

pub(super) struct Watch {
    level: Level,
    memory: Option<u64>,
    processes: Option<u64>,
    next: Instant,
}

impl Watch {
    /// `None` if there is nothing to watch for.
    pub(super) fn new(limits: &CommandLimits, level: Level) -> Option<Self> {
        if level == Level::Off {
            return None;
        }
        let watch = Self {
            level,
            memory: limits.total_memory_bytes,
            processes: limits.processes.map(u64::from),
            next: Instant::now() + INTERVAL,
        };
        (watch.memory.is_some() || watch.processes.is_some()).then_some(watch)
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
        if self.processes.is_some_and(|limit| count > limit) {
            return Some(Limit::Processes);
        }
        let limit = self.memory?;
        let private: u64 = all.into_iter().map(private_bytes).sum();
        (private.saturating_add(self.shared_bytes()) > limit).then_some(Limit::Memory)
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

/// What is resident of a process and not shared with others; nothing if it has just ended.
fn private_bytes(process: i32) -> u64 {
    let text = fs::read_to_string(format!("/proc/{process}/statm")).unwrap_or_default();
    let mut pages = text.split_whitespace().skip(1).map(str::parse::<u64>);
    match (pages.next(), pages.next()) {
        (Some(Ok(resident)), Some(Ok(shared))) => {
            resident.saturating_sub(shared) * page_size() as u64
        }
        _ => 0,
    }
}
