//! Where a rig is: its directory, its program, and how a person and the judge get to the teams on its servers.

use std::{
    env, fs, io,
    path::{Path, PathBuf},
    process::{Command, Output, Stdio},
    thread,
    time::{Duration, Instant},
};

use teammate_core::name::WorkerName;
use teammate_nats::{
    NatsStore,
    connect::{ServerUrl, connect},
    keys::{Circle, CircleRole, Creds},
    layout::{NatsPlace, Partition, TeamId},
};

use super::{certificates::Certificates, names, play};

/// The person.
const PERSON: &str = "ann";

/// How long a verb may take. Three killed servers take a minute at most.
const VERB_WAIT: Duration = Duration::from_secs(120);

const LOOK_EVERY: Duration = Duration::from_millis(20);

/// How often servers are asked that elect.
const TRIES_MAX: u32 = 60;

/// A rig's place.
pub(super) struct Site {
    pub(super) dir: PathBuf,
    pub(super) program: PathBuf,
    pub(super) urls: Vec<String>,
    pub(super) certificates: Certificates,
    creds: Creds,
    /// What servers must know of those who log in.
    pub(super) accounts: String,
}

impl Site {
    /// Makes the circle and the play in this directory.
    pub(super) fn make(dir: &Path, certificates: Certificates, mark: &str) -> io::Result<Self> {
        let other = |error: &dyn std::fmt::Display| io::Error::other(error.to_string());
        let circle_dir = dir.join("circle");
        let mut circle = Circle::make(&circle_dir).map_err(|error| other(&error))?;
        let parties = names::WORKERS.map(|name| (CircleRole::Worker, name));
        for (role, name) in [(CircleRole::Person, PERSON)].into_iter().chain(parties) {
            let name = WorkerName::parse(name).map_err(|error| other(&error))?;
            circle
                .admit(role, name, vec![])
                .map_err(|error| other(&error))?;
        }
        fs::create_dir_all(dir.join("desk"))?;
        let site = Self {
            dir: dir.to_owned(),
            program: program()?,
            urls: names::urls(),
            certificates,
            creds: Creds::read(&circle_dir.join(format!("{PERSON}.creds")))
                .map_err(|error| other(&error))?,
            accounts: fs::read_to_string(circle.accounts())?,
        };
        fs::write(site.play(), play::play(mark).to_string())?;
        Ok(site)
    }

    pub(super) fn play(&self) -> PathBuf {
        self.dir.join("play.json")
    }

    /// A worker's own directory.
    pub(super) fn dir_of(&self, worker: &str) -> PathBuf {
        self.dir.join("at").join(worker)
    }

    /// Nothing of ours but the path, a home, the creds of this name, and the authority that servers are believed by.
    pub(super) fn environment(&self, command: &mut Command, name: &str) {
        command
            .env_clear()
            .env("PATH", env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.dir.join("homes").join(name))
            .env("SSL_CERT_FILE", self.certificates.authority())
            .env(
                "TEAMMATE_NATS_CREDS",
                self.dir.join(format!("circle/{name}.creds")),
            )
            .stdin(Stdio::null());
    }

    /// A verb of the person about a team, to its end.
    pub(super) fn verb(&self, team: &str, words: &[&str]) -> io::Result<Output> {
        let mut command = Command::new(&self.program);
        self.environment(&mut command, PERSON);
        command
            .args(words)
            .args(["--team", team, "--nats"])
            .arg(self.urls.join(","))
            .current_dir(self.dir.join("desk"))
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = command.spawn()?;
        let begun = Instant::now();
        while child.try_wait()?.is_none() {
            if begun.elapsed() > VERB_WAIT {
                child.kill()?;
                let output = child.wait_with_output()?;
                let why = String::from_utf8_lossy(&output.stderr).into_owned();
                let why = format!("stuck: {}: {why}", words.join(" "));
                return Err(io::Error::other(why));
            }
            thread::sleep(LOOK_EVERY);
        }
        child.wait_with_output()
    }

    /// A team's store, as the person sees it through one of these servers.
    pub(super) async fn store(&self, urls: &[String], team: &str) -> Result<NatsStore, String> {
        let servers: Result<Vec<_>, _> = urls.iter().map(|url| ServerUrl::parse(url)).collect();
        let servers = servers.map_err(|error| error.to_string())?;
        let place = NatsPlace {
            partition: Partition::FIRST,
            team: TeamId::parse(team).ok_or("no team's id")?,
        };
        let mut why = String::new();
        for _ in 0..TRIES_MAX {
            match connect(&servers, self.creds.login(), "torture").await {
                Ok(client) => {
                    return NatsStore::by(client, place, &self.creds)
                        .ok_or_else(|| "keys that do not fit".to_owned());
                }
                Err(error) => why = error.to_string(),
            }
            tokio::time::sleep(Duration::from_millis(500)).await;
        }
        Err(why)
    }
}

/// The program that is tortured, from the same build.
fn program() -> io::Result<PathBuf> {
    let program = env::current_exe()?.with_file_name("teammate");
    if program.exists() {
        return Ok(program);
    }
    let build = "build it first: cargo build --workspace --all-targets";
    Err(io::Error::other(build))
}
