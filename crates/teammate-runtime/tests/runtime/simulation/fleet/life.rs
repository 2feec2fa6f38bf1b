//! One life of a worker's process, as the world sees it: it runs, is stopped like by SIGSTOP, or is dead; and its cable to the
//! engine is whole or cut. What a dead process still tries happens nowhere and never ends.

use std::{
    sync::{
        Arc,
        atomic::{AtomicI64, Ordering},
    },
    time::Duration,
};

use teammate_core::{
    Timestamp,
    name::WorkerName,
    port::{BoxFuture, Clock, FleetFeed, Ids},
};
use tokio::{sync::watch, time::Instant};
use uuid::Uuid;

use crate::simulation::chance::Chance;

/// How long the engine's client waits for an answer.
const ANSWER_WITHIN: Duration = Duration::from_secs(10);

/// Where the simulation's time begins.
const EPOCH: u64 = 1_800_000_000_000;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Standing {
    is_stopped: bool,
    is_dead: bool,
    is_cut: bool,
}

/// A process. Clones are the same.
#[derive(Clone)]
pub(crate) struct Life {
    pub(crate) number: u64,
    pub(crate) worker: WorkerName,
    standing: Arc<watch::Sender<Standing>>,
    /// How far its clock is off, in milliseconds.
    clock_off: Arc<AtomicI64>,
    pub(crate) begun: Instant,
}

impl Life {
    pub(crate) fn new(number: u64, worker: WorkerName, begun: Instant) -> Self {
        let standing = Standing {
            is_stopped: false,
            is_dead: false,
            is_cut: false,
        };
        Self {
            number,
            worker,
            standing: Arc::new(watch::Sender::new(standing)),
            clock_off: Arc::default(),
            begun,
        }
    }

    pub(crate) fn die(&self) {
        self.standing
            .send_modify(|standing| standing.is_dead = true);
    }

    pub(crate) fn stop(&self, is_stopped: bool) {
        self.standing
            .send_modify(|standing| standing.is_stopped = is_stopped);
    }

    pub(crate) fn cut(&self, is_cut: bool) {
        self.standing
            .send_modify(|standing| standing.is_cut = is_cut);
    }

    pub(crate) fn set_clock(&self, off: i64) {
        self.clock_off.store(off, Ordering::SeqCst);
    }

    pub(crate) fn clock_off(&self) -> i64 {
        self.clock_off.load(Ordering::SeqCst)
    }

    /// Resolves while the process runs; never, when it is dead.
    pub(crate) async fn runs(&self) {
        let runs = |standing: &Standing| !standing.is_stopped && !standing.is_dead;
        let _ = self.standing.subscribe().wait_for(runs).await;
    }

    /// Resolves while the process runs and the engine can be reached.
    pub(crate) async fn reaches(&self) {
        let reaches = |standing: &Standing| Self::is_fine(*standing);
        let _ = self.standing.subscribe().wait_for(reaches).await;
    }

    fn is_fine(standing: Standing) -> bool {
        !standing.is_stopped && !standing.is_dead && !standing.is_cut
    }

    pub(crate) fn is_reaching(&self) -> bool {
        Self::is_fine(*self.standing.borrow())
    }

    /// Gives up what takes longer than the engine's client waits. Time passes for a stopped process, too.
    pub(crate) async fn within<T>(&self, work: impl Future<Output = T>) -> Option<T> {
        let done = tokio::time::timeout(ANSWER_WITHIN, work).await;
        self.runs().await;
        done.ok()
    }
}

impl Clock for Life {
    fn now(&self) -> Timestamp {
        let passed = u64::try_from(self.begun.elapsed().as_millis()).unwrap();
        Timestamp((EPOCH + passed).saturating_add_signed(self.clock_off()))
    }
}

/// Ids as a process makes them: by its clock, and by the seed's chance.
pub(crate) struct LifeIds {
    pub(crate) life: Life,
    pub(crate) chance: Chance,
}

impl Ids for LifeIds {
    fn new_id(&self) -> Uuid {
        let random = [(); 10].map(|()| u8::try_from(self.chance.below(256)).unwrap());
        uuid::Builder::from_unix_timestamp_millis(self.life.now().0, &random).into_uuid()
    }
}

/// A feed of a process.
pub(crate) struct LifeFeed<T> {
    pub(crate) life: Life,
    pub(crate) feed: Box<dyn FleetFeed<T>>,
}

impl<T: Send> FleetFeed<T> for LifeFeed<T> {
    fn next(&mut self) -> BoxFuture<'_, Option<T>> {
        Box::pin(async move {
            self.life.runs().await;
            self.feed.next().await
        })
    }
}
