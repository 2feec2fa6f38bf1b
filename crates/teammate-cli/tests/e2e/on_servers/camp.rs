//! A circle with servers of its own: a person, three workers with creds, and the team `lamps`, whose transcripts the tests read as the
//! person.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Mutex, MutexGuard, PoisonError},
};

use async_nats::Client;
use teammate::nats::{
    NatsStore,
    connect::{ServerUrl, connect},
    keys::Creds,
    layout::{NatsPlace, Partition, TeamId},
};
use teammate_core::{MemberName, transcript::Entry};
use teammate_testkit::nats::{NatsCluster, NatsServer, Sync, program};
use tempfile::TempDir;

use crate::world::{Run, Running, World, now, until};

/// The circle, and the servers that let it in.
pub(super) struct Camp {
    pub(super) world: World,
    circle: PathBuf,
    servers: Mutex<Vec<NatsServer>>,
    urls: String,
    dir: TempDir,
}

/// How many servers there are.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Servers {
    One,
    Three,
}

impl Camp {
    /// With workers `w1`, `w2` and `w3` that nobody has started; `None` where there is no server.
    pub(super) fn new(world: World, servers: Servers) -> Option<Self> {
        Self::made(world, servers, "")
    }

    /// The same with one server that writes down all that it is sent and sends.
    pub(super) fn traced(world: World) -> Option<Self> {
        Self::made(world, Servers::One, "trace: true\n")
    }

    fn made(world: World, servers: Servers, settings: &str) -> Option<Self> {
        program()?;
        let dir = tempfile::tempdir().unwrap();
        let circle = dir.path().join("circle");
        let keys = |args: &[&str]| {
            let args = [&["keys", "--circle", circle.to_str().unwrap()], args].concat();
            world.teammate(&args).ends(0);
        };
        keys(&["init"]);
        keys(&["person", "ann"]);
        for worker in ["w1", "w2", "w3"] {
            keys(&["worker", worker, "--for", "lamps"]);
        }
        Self::of(world, circle, servers, dir, settings)
    }

    /// The same circle and world on another server, on which nothing is.
    pub(super) fn elsewhere(&self) -> Option<Self> {
        let dir = tempfile::tempdir().unwrap();
        Self::of(
            self.world.again(),
            self.circle.clone(),
            Servers::One,
            dir,
            "",
        )
    }

    fn of(
        world: World,
        circle: PathBuf,
        servers: Servers,
        dir: TempDir,
        settings: &str,
    ) -> Option<Self> {
        let program = program()?;
        let accounts = fs::read_to_string(circle.join("accounts.conf")).unwrap() + settings;
        let servers = match servers {
            Servers::One => {
                let one = NatsServer::start_with(&program, dir.path(), Sync::Always, &accounts);
                vec![one.unwrap()]
            }
            Servers::Three => {
                let three = NatsCluster::start_with(&program, dir.path(), &accounts);
                three.unwrap().servers
            }
        };
        let urls: Vec<String> = servers.iter().map(NatsServer::url).collect();
        Some(Self {
            world,
            circle,
            urls: urls.join(","),
            servers: Mutex::new(servers),
            dir,
        })
    }

    pub(super) fn servers(&self) -> MutexGuard<'_, Vec<NatsServer>> {
        self.servers.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A directory of this test.
    pub(super) fn dir(&self) -> &Path {
        self.dir.path()
    }

    fn creds(&self, name: &str) -> String {
        let path = self.circle.join(format!("{name}.creds"));
        path.to_str().unwrap().to_owned()
    }

    /// A verb of the person.
    pub(super) fn ann(&self, args: &[&str]) -> Run {
        let creds = self.creds("ann");
        let there = ["--nats", &self.urls, "--creds", &creds, "--team", "lamps"];
        self.world.teammate(&[args, &there].concat())
    }

    /// Makes the team.
    pub(super) fn make_team(&self) {
        let replicas = self.servers().len().to_string();
        let up = ["up", "--detach", "--replicas", &replicas];
        // Servers that have just started elect a leader first.
        until(|| self.ann(&up).code == 0, || self.ann(&up).err);
    }

    /// A worker's directory.
    pub(super) fn dir_of(&self, worker: &str) -> PathBuf {
        let dir = self.dir.path().join(worker);
        fs::create_dir_all(&dir).unwrap();
        dir
    }

    /// Starts a worker, and waits until it has joined.
    pub(super) fn worker(&self, name: &str) -> Running {
        let worker = self.worker_alone(name, &[]);
        let there = format!("{name}  there");
        let workers = || self.ann(&["workers"]).out;
        until(|| workers().contains(&there), || worker.err() + &workers());
        worker
    }

    /// Starts a worker that may not join.
    pub(super) fn worker_alone(&self, name: &str, more: &[&str]) -> Running {
        let (creds, dir) = (self.creds(name), self.dir_of(name));
        let there = ["worker", "--join", &self.urls, "--creds", &creds, "--dir"];
        let here = [dir.to_str().unwrap(), "--permission-mode", "bypass"];
        self.world.start(&[&there[..], &here, more].concat())
    }

    /// What a member's transcript holds.
    pub(super) fn entries(&self, who: &str) -> Vec<Entry> {
        let who = MemberName::parse(who).unwrap();
        now(async { self.store().await.transcripts.peek(&who).await.unwrap() })
    }

    /// How often a member has heard a message with these words.
    pub(super) fn heard(&self, who: &str, words: &str) -> usize {
        let entries = self.entries(who).into_iter();
        let mail = entries.filter_map(|entry| match entry {
            Entry::Heard(mail) => Some(mail),
            _ => None,
        });
        let words = |content: &str| content.contains(words);
        mail.flatten().filter(|mail| words(&mail.content)).count()
    }

    /// The team's store, as the person has it.
    pub(super) async fn store(&self) -> NatsStore {
        let (creds, client) = (self.person(), self.client().await);
        let place = NatsPlace {
            partition: Partition::FIRST,
            team: TeamId::parse("lamps").unwrap(),
        };
        NatsStore::by(client, place, &creds).unwrap()
    }

    /// A connection of the person.
    pub(super) async fn client(&self) -> Client {
        let urls = self
            .urls
            .split(',')
            .map(|url| ServerUrl::parse(url).unwrap());
        let urls: Vec<_> = urls.collect();
        connect(&urls, self.person().login(), "test").await.unwrap()
    }

    fn person(&self) -> Creds {
        Creds::read(Path::new(&self.creds("ann"))).unwrap()
    }
}
