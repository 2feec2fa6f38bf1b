//! Looks four times a second at what all processes of a command use together, which no limit of one process holds, and what the
//! member's other commands use beside it.

use std::time::{Duration, Instant};

use rustix::{event::Timespec, fs::statvfs};

use super::{
    processes,
    usage::{self, Usage},
};
use crate::{
    account::Records,
    level::Level,
    limits::{CommandLimits, Limit, MemberLimits, Used},
};

const INTERVAL: Duration = Duration::from_millis(250);

pub(super) struct Watch {
    level: Level,
    limits: CommandLimits,
    share: Option<Share>,
    begun: Instant,
    next: Instant,
}

/// This command's part of what its member uses.
pub(super) struct Share {
    pub(super) records: Records,
    pub(super) number: u32,
    pub(super) limits: MemberLimits,
    /// Whether its record says that it uses something.
    pub(super) is_written: bool,
}

impl Watch {
    /// `None` if there is nothing to watch for.
    pub(super) fn new(limits: &CommandLimits, share: Option<Share>, level: Level) -> Option<Self> {
        let is_limited = limits.total_memory_bytes.is_some()
            || limits.processes.is_some()
            || limits.cpu_seconds.is_some()
            || limits.disk_bytes.is_some()
            || limits.wall_seconds.is_some()
            || share.is_some();
        let begun = Instant::now();
        (level != Level::Off && is_limited).then(|| Self {
            level,
            limits: *limits,
            share,
            begun,
            next: begun + INTERVAL,
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
        let used = self.used(&processes::all(self.level));
        let exceeded = self.limits.exceeded(&used);
        let share = self.share.as_mut();
        exceeded.or_else(|| share?.exceeded(used))
    }

    /// The command ends with these: what was used up goes on to count for the member.
    pub(super) fn end(&mut self, processes: &[i32]) {
        let Some(share) = self.share.take() else {
            return;
        };
        if share.is_written || share.limits.counts_lasting() {
            let used = self.used_up(Some(&share.limits), processes);
            // It is in memory; without it the last look counts.
            let _ = share.records.write(share.number, used);
        }
    }

    /// What is limited of what these use.
    fn used(&self, processes: &[i32]) -> Used {
        let member = self.share.as_ref().map(|share| &share.limits);
        let is_memory_limited = self.limits.total_memory_bytes.is_some()
            || member.is_some_and(|limits| limits.memory_bytes.is_some());
        Used {
            memory_bytes: match is_memory_limited {
                true => self.memory(processes),
                false => 0,
            },
            processes: u64::try_from(processes.len()).unwrap_or(u64::MAX),
            ..self.used_up(member, processes)
        }
    }

    /// What of it lasts when they end.
    fn used_up(&self, member: Option<&MemberLimits>, processes: &[i32]) -> Used {
        let own = &self.limits;
        let counts = |own: Option<u64>, member_has: fn(&MemberLimits) -> Option<u64>| {
            own.is_some() || member.and_then(member_has).is_some()
        };
        let sum = |is_limited: bool, usage: Usage| match is_limited {
            true => usage::sum(processes, usage),
            false => 0,
        };
        let cpu = counts(own.cpu_seconds, |member| member.cpu_seconds);
        let disk = counts(own.disk_bytes, |member| member.disk_bytes);
        Used {
            cpu_millis: sum(cpu, Usage::CpuMillis),
            disk_bytes: sum(disk, Usage::DiskBytes),
            wall_millis: u64::try_from(self.begun.elapsed().as_millis()).unwrap_or(u64::MAX),
            ..Used::default()
        }
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

impl Share {
    /// Says what this command uses, and finds out what all of the member do.
    fn exceeded(&mut self, used: Used) -> Option<Limit> {
        // It is in memory: where it fails, the command's own limits hold.
        self.records.write(self.number, used).ok()?;
        self.is_written = true;
        self.limits.exceeded(&used, &self.records.read().ok()?)
    }
}
