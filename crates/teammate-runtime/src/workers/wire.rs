//! The messages of a machine: beats, pings, questions; and what it appends to the journal.

use std::time::Duration;

use teammate_core::{
    name::WorkerName,
    port::{FleetFeed, FleetQuestion, FleetReply},
    team::{Beat, PlaceEvent},
};
use teammate_fleet::{Append, AppendOutcome, PingAnswer, WorkerInput};
use tokio::{
    sync::mpsc,
    time::{sleep, timeout},
};

use super::{Input, RETRY_PAUSE, answers, crew::Crew, machine::Machine};

/// How long a worker may take to say that it is there.
const PONG_WITHIN: Duration = Duration::from_millis(500);
/// A beat that takes longer is late in any case.
const BEAT_WITHIN: Duration = Duration::from_secs(1);

impl Machine {
    /// Hears the other workers, and answers them.
    pub(super) fn listen(&mut self) {
        let (wire, inputs, crew) = (
            self.role.wire.clone(),
            self.inputs.clone(),
            self.crew.clone(),
        );
        self.under_way.spawn(async move {
            loop {
                if let Ok(feed) = wire.beats().await {
                    hear(feed, &crew, &inputs).await;
                }
                sleep(RETRY_PAUSE).await;
            }
        });
        let (wire, crew) = (self.role.wire.clone(), self.crew.clone());
        self.under_way.spawn(async move {
            loop {
                if let Ok(feed) = wire.asked().await {
                    answers::serve(feed, &crew).await;
                }
                sleep(RETRY_PAUSE).await;
            }
        });
    }

    pub(super) fn beat(&mut self, mut beat: Beat) {
        beat.rests = self.crew.rest.sign();
        let wire = self.role.wire.clone();
        self.under_way.spawn(async move {
            // One that is lost is missed by those who should hear it.
            let _ = timeout(BEAT_WITHIN, wire.beat(&beat)).await;
        });
    }

    pub(super) fn ping(&mut self, worker: WorkerName) {
        let (wire, inputs) = (self.role.wire.clone(), self.inputs.clone());
        self.under_way.spawn(async move {
            let reply = wire.ask(&worker, &FleetQuestion::Ping, PONG_WITHIN).await;
            let answer = match reply {
                FleetReply::Answered(_) => PingAnswer::There,
                FleetReply::Nobody => PingAnswer::Nobody,
                FleetReply::Silent => PingAnswer::Silence,
            };
            let _ = inputs.send(WorkerInput::Pong { worker, answer }).await;
        });
    }

    pub(super) fn append(&mut self, append: Append<Vec<PlaceEvent>>) {
        let (places, inputs) = (self.places.clone(), self.inputs.clone());
        self.under_way.spawn(async move {
            let (id, events) = (append.id, append.payload);
            let outcome = places.append(append.expects, events).await;
            if outcome == AppendOutcome::Silence {
                sleep(RETRY_PAUSE).await;
            }
            let _ = inputs
                .send(WorkerInput::JournalOutcome { id, outcome })
                .await;
        });
    }
}

/// Hands beats on until the wire is closed.
async fn hear(mut feed: Box<dyn FleetFeed<Beat>>, crew: &Crew, inputs: &mpsc::Sender<Input>) {
    while let Some(beat) = feed.next().await {
        if crew.placed.hear(&beat) {
            // Who waits for rest looks again.
            crew.base.activity.recheck();
        }
        if inputs.send(WorkerInput::Beat(beat)).await.is_err() {
            return;
        }
    }
}
