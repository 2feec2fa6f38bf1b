//! The wire between the workers of one process, and what a test breaks of it.
//!
//! Beats and questions arrive at once, in order. A worker's wire can be cut, deaf, mute, held or slow, each worker for itself, at
//! any moment. Nothing is kept: what did not arrive never does.

mod feed;
mod link;
#[cfg(test)]
mod story;
#[cfg(test)]
mod tests;

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    name::WorkerName,
    port::{
        BoxFuture, FileError, Fleet, FleetAnswer, FleetAsked, FleetFeed, FleetQuestion, FleetReply,
    },
    team::Beat,
};
use tokio::sync::{mpsc, oneshot};

use self::{feed::MemoryFeed, link::Link};
use crate::locked;

pub use self::link::WireFault;

/// The wire of one team. Clones are the same.
#[derive(Clone, Default)]
pub struct MemoryFleet(Arc<Mutex<BTreeMap<WorkerName, Arc<Station>>>>);

/// One worker, in all its lives.
#[derive(Default)]
struct Station {
    link: Link,
    beats: Mutex<Vec<mpsc::UnboundedSender<Beat>>>,
    questions: Mutex<Vec<mpsc::UnboundedSender<FleetAsked>>>,
}

impl MemoryFleet {
    /// The wire as this worker has it. A worker that is started again, or that another process doubles, has its name's faults.
    #[must_use]
    pub fn wire(&self, worker: &WorkerName) -> MemoryWire {
        MemoryWire {
            fleet: self.clone(),
            own: worker.clone(),
            station: self.station(worker),
        }
    }

    /// From now on this is wrong with the worker's wire, in place of what was wrong with it before.
    pub fn break_wire(&self, worker: &WorkerName, fault: WireFault) {
        self.station(worker).link.set(Some(fault));
    }

    /// The worker's wire is whole again.
    pub fn heal_wire(&self, worker: &WorkerName) {
        self.station(worker).link.set(None);
    }

    fn station(&self, worker: &WorkerName) -> Arc<Station> {
        let mut stations = locked(&self.0);
        stations.entry(worker.clone()).or_default().clone()
    }

    fn stations(&self) -> Vec<Arc<Station>> {
        locked(&self.0).values().cloned().collect()
    }
}

impl Station {
    fn hears(&self, beat: &Beat) {
        if self.link.hears() {
            locked(&self.beats).retain(|feed| feed.send(beat.clone()).is_ok());
        }
    }

    /// Gives a question to each process of this name; the first answer counts. False if nobody listens.
    fn asks(
        &self,
        by: &WorkerName,
        question: &FleetQuestion,
        answer: oneshot::Sender<FleetAnswer>,
    ) -> bool {
        let answer = Arc::new(Mutex::new(Some(answer)));
        let mut feeds = locked(&self.questions);
        feeds.retain(|feed| {
            let answer = answer.clone();
            let asked = FleetAsked {
                by: by.clone(),
                question: question.clone(),
                evidence: None,
                answer: Box::new(move |given| {
                    if let Some(answer) = locked(&answer).take() {
                        // The asker may have stopped waiting.
                        let _ = answer.send(given);
                    }
                }),
            };
            feed.send(asked).is_ok()
        });
        !feeds.is_empty()
    }
}

/// The wire as one worker has it.
pub struct MemoryWire {
    fleet: MemoryFleet,
    own: WorkerName,
    station: Arc<Station>,
}

impl MemoryWire {
    async fn ask_now(&self, worker: &WorkerName, question: &FleetQuestion) -> FleetReply {
        let station = self.fleet.station(worker);
        self.station.link.runs().await;
        if !self.station.link.speaks() || !station.link.hears() {
            return silent().await;
        }
        let (answer, answered) = oneshot::channel();
        if !station.asks(&self.own, question, answer) {
            return FleetReply::Nobody;
        }
        let Ok(answer) = answered.await else {
            return silent().await;
        };
        station.link.runs().await;
        if let Some(after) = station.link.answers_after() {
            tokio::time::sleep(after).await;
        }
        if !station.link.answers() || !self.station.link.hears() {
            return silent().await;
        }
        FleetReply::Answered(answer)
    }
}

/// What is lost on the way is waited for until time is up.
async fn silent() -> FleetReply {
    std::future::pending().await
}

impl Fleet for MemoryWire {
    fn beat<'a>(&'a self, beat: &'a Beat) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            self.station.link.runs().await;
            if self.station.link.speaks() {
                for station in self.fleet.stations() {
                    station.hears(beat);
                }
            }
        })
    }

    fn beats(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<Beat>>, FileError>> {
        let feed = MemoryFeed::listen(&self.station, &self.station.beats);
        Box::pin(async move { Ok(feed) })
    }

    fn ask<'a>(
        &'a self,
        worker: &'a WorkerName,
        question: &'a FleetQuestion,
        within: Duration,
    ) -> BoxFuture<'a, FleetReply> {
        Box::pin(async move {
            let asked = tokio::time::timeout(within, self.ask_now(worker, question)).await;
            // A process that is stopped reads its clock when it runs again.
            self.station.link.runs().await;
            asked.unwrap_or(FleetReply::Silent)
        })
    }

    fn asked(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<FleetAsked>>, FileError>> {
        let feed = MemoryFeed::listen(&self.station, &self.station.questions);
        Box::pin(async move { Ok(feed) })
    }
}
