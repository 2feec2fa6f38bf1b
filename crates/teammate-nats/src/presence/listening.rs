//! Hears who runs a team by its beats, without asking anybody: somebody begins to beat, or is not heard any more.
//!
//! It decides nothing. A beat may be lost, so a process that hears of a change asks who is there.

use std::{
    collections::BTreeMap,
    future::pending,
    sync::{Arc, OnceLock},
    time::Duration,
};

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use teammate_core::name::WorkerName;
use tokio::{
    sync::Notify,
    task::AbortHandle,
    time::{Instant, interval, sleep, sleep_until, timeout_at},
};

use super::claim::Claim;
use crate::{
    fleet::{Heard, NatsFleet, WireFeed},
    layout::TeamId,
};

/// How often who runs a team alone beats, as workers do.
const BEAT_EVERY: Duration = Duration::from_secs(1);

/// Longer than the pause between two beats: by then everybody who is there was heard.
const ALL_HEARD: Duration = Duration::from_millis(1_500);

/// The silence after which a process may be gone.
const SILENCE: Duration = Duration::from_secs(3);

/// The pause before a subscription that failed is tried again.
const AGAIN: Duration = Duration::from_millis(500);

/// Rings when others may run the team. It listens from the first wait on, until it is dropped.
#[derive(Default)]
pub(super) struct PresenceBell {
    bell: Arc<Notify>,
    listening: OnceLock<AbortHandle>,
}

impl PresenceBell {
    pub(super) async fn rang(&self, fleet: &NatsFleet) {
        self.listening.get_or_init(|| {
            let (fleet, bell) = (fleet.clone(), self.bell.clone());
            tokio::spawn(listen(fleet, bell)).abort_handle()
        });
        self.bell.notified().await;
    }
}

impl Drop for PresenceBell {
    fn drop(&mut self) {
        if let Some(task) = self.listening.get() {
            task.abort();
        }
    }
}

async fn listen(fleet: NatsFleet, bell: Arc<Notify>) {
    loop {
        if let Ok(feed) = fleet.beats().await {
            ring(feed, &fleet.place.team, &bell).await;
        }
        sleep(AGAIN).await;
    }
}

/// Rings once everybody was heard, and then for each change.
async fn ring(mut feed: WireFeed, team: &TeamId, bell: &Notify) {
    let (mut audible, all_heard) = (Audible::default(), Instant::now() + ALL_HEARD);
    while let Ok(heard) = timeout_at(all_heard, feed.next()).await {
        match heard {
            Some(heard) => audible.hear(&heard, team),
            None => return,
        };
    }
    bell.notify_one();
    loop {
        let has_changed = tokio::select! {
            heard = feed.next() => match heard {
                Some(heard) => audible.hear(&heard, team),
                None => return,
            },
            () = audible.silence() => audible.drop_silent(),
        };
        if has_changed {
            bell.notify_one();
        }
    }
}

/// The processes that were heard, and when last.
#[derive(Default)]
struct Audible(BTreeMap<Beating, Instant>);

/// Somebody who beats for a team.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Beating {
    Worker(String),
    /// A process that runs the team alone.
    Alone(Claim),
}

/// The beat of a process that runs a team alone.
#[derive(Serialize, Deserialize)]
struct AloneBeat {
    alone: Claim,
}

/// Beats each second for a process that runs a team alone.
pub(super) async fn beat_alone(fleet: NatsFleet, own: WorkerName, claim: Claim) {
    let beat = BTreeMap::from([(&fleet.place.team, AloneBeat { alone: claim })]);
    let text = serde_json::to_vec(&beat).expect("texts and numbers are JSON");
    let (beat, mut second) = (Bytes::from(text), interval(BEAT_EVERY));
    loop {
        second.tick().await;
        fleet.beat(&own, beat.clone()).await;
    }
}

impl Audible {
    /// Whether this beat changes who is heard.
    fn hear(&mut self, heard: &Heard, team: &TeamId) -> bool {
        let said: Option<BTreeMap<TeamId, Value>> = serde_json::from_slice(&heard.body).ok();
        let worker = Beating::Worker(heard.of.clone());
        match said.and_then(|mut said| said.remove(team)) {
            Some(beat) => {
                let alone = serde_json::from_value::<AloneBeat>(beat);
                let beating = alone.map_or(worker, |beat| Beating::Alone(beat.alone));
                self.0.insert(beating, Instant::now()).is_none()
            }
            // It has let this team go.
            None => self.0.remove(&worker).is_some(),
        }
    }

    /// Resolves when somebody has not been heard for long.
    async fn silence(&self) {
        match self.0.values().min() {
            Some(last) => sleep_until(*last + SILENCE).await,
            None => pending().await,
        }
    }

    /// Whether there was somebody.
    fn drop_silent(&mut self) -> bool {
        let before = self.0.len();
        self.0.retain(|_, last| last.elapsed() < SILENCE);
        self.0.len() < before
    }
}
