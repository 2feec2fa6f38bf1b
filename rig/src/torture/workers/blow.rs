//! What hits workers and servers, by chance.

use std::{collections::BTreeMap, fmt, io, thread, time::Duration};

use teammate_core::MemberName;

use super::{
    cables::Side,
    fleet::Fleet,
    names::{SERVERS, WORKERS},
};
use crate::torture::rng::Chance;

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Blow {
    WorkerKilled,
    StewardKilled,
    /// The worker that holds the lead.
    LeadsWorkerKilled,
    /// A worker sleeps for longer than a take-over takes, and wakes up late.
    WorkerAsleep,
    /// A worker alone is cut off.
    WorkerCut,
    /// A server alone is cut off.
    ServerCut,
    /// A server and a worker are cut off together.
    MinorityCut,
    /// Two servers and two workers are cut off from the rest, the person among it.
    MajorityCut,
    ServerKilled,
    LeaderKilled,
    ServerAsleep,
    AllServersKilled,
}

/// Each as often as it is in here.
const CHOICE: [Blow; 18] = [
    Blow::WorkerKilled,
    Blow::WorkerKilled,
    Blow::WorkerKilled,
    Blow::WorkerKilled,
    Blow::StewardKilled,
    Blow::StewardKilled,
    Blow::LeadsWorkerKilled,
    Blow::LeadsWorkerKilled,
    Blow::WorkerAsleep,
    Blow::WorkerAsleep,
    Blow::WorkerCut,
    Blow::WorkerCut,
    Blow::ServerCut,
    Blow::MinorityCut,
    Blow::MajorityCut,
    Blow::ServerKilled,
    Blow::LeaderKilled,
    Blow::ServerAsleep,
];

/// All servers are killed once among so many blows: afterwards nothing happens for long.
const ALL_SERVERS_ONE_OF: u64 = 25;

/// For how long a killed worker stays away, in milliseconds.
const AWAY_MS: [u64; 2] = [0, 4_000];

/// For how long a worker sleeps: longer than five beats.
const SLEEP_MS: [u64; 2] = [7_000, 14_000];

/// For how long a cable is out, or a server sleeps: from nothing that is noticed to a take-over.
const CUT_MS: [u64; 2] = [1_000, 12_000];

impl Blow {
    pub(super) fn any(chance: &mut Chance) -> Self {
        if chance.below(ALL_SERVERS_ONE_OF) == 0 {
            return Self::AllServersKilled;
        }
        CHOICE[place(chance, CHOICE.len())]
    }

    /// Strikes; in the end all cables are where they were, and all processes run.
    pub(super) fn strike(
        self,
        fleet: &mut Fleet,
        team: &str,
        chance: &mut Chance,
    ) -> io::Result<()> {
        let worker = place(chance, WORKERS.len());
        let server = place(chance, SERVERS.len());
        match self {
            Self::WorkerKilled => kill(fleet, worker, chance),
            Self::StewardKilled => {
                let steward = fleet.places(team).ok().and_then(|places| {
                    let steward = places.steward()?;
                    fleet.at(&steward.worker)
                });
                kill(fleet, steward.unwrap_or(worker), chance)
            }
            Self::LeadsWorkerKilled => {
                let holder = fleet.places(team).ok().and_then(|places| {
                    let lead = places.placement(&MemberName::lead())?;
                    fleet.at(lead.worker.as_ref()?)
                });
                kill(fleet, holder.unwrap_or(worker), chance)
            }
            Self::WorkerAsleep => {
                fleet.workers[worker].pause()?;
                sleep(chance, SLEEP_MS);
                fleet.workers[worker].wake()
            }
            Self::WorkerCut => cut(fleet, &[], &[worker], chance),
            Self::ServerCut => cut(fleet, &[server], &[], chance),
            Self::MinorityCut => cut(fleet, &[server], &[worker], chance),
            Self::MajorityCut => {
                let others = |one: usize| [(one + 1) % 3, (one + 2) % 3];
                cut(fleet, &others(server), &others(worker), chance)
            }
            Self::ServerKilled => fleet.servers.kill(server),
            Self::LeaderKilled => {
                let leader = fleet.servers.leader();
                fleet.servers.kill(leader.unwrap_or(server))
            }
            Self::ServerAsleep => {
                fleet.servers.pause(server)?;
                sleep(chance, CUT_MS);
                fleet.servers.wake(server)
            }
            Self::AllServersKilled => fleet.servers.kill_all(),
        }
    }

    fn word(self) -> &'static str {
        match self {
            Self::WorkerKilled => "worker killed",
            Self::StewardKilled => "steward killed",
            Self::LeadsWorkerKilled => "the lead's worker killed",
            Self::WorkerAsleep => "worker asleep",
            Self::WorkerCut => "worker cut off",
            Self::ServerCut => "server cut off",
            Self::MinorityCut => "server and worker cut off",
            Self::MajorityCut => "two servers and two workers cut off",
            Self::ServerKilled => "server killed",
            Self::LeaderKilled => "leader killed",
            Self::ServerAsleep => "server asleep",
            Self::AllServersKilled => "all servers killed",
        }
    }
}

fn place(chance: &mut Chance, count: usize) -> usize {
    usize::try_from(chance.below(count as u64)).unwrap_or_default()
}

fn sleep(chance: &mut Chance, [least, most]: [u64; 2]) {
    thread::sleep(Duration::from_millis(least + chance.below(most - least)));
}

fn kill(fleet: &mut Fleet, at: usize, chance: &mut Chance) -> io::Result<()> {
    fleet.kill(at)?;
    sleep(chance, AWAY_MS);
    fleet.start_all()
}

fn cut(
    fleet: &mut Fleet,
    servers: &[usize],
    workers: &[usize],
    chance: &mut Chance,
) -> io::Result<()> {
    fleet.plug_into(Side::Away, servers, workers)?;
    sleep(chance, CUT_MS);
    fleet.plug_into(Side::Home, servers, workers)
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
