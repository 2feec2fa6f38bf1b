//! What hits a round: which processes and servers are killed or stopped, by chance.

use std::{collections::BTreeMap, fmt, io, thread, time::Duration};

use super::{
    crew::{Crew, WORKERS},
    servers::Servers,
};
use crate::torture::rng::Chance;

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Blow {
    WorkerKilled,
    WorkerStopped,
    HolderKilled,
    /// A successor takes over while the holder runs on.
    HolderMoved,
    /// A successor takes over while the holder is stopped; it wakes up late.
    HolderAsleep,
    ServerKilled,
    LeaderKilled,
    AllServersKilled,
    ServerStopped,
    LeaderStopped,
}

/// For each hit of a server there are so many of processes: servers need seconds to elect.
const OF_PROCESSES: u64 = 7;

/// How long a process sleeps that was stopped, in milliseconds.
const SLEEP_MS_MAX: u64 = 1_500;

/// How long a server sleeps, in milliseconds: more than an answer is waited for, less and more than another leader is elected in.
const SERVER_SLEEP_MS: [u64; 2] = [2_100, 7_000];

impl Blow {
    pub(super) fn any(chance: &mut Chance) -> Self {
        if chance.below(OF_PROCESSES + 1) < OF_PROCESSES {
            return match chance.below(5) {
                0 => Self::WorkerKilled,
                1 => Self::WorkerStopped,
                2 => Self::HolderKilled,
                3 => Self::HolderMoved,
                _ => Self::HolderAsleep,
            };
        }
        match chance.below(5) {
            0 => Self::ServerKilled,
            1 => Self::LeaderKilled,
            2 => Self::AllServersKilled,
            3 => Self::ServerStopped,
            _ => Self::LeaderStopped,
        }
    }

    pub(super) fn strike(
        self,
        crew: &mut Crew,
        servers: &mut Servers,
        chance: &mut Chance,
    ) -> io::Result<()> {
        let place = |chance: &mut Chance, count: usize| {
            usize::try_from(chance.below(count as u64)).unwrap_or_default()
        };
        let sleep = |chance: &mut Chance, least: u64, most: u64| {
            Duration::from_millis(least + chance.below(most - least))
        };
        let [least, most] = SERVER_SLEEP_MS;
        match self {
            Self::WorkerKilled => crew.kill_worker(place(chance, WORKERS.len())),
            Self::WorkerStopped => {
                let at = place(chance, WORKERS.len());
                crew.pause_worker(at)?;
                thread::sleep(sleep(chance, 0, SLEEP_MS_MAX));
                crew.wake_worker(at)
            }
            Self::HolderKilled => crew.kill_holder(),
            Self::HolderMoved => crew.replace_holder(false),
            Self::HolderAsleep => {
                crew.replace_holder(true)?;
                thread::sleep(sleep(chance, 0, SLEEP_MS_MAX));
                crew.wake_stale()
            }
            Self::ServerKilled => servers.kill(place(chance, servers.count())),
            Self::LeaderKilled => servers.kill(servers.leader().unwrap_or_default()),
            Self::AllServersKilled => servers.kill_all(),
            Self::ServerStopped => {
                let at = place(chance, servers.count());
                servers.pause(at, sleep(chance, least, most))
            }
            Self::LeaderStopped => {
                let at = servers.leader().unwrap_or_default();
                servers.pause(at, sleep(chance, least, most))
            }
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::WorkerKilled => "worker killed",
            Self::WorkerStopped => "worker stopped for a while",
            Self::HolderKilled => "holder killed",
            Self::HolderMoved => "holder replaced",
            Self::HolderAsleep => "holder replaced in its sleep",
            Self::ServerKilled => "server killed",
            Self::LeaderKilled => "leader killed",
            Self::AllServersKilled => "all servers killed",
            Self::ServerStopped => "server stopped for a while",
            Self::LeaderStopped => "leader stopped for a while",
        }
    }
}

/// How many of each there were.
#[derive(Debug, Default)]
pub(super) struct Blows(BTreeMap<Blow, u64>);

impl Blows {
    pub(super) fn one(&mut self, blow: Blow) {
        *self.0.entry(blow).or_default() += 1;
    }

    pub(super) fn count(&self) -> u64 {
        self.0.values().sum()
    }

    pub(super) fn add(&mut self, other: &Self) {
        for (blow, count) in &other.0 {
            *self.0.entry(*blow).or_default() += count;
        }
    }
}

impl fmt::Display for Blows {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<_> = self
            .0
            .iter()
            .map(|(blow, count)| format!("{} {count}", blow.word()))
            .collect();
        f.write_str(&words.join(", "))
    }
}
