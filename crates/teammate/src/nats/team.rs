//! One team on servers: its store, and the seats of its workers.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use teammate_core::{
    name::WorkerName,
    port::{Fleet as _, FleetQuestion, FleetReply, Ids as _, ObjectStore},
    team::{Label, Walls},
};
use teammate_nats::{
    NatsStore,
    fleet::{AskOutcome, WorkerWire},
    layout::{NatsPlace, TeamId},
    teams::{self, Card, CardFeed, TeamsError},
};
use teammate_runtime::WorkerRole;
use teammate_store::clock::UuidV7Ids;
use tokio::{sync::mpsc, task::JoinSet};

use super::{NatsError, TeamCircle};
use crate::{
    begin::begin,
    store::{SharedStore, Store, TeamStore},
};

/// How long a worker that listens may take to answer.
const ANSWER_WAIT: Duration = Duration::from_secs(2);

/// How many teams wait to be taken.
const TEAMS_WAITING: usize = 64;

/// A team on servers.
#[derive(Clone)]
pub struct NatsTeam {
    circle: TeamCircle,
    name: TeamId,
    place: NatsPlace,
    openings: u64,
}

/// Whether a worker is there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WorkerLife {
    /// It answers.
    Answers,
    /// It is connected, and does not answer in time.
    Silent,
    /// It is gone.
    Gone,
}

impl NatsTeam {
    pub(super) fn new(circle: TeamCircle, name: TeamId, place: NatsPlace, openings: u64) -> Self {
        Self {
            circle,
            name,
            place,
            openings,
        }
    }

    /// How often it had been opened again after a stop, when it was found. A worker that has let it go serves it again when this
    /// is more than it was then.
    pub fn openings(&self) -> u64 {
        self.openings
    }

    /// Has the workers serve it again that let it go when it was stopped.
    ///
    /// Errors: its card cannot be written.
    pub async fn open_again(&self) -> Result<(), NatsError> {
        Ok(teams::open_again(&self.circle.client(), &self.name).await?)
    }

    /// Its name.
    pub fn name(&self) -> &TeamId {
        &self.name
    }

    /// Its store, of which each user gets a value of its own.
    pub fn store(&self) -> SharedStore {
        let team = self.clone();
        SharedStore::new(move || team.kept()).known_as(&self.name.to_string())
    }

    /// A worker's place in it. The worker's session is new.
    pub fn worker_role(
        &self,
        name: WorkerName,
        labels: BTreeSet<Label>,
        places: u16,
    ) -> WorkerRole {
        WorkerRole {
            wire: Arc::new(self.wire(name.clone())),
            governors: Some(self.opened().governors),
            name,
            session: UuidV7Ids.new_id(),
            labels,
            places,
            // Opening the team finds out what holds its commands.
            walls: Walls::default(),
        }
    }

    /// Its objects: long outputs, and bundles of work.
    pub fn objects(&self) -> Arc<dyn ObjectStore> {
        Arc::new(self.opened().objects)
    }

    /// Whether a worker is there; `by` asks.
    pub async fn life_of(&self, worker: &WorkerName, by: &WorkerName) -> WorkerLife {
        let wire = self.wire(by.clone());
        match wire.ask(worker, &FleetQuestion::Ping, ANSWER_WAIT).await {
            FleetReply::Answered(_) => WorkerLife::Answers,
            FleetReply::Silent => WorkerLife::Silent,
            FleetReply::Nobody => WorkerLife::Gone,
        }
    }

    /// Asks a worker to drain: to give up what it holds, of all teams, and end. False if it does not answer.
    pub async fn ask_to_drain(&self, worker: &WorkerName, by: &WorkerName) -> bool {
        let asked = self.wire(by.clone()).order_drain(worker, ANSWER_WAIT).await;
        matches!(asked, AskOutcome::Answered(_))
    }

    fn wire(&self, own: WorkerName) -> WorkerWire {
        self.opened().fleet.worker_wire(own, self.circle.process())
    }

    fn kept(&self) -> TeamStore {
        let NatsStore {
            journal,
            mailbox,
            transcripts,
            archive,
            events,
            presence,
            doorbells,
            ..
        } = self.opened();
        TeamStore {
            store: Store {
                journal,
                mailbox,
                transcripts,
                archive,
            },
            events,
            presence,
            doorbells,
        }
    }

    fn opened(&self) -> NatsStore {
        let store = self.circle.store(&self.place);
        store.expect("its keys fit, as when the team was found")
    }

    /// Writes the first record, unless there is one.
    pub(super) async fn begin(&self) -> Result<(), NatsError> {
        let (journal, name) = (self.opened().journal, self.name.to_string());
        let begun = begin(&*journal, &name, Vec::new()).await;
        begun.map_err(|error| NatsError::NotBegun(error.to_string()))
    }
}

/// Teams that these creds open.
impl TeamCircle {
    /// The team of this name, if there is one.
    pub async fn find(&self, name: &TeamId) -> Result<Option<NatsTeam>, NatsError> {
        self.must_open(name)?;
        if !teams::are_made(&self.client()).await? {
            return Ok(None);
        }
        let card = teams::find(&self.client(), name).await?;
        Ok(card.and_then(|card| self.team(name.clone(), &card)))
    }

    /// The team of this name, made if there is none. Its streams must be [prepared](Self::prepare).
    pub async fn find_or_make(
        &self,
        name: &TeamId,
        repository: Option<String>,
    ) -> Result<NatsTeam, NatsError> {
        let card = Card::new(name, repository);
        let card = teams::find_or_make(&self.client(), name, card).await?;
        let team = self.team(name.clone(), &card);
        // A card with an id that is none was refused.
        let team = team.ok_or_else(|| NatsError::NotBegun("its card has no id".to_owned()))?;
        team.begin().await?;
        Ok(team)
    }

    /// The teams that there are and these creds open, by name; of one that cannot be used, why.
    ///
    /// Errors: the servers do not say.
    pub async fn all(&self) -> Result<Vec<(TeamId, Result<NatsTeam, NatsError>)>, NatsError> {
        let named = self.named_teams();
        let mut all = teams::all(&self.client()).await?;
        all.retain(|(name, _)| named.is_empty() || named.contains(name));
        let of = |(name, card): (TeamId, Result<Card, TeamsError>)| {
            let team = card.map_err(NatsError::from).and_then(|card| {
                let team = self.team(name.clone(), &card);
                team.ok_or(NatsError::NoKey)
            });
            (name, team)
        };
        Ok(all.into_iter().map(of).collect())
    }

    /// All teams that these creds open, and each new one.
    pub fn teams(&self) -> TeamFeed {
        let feeds = match self.named_teams() {
            [] => vec![CardFeed::of(self.client(), None)],
            named => {
                let each = named.iter();
                each.map(|team| CardFeed::of(self.client(), Some(team)))
                    .collect()
            }
        };
        TeamFeed::new(self, feeds)
    }

    fn team(&self, name: TeamId, card: &Card) -> Option<NatsTeam> {
        let place = card.place()?;
        // Asked once here, so that opening the store cannot fail.
        self.store(&place)?;
        Some(NatsTeam::new(self.clone(), name, place, card.openings))
    }
}

/// A team that was found, or why it cannot be opened.
pub type FoundTeam = (TeamId, Result<NatsTeam, NatsError>);

/// Teams as they are found: first those that there are, then each that is new or opened again.
pub struct TeamFeed {
    teams: mpsc::Receiver<FoundTeam>,
    _reading: JoinSet<()>,
}

impl TeamFeed {
    pub(super) fn new(circle: &TeamCircle, feeds: Vec<CardFeed>) -> Self {
        let (sender, teams) = mpsc::channel(TEAMS_WAITING);
        let mut reading = JoinSet::new();
        for mut feed in feeds {
            let (circle, sender) = (circle.clone(), sender.clone());
            reading.spawn(async move {
                loop {
                    let (name, card) = feed.next().await;
                    let team = match card {
                        Ok(card) => circle.team(name.clone(), &card).map(Ok),
                        Err(error) => Some(Err(NatsError::from(error))),
                    };
                    let team = team.map(|team| (name, team));
                    if let Some(team) = team
                        && sender.send(team).await.is_err()
                    {
                        return;
                    }
                }
            });
        }
        Self {
            teams,
            _reading: reading,
        }
    }

    /// The next one, or why it cannot be opened: a newer program made it. A team may come again.
    pub async fn next(&mut self) -> Option<FoundTeam> {
        self.teams.recv().await
    }
}
