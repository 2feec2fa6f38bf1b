//! A server with a circle of one person and three workers: `w1` and `w2` serve team `one`, `w3` team `two`.

use std::{path::Path, sync::Arc};

use async_nats::{Client, ConnectOptions, Event};
use teammate_core::{
    Timestamp,
    name::WorkerName,
    port::{Durability, Journal},
    team::{PlaceEvent, TeamEvent, Term},
};
use teammate_nats::{
    NatsStore,
    connect::{NatsLogin, ServerUrl, connect},
    keys::{Circle, CircleRole, Creds},
    layout::{NatsPlace, Partition, Replicas, TeamId},
};
use teammate_testkit::{
    nats::{NatsServer, Sync, program},
    stories::name,
};
use tokio::sync::mpsc;

/// A server with a circle.
pub(crate) struct Walled {
    pub(crate) url: String,
    pub(crate) dir: tempfile::TempDir,
    pub(crate) server: NatsServer,
}

pub(crate) fn worker(name: &str) -> WorkerName {
    WorkerName::parse(name).unwrap()
}

pub(crate) fn place(team: &str) -> NatsPlace {
    NatsPlace {
        partition: Partition::FIRST,
        team: TeamId::parse(team).unwrap(),
    }
}

/// Admits all.
fn circle(dir: &Path) -> Circle {
    let mut circle = Circle::make(dir).unwrap();
    circle
        .admit(CircleRole::Person, worker("ann"), vec![])
        .unwrap();
    for (name, team) in [("w1", "one"), ("w2", "one"), ("w3", "two")] {
        let team = TeamId::parse(team).unwrap();
        circle
            .admit(CircleRole::Worker, worker(name), vec![team])
            .unwrap();
    }
    circle
}

impl Walled {
    /// `None` where there is no program.
    pub(crate) async fn start() -> Option<Self> {
        let program = program()?;
        let dir = tempfile::tempdir().unwrap();
        circle(dir.path());
        let accounts = "include \"../accounts.conf\"\n";
        let server = NatsServer::start_with(&program, dir.path(), Sync::Always, accounts).unwrap();
        let walled = Self {
            url: server.url(),
            dir,
            server,
        };
        let ann = walled.client("ann").await;
        NatsStore::make(&ann, &place("one"), Replicas::One)
            .await
            .unwrap();
        Some(walled)
    }

    pub(crate) fn creds(&self, name: &str) -> Creds {
        Creds::read(&self.dir.path().join(format!("{name}.creds"))).unwrap()
    }

    /// A connection with somebody's keys.
    pub(crate) async fn client(&self, name: &str) -> Client {
        let url = ServerUrl::parse(&self.url).unwrap();
        let login = self.creds(name).login();
        connect(&[url], login, name).await.unwrap()
    }

    /// The same, with what the server refuses it.
    pub(crate) async fn watched(&self, name: &str) -> (Client, mpsc::Receiver<String>) {
        let NatsLogin::Key { seed, inbox } = self.creds(name).login() else {
            panic!("a key")
        };
        let (told, refusals) = mpsc::channel(64);
        let options = ConnectOptions::new()
            .nkey(seed)
            .custom_inbox_prefix(inbox)
            .event_callback(move |event| {
                if let Event::ServerError(error) = event {
                    let _ = told.try_send(error.to_string());
                }
                std::future::ready(())
            });
        (options.connect(&self.url).await.unwrap(), refusals)
    }

    /// A team's store as somebody sees it.
    pub(crate) async fn store(&self, name: &str, team: &str) -> NatsStore {
        let client = self.client(name).await;
        NatsStore::by(client, place(team), &self.creds(name)).unwrap()
    }
}

/// Records who holds whom.
pub(crate) async fn placed(journal: &Arc<dyn Journal>, at: u64, holds: &[(&str, &str)]) {
    let events = holds.iter().map(|(member, holder)| {
        TeamEvent::Place(PlaceEvent::Placed {
            member: name(member),
            worker: worker(holder),
            term: Term(1),
        })
    });
    let appended = journal.append(at, Timestamp(at), events.collect(), Durability::Synced);
    appended.await.unwrap();
}
