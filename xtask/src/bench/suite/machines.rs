//! Teams on NATS servers, which sync before they acknowledge: one server, and three that hold each stream thrice, all on this machine's
//! one disk. What is lost with a worker, and what idle members cost, is measured with real workers.

mod claims;
mod crowd;
mod idle;
mod journal;
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
    nats_server()
        .ok_or_else(|| "there is no nats-server; `cargo xtask test tests` installs it".into())
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
            creds: Creds::read(&dir.join("ann.creds"))?,
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

/// A circle with one person, `ann`, whose seals the measures have in them.
fn accounts(dir: &Path) -> Result<String, Failure> {
    let mut circle = Circle::make(dir)?;
    circle.admit(CircleRole::Person, WorkerName::parse("ann")?, vec![])?;
    Ok(std::fs::read_to_string(circle.accounts())?)
}

/// Where a team is, and how to get there.
struct Site {
    servers: Vec<ServerUrl>,
    creds: Creds,
    replicas: Replicas,
}

impl Site {
    async fn store(&self, team: &str) -> Result<NatsStore, Failure> {
        let place = NatsPlace {
            partition: Partition::FIRST,
            team: TeamId::parse(team).ok_or("no team's id")?,
        };
        let client = connect(&self.servers, self.creds.login(), "bench").await?;
        let mut tried = 0;
        while let Err(why) = NatsStore::make(&client, &place, self.replicas).await {
            tried += 1;
            if tried == MAKES_MAX {
                return Err(why.into());
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        NatsStore::by(client, place, &self.creds).ok_or_else(|| "keys that do not fit".into())
    }
}
