//! Worlds for the stories: a server and one team on it.

use std::{
    path::Path,
    sync::{Arc, Mutex},
    time::Duration,
};

use async_nats::Client;
use teammate_core::{
    name::WorkerName,
    port::{BoxFuture, Fleet, Seal},
};
use teammate_nats::{
    NatsStore,
    connect::{NatsLogin, ServerUrl, connect},
    fleet::WorkerProcess,
    layout::{NatsPlace, Partition, Replicas, TeamId},
};
use teammate_testkit::{
    nats::{NatsServer, Sync, program},
    stories::{CrashingWorld, Process, World, fleet::FleetWorld},
};
use teammate_wire::seal::HmacSeal;
use uuid::Uuid;

/// The seal of all stories.
pub(crate) fn seal() -> Arc<dyn Seal> {
    Arc::new(HmacSeal::new(&[7; 32]))
}

/// A connection to one of these servers.
pub(crate) async fn connected(urls: &[String]) -> Client {
    let servers: Vec<_> = urls
        .iter()
        .map(|url| ServerUrl::parse(url).unwrap())
        .collect();
    connect(&servers, NatsLogin::Nobody, "test").await.unwrap()
}

/// A new team's place.
pub(crate) fn place() -> NatsPlace {
    NatsPlace {
        partition: Partition::FIRST,
        team: TeamId::parse(&Uuid::now_v7().to_string()).unwrap(),
    }
}

/// Makes the streams, as soon as the servers can.
pub(crate) async fn made(client: &Client, place: &NatsPlace, replicas: Replicas) {
    let mut why = String::new();
    for _ in 0..60 {
        match NatsStore::make(client, place, replicas).await {
            Ok(()) => return,
            Err(error) => why = error,
        }
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    panic!("{why}");
}

/// A server of its own in a temporary directory; `None` where there is no program.
pub(crate) struct Own {
    pub(crate) server: Mutex<NatsServer>,
    pub(crate) url: String,
    pub(crate) place: NatsPlace,
    _dir: tempfile::TempDir,
}

impl Own {
    pub(crate) async fn server() -> Option<Self> {
        let program = program()?;
        let dir = tempfile::tempdir().unwrap();
        let server = start(&program, dir.path());
        let own = Self {
            url: server.url(),
            server: Mutex::new(server),
            place: place(),
            _dir: dir,
        };
        made(&own.client().await, &own.place, Replicas::One).await;
        Some(own)
    }

    pub(crate) async fn client(&self) -> Client {
        connected(std::slice::from_ref(&self.url)).await
    }

    /// The team's store, as one more process sees it.
    pub(crate) async fn store(&self) -> NatsStore {
        NatsStore::at(self.client().await, self.place.clone(), seal())
    }

    /// Kills the server, and starts it again.
    pub(crate) fn kill_and_start(&self) {
        self.server.lock().unwrap().start_again().unwrap();
    }
}

fn start(program: &Path, dir: &Path) -> NatsServer {
    NatsServer::start(program, dir, Sync::Always).unwrap()
}

pub(crate) fn process(store: NatsStore) -> Process {
    Process {
        journal: store.journal,
        mailbox: store.mailbox,
        transcripts: store.transcripts,
        archive: store.archive,
        alive: Box::new(()),
    }
}

impl World for Own {
    fn name(&self) -> &str {
        "a server"
    }

    fn process(&self) -> BoxFuture<'_, Process> {
        Box::pin(async { process(self.store().await) })
    }
}

impl CrashingWorld for Own {
    /// The process of the server ends; power cuts of the machine are for `xtask torture`.
    fn crash(&self, _seed: u64) -> BoxFuture<'_, ()> {
        Box::pin(async { self.kill_and_start() })
    }
}

impl FleetWorld for Own {
    fn wire<'a>(&'a self, worker: &'a WorkerName) -> BoxFuture<'a, Box<dyn Fleet>> {
        Box::pin(async {
            let fleet = self.store().await.fleet;
            let seat = fleet.worker_wire(worker.clone(), WorkerProcess::default());
            Box::new(seat) as Box<dyn Fleet>
        })
    }
}

/// The worlds of stories about the wire between workers.
pub(crate) async fn fleets() -> Vec<Box<dyn FleetWorld>> {
    let own = Own::server().await;
    own.map(|own| Box::new(own) as Box<dyn FleetWorld>)
        .into_iter()
        .collect()
}

/// The worlds of stories about processes.
pub(crate) async fn worlds() -> Vec<Box<dyn World>> {
    let own = Own::server().await;
    own.map(|own| Box::new(own) as Box<dyn World>)
        .into_iter()
        .collect()
}

/// The worlds of stories about crashes.
pub(crate) async fn crashing_worlds() -> Vec<Box<dyn CrashingWorld>> {
    let own = Own::server().await;
    own.map(|own| Box::new(own) as Box<dyn CrashingWorld>)
        .into_iter()
        .collect()
}
