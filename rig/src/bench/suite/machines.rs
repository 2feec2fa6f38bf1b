//! Teams on NATS servers, which sync before they acknowledge: one server, and three that hold each stream thrice, all on this machine's
//! one disk. What is lost with a worker, and what idle members cost, is measured with real workers.

mod claims;
mod crowd;
mod idle;
mod journal;
mod questions;
mod stage;
mod store;
mod takeover;

use std::{
    path::{Path, PathBuf},
    time::Duration,
};

use teammate_core::name::WorkerName;
use teammate_nats::{
    NatsStore,
    connect::{ServerUrl, connect},
    keys::{Circle, CircleRole, Creds},
    layout::{NatsPlace, Partition, Replicas, TeamId},
};
use teammate_testkit::nats::{NatsCluster, NatsServer, Sync, program as nats_server};

use super::{
    Effort, Measured, program,
    row::{Row, Target},
};

type Failure = Box<dyn std::error::Error + Send + std::marker::Sync>;

/// Whose seals the measures have in them, but for those of workers with keys of their own.
const PERSON: &str = "ann";

/// How many workers have keys of their own: `w1`, `w2` and so on.
const WORKERS: usize = 8;

/// The team that they serve.
const KEYED: &str = "keyed";

/// How often making streams is tried while a cluster elects.
const MAKES_MAX: usize = 60;

pub(super) fn store(effort: Effort) -> Measured {
    on_servers(effort, &store::measure)
}

pub(super) fn claims(effort: Effort) -> Measured {
    on_servers(effort, &claims::measure)
}

pub(super) fn takeover(effort: Effort) -> Measured {
    takeover::measure(effort, &server()?)
}

pub(super) fn crowd(effort: Effort) -> Measured {
    crowd::measure(effort, &server()?)
}

fn server() -> Result<PathBuf, Failure> {
    nats_server().ok_or_else(|| {
        "there is no nats-server; `cargo xtask test --part machines` installs it".into()
    })
}

/// One server or three, and a team's place on them.
struct Servers {
    kind: &'static str,
    running: Vec<NatsServer>,
    site: Site,
}

/// Measures on one server, and on three.
fn on_servers(effort: Effort, measure: &impl AsyncFn(Effort, &Servers) -> Measured) -> Measured {
    let program = server()?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let dir = program::workspace()?;
    let one = NatsServer::start_with(&program, dir.path(), Sync::Always, &accounts(dir.path())?)?;
    let one = Servers::of("R1", vec![one], dir.path(), Replicas::One)?;
    let mut rows = runtime.block_on(measure(effort, &one))?;
    drop(one);
    let dir = program::workspace()?;
    let three = NatsCluster::start_with(&program, dir.path(), &accounts(dir.path())?)?;
    let three = Servers::of("R3", three.servers, dir.path(), Replicas::Three)?;
    rows.extend(runtime.block_on(measure(effort, &three))?);
    Ok(rows)
}

impl Servers {
    fn of(
        kind: &'static str,
        running: Vec<NatsServer>,
        dir: &Path,
        replicas: Replicas,
    ) -> Result<Self, Failure> {
        let urls = running.iter().map(|server| ServerUrl::parse(&server.url()));
        let urls: Result<Vec<_>, _> = urls.collect();
        let site = Site {
            servers: urls?,
            keys: dir.to_owned(),
            replicas,
        };
        Ok(Self {
            kind,
            running,
            site,
        })
    }

    fn monitors(&self) -> Vec<String> {
        self.running.iter().map(NatsServer::monitor).collect()
    }

    fn row(&self, what: &str, unit: &'static str, target: Target, measured: f64) -> Row {
        let what = format!("machines {}: {what}", self.kind);
        Row::new(&what, unit, target, measured)
    }
}

/// A circle with one person, `ann`, whose seals the measures have in them, and workers `w1`, `w2` and so on.
fn accounts(dir: &Path) -> Result<String, Failure> {
    let mut circle = Circle::make(dir)?;
    circle.admit(CircleRole::Person, WorkerName::parse(PERSON)?, vec![])?;
    for number in 1..=WORKERS {
        let team = place(KEYED)?.team;
        circle.admit(CircleRole::Worker, worker_name(number)?, vec![team])?;
    }
    Ok(std::fs::read_to_string(circle.accounts())?)
}

fn worker_name(number: usize) -> Result<WorkerName, Failure> {
    Ok(WorkerName::parse(&format!("w{number}"))?)
}

fn place(team: &str) -> Result<NatsPlace, Failure> {
    Ok(NatsPlace {
        partition: Partition::FIRST,
        team: TeamId::parse(team).ok_or("no team's id")?,
    })
}

/// Where a team is, and how to get there.
struct Site {
    servers: Vec<ServerUrl>,
    /// The directory with everybody's creds.
    keys: PathBuf,
    replicas: Replicas,
}

impl Site {
    /// A team's store as the person has it, who makes the streams.
    async fn store(&self, team: &str) -> Result<NatsStore, Failure> {
        let (place, creds) = (place(team)?, self.creds(PERSON)?);
        let client = connect(&self.servers, creds.login(), "bench").await?;
        let mut tried = 0;
        while let Err(why) = NatsStore::make(&client, &place, self.replicas).await {
            tried += 1;
            if tried == MAKES_MAX {
                return Err(why.into());
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        NatsStore::by(client, place, &creds).ok_or_else(|| "keys that do not fit".into())
    }

    /// The same as a worker with keys of its own has it.
    async fn store_by(&self, worker: &WorkerName, team: &str) -> Result<NatsStore, Failure> {
        let creds = self.creds(worker.as_str())?;
        let client = connect(&self.servers, creds.login(), "bench").await?;
        NatsStore::by(client, place(team)?, &creds).ok_or_else(|| "keys that do not fit".into())
    }

    fn creds(&self, of: &str) -> Result<Creds, Failure> {
        Ok(Creds::read(&self.keys.join(format!("{of}.creds")))?)
    }
}
