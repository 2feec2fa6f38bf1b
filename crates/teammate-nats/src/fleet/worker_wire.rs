//! The wire of one worker of one team, as core wants it: JSON in what is sealed.

use std::{
    collections::BTreeMap,
    sync::{Arc, Mutex},
    time::Duration,
};

use bytes::Bytes;
use serde::{Deserialize, Serialize, de::DeserializeOwned};
use teammate_core::{
    lock::Hold,
    name::WorkerName,
    port::{
        self, BoxFuture, FileError, FleetAnswer, FleetAsked, FleetFeed, FleetQuestion, FleetReply,
        QuestionProof,
    },
    team::Beat,
};
use tokio::{sync::Notify, time::Instant};

use super::{AskOutcome, Heard, NatsFleet, WireFeed};
use crate::layout::TeamId;

/// A beat that says nothing new waits so long for the next one of any team of the process.
const BEAT_EVERY: Duration = Duration::from_millis(700);

/// A team that has not beaten for so long is left out: its worker may hang in it.
const BEAT_OLD: Duration = Duration::from_secs(2);

/// The process that the seats of its teams share: its beats, one message a second for all of them, and what concerns all.
/// Cheap to clone.
#[derive(Clone, Default)]
pub struct WorkerProcess(Arc<Shared>);

#[derive(Default)]
struct Shared {
    beats: Mutex<Beats>,
    drains: Notify,
}

/// An order for a process, whichever team it is said in.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ProcessOrder {
    /// Give up what you hold, and end.
    Drain,
}

#[derive(Default)]
struct Beats {
    teams: BTreeMap<TeamId, (Beat, Instant)>,
    said: Option<Instant>,
}

/// One worker's wire of one team.
pub struct WorkerWire {
    fleet: NatsFleet,
    own: WorkerName,
    process: WorkerProcess,
}

impl NatsFleet {
    /// This wire as the worker with this name uses it. All seats of a process share a process.
    pub fn worker_wire(self, own: WorkerName, process: WorkerProcess) -> WorkerWire {
        WorkerWire {
            fleet: self,
            own,
            process,
        }
    }
}

impl WorkerWire {
    /// Asks the process of a worker to drain, and waits for it to say that it has heard.
    pub async fn order_drain(&self, worker: &WorkerName, within: Duration) -> AskOutcome {
        self.fleet
            .ask(&self.own, worker, json(&ProcessOrder::Drain), within)
            .await
    }
}

impl Drop for WorkerWire {
    fn drop(&mut self) {
        self.process
            .0
            .beats
            .hold()
            .teams
            .remove(&self.fleet.place.team);
    }
}

impl WorkerProcess {
    /// Resolves when the process is asked to drain.
    pub async fn drain_asked(&self) {
        self.0.drains.notified().await;
    }

    /// Takes the beat that is to be sent now; nothing if others of the process have sent it a moment ago.
    fn take(&self, team: &TeamId, beat: &Beat) -> Option<BTreeMap<TeamId, Beat>> {
        let (mut beats, now) = (self.0.beats.hold(), Instant::now());
        let before = beats.teams.insert(team.clone(), (beat.clone(), now));
        let is_said = before.is_some_and(|(before, _)| before == *beat);
        if is_said && beats.said.is_some_and(|said| now - said < BEAT_EVERY) {
            return None;
        }
        beats.said = Some(now);
        beats.teams.retain(|_, (_, at)| now - *at < BEAT_OLD);
        let all = beats.teams.iter();
        Some(
            all.map(|(team, (beat, _))| (team.clone(), beat.clone()))
                .collect(),
        )
    }
}

impl port::Fleet for WorkerWire {
    fn beat<'a>(&'a self, beat: &'a Beat) -> BoxFuture<'a, ()> {
        Box::pin(async move {
            if let Some(all) = self.process.take(&self.fleet.place.team, beat) {
                self.fleet.beat(&self.own, json(&all)).await;
            }
        })
    }

    fn beats(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<Beat>>, FileError>> {
        Box::pin(async move {
            let feed = self.fleet.beats().await.map_err(FileError::Other)?;
            self.fleet.settled(&self.own).await;
            let team = self.fleet.place.team.clone();
            Ok(Box::new(BeatFeed { feed, team }) as Box<dyn FleetFeed<Beat>>)
        })
    }

    fn ask<'a>(
        &'a self,
        worker: &'a WorkerName,
        asked: &'a FleetQuestion,
        within: Duration,
    ) -> BoxFuture<'a, FleetReply> {
        Box::pin(async move {
            let asking = self.fleet.ask(&self.own, worker, question(asked), within);
            match asking.await {
                // What cannot be read is the answer of a later version.
                AskOutcome::Answered(answer) => {
                    FleetReply::Answered(read(&answer).unwrap_or(FleetAnswer::Unknown))
                }
                AskOutcome::Nobody => FleetReply::Nobody,
                AskOutcome::Silent => FleetReply::Silent,
            }
        })
    }

    fn asked(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<FleetAsked>>, FileError>> {
        Box::pin(async move {
            let feed = self.fleet.asked(&self.own).await;
            let feed = feed.map_err(FileError::Other)?;
            self.fleet.settled(&self.own).await;
            let process = self.process.clone();
            Ok(Box::new(QuestionFeed { feed, process }) as Box<dyn FleetFeed<FleetAsked>>)
        })
    }
}

struct BeatFeed {
    feed: WireFeed,
    team: TeamId,
}

impl FleetFeed<Beat> for BeatFeed {
    fn next(&mut self) -> BoxFuture<'_, Option<Beat>> {
        Box::pin(async move {
            loop {
                let heard = self.feed.next().await?;
                let all: Option<BTreeMap<TeamId, Beat>> = read(&heard.body);
                let beat = all.and_then(|mut all| all.remove(&self.team));
                // Nobody beats for another worker.
                if let Some(beat) = beat.filter(|beat| beat.worker.as_str() == heard.of) {
                    return Some(beat);
                }
            }
        })
    }
}

struct QuestionFeed {
    feed: WireFeed,
    process: WorkerProcess,
}

impl FleetFeed<FleetAsked> for QuestionFeed {
    fn next(&mut self) -> BoxFuture<'_, Option<FleetAsked>> {
        Box::pin(async move {
            loop {
                let heard = self.feed.next().await?;
                if let Some(ProcessOrder::Drain) = read(&heard.body) {
                    self.process.0.drains.notify_one();
                    heard.answer(json(&FleetAnswer::Pong)).await;
                    continue;
                }
                let Ok(by) = WorkerName::parse(&heard.of) else {
                    continue;
                };
                match read(&heard.body) {
                    Some(question) => return Some(asked(by, question, heard)),
                    None => heard.answer(json(&FleetAnswer::Unknown)).await,
                }
            }
        })
    }
}

fn asked(by: WorkerName, question: FleetQuestion, heard: Heard) -> FleetAsked {
    let proof = match &question {
        // It was JSON.
        FleetQuestion::Decide(_) => Some(QuestionProof {
            text: String::from_utf8_lossy(&heard.body).into_owned(),
            seal: heard.seal.clone(),
        }),
        FleetQuestion::Ping | FleetQuestion::Rest { .. } | FleetQuestion::Job { .. } => None,
    };
    let answer = move |answer: FleetAnswer| {
        tokio::spawn(async move { heard.answer(json(&answer)).await });
    };
    FleetAsked {
        by,
        question,
        proof,
        answer: Box::new(answer),
    }
}

/// A question as it is sent.
pub(crate) fn question(question: &FleetQuestion) -> Bytes {
    json(question)
}

fn json(value: &impl Serialize) -> Bytes {
    let text = serde_json::to_vec(value);
    text.expect("names, texts and numbers are JSON").into()
}

fn read<T: DeserializeOwned>(body: &Bytes) -> Option<T> {
    serde_json::from_slice(body).ok()
}
