//! A team on NATS servers of this machine that real `teammate worker` processes run, with a model that answers at once.

use std::{
    fs, io,
    process::{Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use serde_json::Value;
use tempfile::TempDir;

use super::Failure;
use crate::bench::suite::{
    program::{self, Running},
    wire::Wire,
};

/// What the team is called.
const TEAM: &str = "crew";

/// How long anything may take that is waited for here.
const WAIT: Duration = Duration::from_secs(240);

const LOOK_EVERY: Duration = Duration::from_millis(20);

/// The team's place. A measure starts and ends its workers.
pub(super) struct Stage {
    pub(super) wire: Wire,
    urls: String,
    dir: TempDir,
}

impl Stage {
    /// Makes the team on these servers.
    pub(super) fn make(
        wire: Wire,
        urls: &[String],
        monitors: &[String],
        replicas: &str,
    ) -> Result<Self, Failure> {
        let stage = Self {
            wire,
            urls: urls.join(","),
            dir: program::workspace()?,
        };
        fs::create_dir(stage.dir.path().join("home"))?;
        let monitors = monitors.join(",");
        let words = [
            "up",
            "--detach",
            "--replicas",
            replicas,
            "--monitor",
            &monitors,
        ];
        until(|| Ok(stage.verb(&words)?.status.success()))?;
        Ok(stage)
    }

    /// Starts a worker with a directory of its own, and waits until it has joined.
    pub(super) fn worker(&self, name: &str, places: usize) -> Result<Running, Failure> {
        let own = self.dir.path().join(name);
        fs::create_dir(&own)?;
        let mut command = program::teammate(&own, &self.wire.url());
        command
            .env("HOME", self.dir.path().join("home"))
            .args(["worker", "--for", TEAM, "--name", name])
            .args(["--places", &places.to_string(), "--join", &self.urls])
            .stderr(fs::File::create(own.join("log"))?);
        let running = program::start(&mut command)?;
        until(|| {
            let shown: Value = serde_json::from_slice(&self.verb(&["workers", "--json"])?.stdout)?;
            let workers = shown["workers"].as_array().into_iter().flatten();
            let own = workers.filter(|worker| worker["name"] == name);
            Ok(own.filter(|worker| worker["state"] == "there").count() == 1)
        })?;
        Ok(running)
    }

    /// Writes to the lead.
    pub(super) fn send(&self, text: &str) -> Result<(), Failure> {
        until(|| Ok(self.verb(&["send", "lead", text])?.status.success()))
    }

    fn verb(&self, words: &[&str]) -> io::Result<std::process::Output> {
        Command::new(program::path())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.dir.path().join("home"))
            .args(words)
            .args(["--team", TEAM, "--nats", &self.urls])
            .current_dir(self.dir.path())
            .stdin(Stdio::null())
            .output()
    }
}

/// Waits until it holds.
pub(super) fn until(mut holds: impl FnMut() -> Result<bool, Failure>) -> Result<(), Failure> {
    let begun = Instant::now();
    while !holds()? {
        if begun.elapsed() > WAIT {
            return Err("what was waited for did not come".into());
        }
        thread::sleep(LOOK_EVERY);
    }
    Ok(())
}
