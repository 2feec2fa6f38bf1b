//! The workers of one team: each a host with a seat, started again whenever it has ended.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    agent::ContextWindow,
    name::WorkerName,
    port::{Journal, Tool},
    team::Walls,
};
use teammate_runtime::{Host, Ports, Setup, WorkerRole};
use teammate_testkit::memory::{MemoryArchive, MemoryFleet, WireFault};
use tokio::time::Instant;
use uuid::Uuid;

use super::{
    earlier::Earlier,
    engine::Engine,
    life::{Life, LifeIds},
    mishaps::Mishap,
    planted::Planted,
    ports::Access,
    rogue,
};
use crate::simulation::{
    chance::Chance,
    mad::{CONTEXT_TOKENS, Mad, Mads},
    scribble::{Done, Scribble},
    work::Work,
};

/// How long a model thinks at most, in milliseconds: work must last while workers fail.
const THINKS: u64 = 1_500;

/// All workers.
pub(crate) struct Crew {
    pub(crate) engine: Engine,
    pub(crate) mad: Mad,
    pub(crate) done: Done,
    pub(crate) workers: Vec<Worker>,
    chance: Chance,
    wires: MemoryFleet,
    pub(crate) begun: Instant,
    lives: u64,
}

/// One worker, perhaps between two lives.
pub(crate) struct Worker {
    pub(crate) name: WorkerName,
    pub(crate) process: Option<Process>,
}

/// A process of a worker.
pub(crate) struct Process {
    pub(crate) host: Host,
    pub(crate) life: Life,
    access: Access,
}

impl Process {
    /// The count of its changes of rest, if it last said that it rests.
    pub(crate) fn says_it_rests(&self) -> Option<u64> {
        self.access.last_rest()
    }

    /// Whether its host has ended its part in the team.
    async fn has_ended(&self) -> bool {
        tokio::select! {
            biased;
            _ = self.host.stopped_as_worker() => true,
            // A program closes a team whose storage fails.
            () = self.host.storage_fails() => true,
            () = std::future::ready(()) => false,
        }
    }
}

impl Crew {
    pub(crate) fn new(engine: Engine, chance: &Chance, size: u64) -> Self {
        let name = |number| WorkerName::parse(&format!("w{number}")).unwrap();
        let worker = |number| Worker {
            name: name(number),
            process: None,
        };
        Self {
            engine,
            mad: Mad::thinking(chance.clone(), THINKS),
            done: Done::default(),
            workers: (1..=size).map(worker).collect(),
            chance: chance.clone(),
            wires: MemoryFleet::default(),
            begun: Instant::now(),
            lives: 0,
        }
    }

    /// Starts the worker, if it does not run.
    pub(crate) async fn start(&mut self, at: usize) {
        if self.workers[at].process.is_some() {
            return;
        }
        self.lives += 1;
        let name = self.workers[at].name.clone();
        let life = Life::new(self.lives, name.clone(), self.begun);
        let access = Access::new(&self.engine, &life, self.wires.wire(&name));
        let ports = self.ports(&access, &life);
        let role = WorkerRole {
            wire: Arc::new(access.clone()),
            governors: None,
            name,
            session: Uuid::from_u128(u128::from(life.number)),
            labels: [].into(),
            places: 8,
            walls: Walls::default(),
        };
        for _ in 0..100 {
            let host = Host::open_as_worker(role.clone(), ports.clone(), self.setup()).await;
            if let Ok(host) = host
                && host.start().await.is_ok()
            {
                if self.engine.has(Planted::JobsOfOthersLost) {
                    rogue::bury_jobs(&access, &life).await;
                }
                let process = Process { host, life, access };
                self.workers[at].process = Some(process);
                return;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
        panic!("a worker does not start");
    }

    /// The worker's process dies here and now.
    pub(crate) fn kill(&mut self, at: usize) {
        if let Some(process) = self.workers[at].process.take() {
            self.engine.mishaps.count(Mishap::Killed);
            process.life.die();
            drop(process.host);
        }
    }

    /// Ends processes whose hosts have ended by themselves, as their programs would; they start again.
    pub(crate) async fn bury(&mut self) {
        for at in 0..self.workers.len() {
            if let Some(process) = &self.workers[at].process
                && process.has_ended().await
            {
                self.kill(at);
            }
        }
    }

    /// What workers do that follow what is another's to follow, if that is planted.
    pub(crate) async fn pass_deadlines(&self) {
        if !self.engine.has(Planted::DeadlinesByAnyClock) {
            return;
        }
        for process in self.workers.iter().filter_map(|w| w.process.as_ref()) {
            let pass = rogue::pass_deadlines(&process.access, &process.life);
            // One that is stopped or cut off takes for ever.
            let _ = tokio::time::timeout(Duration::from_millis(500), pass).await;
        }
    }

    /// All programs end in order, at once.
    pub(crate) async fn close(&mut self) {
        let processes = self.workers.iter_mut().filter_map(|w| w.process.take());
        let closing = processes.map(|process| tokio::spawn(process.host.close()));
        for closed in closing.collect::<Vec<_>>() {
            closed.await.unwrap();
        }
    }

    /// Cuts the worker off from the engine and the others, or only from these; or heals it.
    pub(crate) fn part(&self, at: usize, from: Parted) {
        let worker = &self.workers[at];
        if let Some(mishap) = from.mishap() {
            self.engine.mishaps.count(mishap);
        }
        match from {
            Parted::Not => self.wires.heal_wire(&worker.name),
            Parted::FromAll => self.wires.break_wire(&worker.name, WireFault::CutOff),
            Parted::FromOthers(fault) => self.wires.break_wire(&worker.name, fault),
        }
        if let Some(process) = &worker.process {
            process.life.cut(from == Parted::FromAll);
            if from != Parted::FromAll {
                process.access.ring_all();
            }
        }
    }

    pub(crate) fn stop(&self, at: usize, is_stopped: bool) {
        if let Some(process) = &self.workers[at].process {
            if is_stopped {
                self.engine.mishaps.count(Mishap::Stopped);
            }
            process.life.stop(is_stopped);
        }
    }

    /// The worker's clock is off by so many milliseconds from now on.
    pub(crate) fn set_clock(&self, at: usize, off: i64) {
        if let Some(process) = &self.workers[at].process {
            self.engine.mishaps.count(Mishap::ClockJumped);
            process.life.set_clock(off);
        }
    }

    pub(crate) fn hosts(&self) -> impl Iterator<Item = &Host> {
        let processes = self.workers.iter().filter_map(|w| w.process.as_ref());
        processes.map(|process| &process.host)
    }

    fn ports(&self, access: &Access, life: &Life) -> Ports {
        Ports {
            journal: Arc::new(access.clone()),
            mailbox: Arc::new(access.clone()),
            transcripts: Arc::new(access.clone()),
            archive: Arc::new(MemoryArchive),
            models: Arc::new(Mads(self.mad.clone())),
            clock: Arc::new(life.clone()),
            ids: Arc::new(LifeIds {
                life: life.clone(),
                chance: self.chance.clone(),
            }),
            processes: None,
            questions: None,
            transfer: None,
            calendar: None,
            agents: None,
            worktrees: None,
            rule_book: None,
            audit: None,
            mode_limit: None,
            hooks: None,
        }
    }

    fn setup(&self) -> Setup {
        let asks = self.chance.below(3) == 0;
        let more = || -> Vec<Arc<dyn Tool>> {
            let earlier = Arc::new(Earlier(self.engine.clone()));
            let journals: Vec<Arc<dyn Journal>> = vec![self.engine.journal.clone(), earlier];
            vec![
                Arc::new(Work::new(self.chance.clone())),
                Arc::new(Scribble::new(self.done.clone(), journals)),
            ]
        };
        let mut setup =
            crate::simulation::setup::setup(more, asks.then_some(Duration::from_secs(2)));
        setup.config.limits.context = ContextWindow::new(CONTEXT_TOKENS, 0.8);
        setup
    }
}

/// What a worker is parted from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Parted {
    Not,
    FromAll,
    FromOthers(WireFault),
}

impl Parted {
    fn mishap(self) -> Option<Mishap> {
        match self {
            Self::Not => None,
            Self::FromAll => Some(Mishap::CutFromAll),
            Self::FromOthers(WireFault::CutOff) => Some(Mishap::CutFromOthers),
            Self::FromOthers(WireFault::Deaf) => Some(Mishap::Deaf),
            Self::FromOthers(WireFault::Mute) => Some(Mishap::Mute),
            Self::FromOthers(WireFault::Late(_)) => Some(Mishap::AnswersLate),
            Self::FromOthers(WireFault::AnswersLost) => Some(Mishap::AnswersLost),
            Self::FromOthers(WireFault::Paused) => Some(Mishap::Stopped),
        }
    }
}
