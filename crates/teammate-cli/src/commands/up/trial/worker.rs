//! A worker of a trial: this program once more, with a home and a directory of its own.

use std::{
    collections::BTreeSet,
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Stdio},
    time::Duration,
};

use anyhow::{Context as _, bail};
use serde_json::Value;
use tokio::{sync::watch, time::timeout};

use super::{TEAM, TrialDir};

/// How long it may take to join.
const JOIN_WAIT: Duration = Duration::from_secs(30);

/// A worker that runs until it is dropped.
pub(super) struct TrialWorker {
    pub(super) name: String,
    child: Child,
    said: watch::Receiver<WorkerState>,
    log: std::path::PathBuf,
}

/// How it stands, by what it has said so far.
#[derive(Default)]
struct WorkerState {
    /// It serves the team, or is ready to.
    has_joined: bool,
    /// Whom it holds.
    held: BTreeSet<String>,
}

impl WorkerState {
    fn hear(&mut self, line: &Value) {
        match line["event"].as_str() {
            Some("serves" | "waits") => self.has_joined = true,
            Some("holds") => {
                let members = line["members"].as_array().into_iter().flatten();
                let members = members.filter_map(Value::as_str);
                self.held = members.map(str::to_owned).collect();
            }
            Some("ended" | "left") => self.held.clear(),
            _ => {}
        }
    }
}

impl TrialWorker {
    pub(super) fn start(
        program: &Path,
        name: &str,
        url: &str,
        dir: &TrialDir,
    ) -> anyhow::Result<Self> {
        let own = dir.of_worker(name)?;
        let log = own.join("log");
        #[expect(
            clippy::disallowed_methods,
            reason = "this program itself, as a worker that the user wants to see"
        )]
        let mut command = std::process::Command::new(program);
        for (variable, _) in std::env::vars_os() {
            if variable.to_string_lossy().starts_with("TEAMMATE_") {
                command.env_remove(variable);
            }
        }
        let mut child = command
            .envs(dir.variables())
            .arg("--dir")
            .arg(&own)
            .arg(format!("--model=scripted:{}", dir.play().display()))
            .arg("--permission-mode=bypass")
            .args([
                "worker", "--json", "--join", url, "--name", name, "--for", TEAM,
            ])
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(fs::File::create(&log)?)
            .spawn()
            .context("cannot start the program once more")?;
        let (sender, said) = watch::channel(WorkerState::default());
        if let Some(out) = child.stdout.take() {
            // It ends with the worker.
            std::thread::spawn(move || {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    if let Ok(line) = serde_json::from_str(&line) {
                        sender.send_modify(|state| state.hear(&line));
                    }
                }
            });
        }
        Ok(Self {
            name: name.to_owned(),
            child,
            said,
            log,
        })
    }

    /// Whom it holds now, by what it has said so far.
    pub(super) fn holds(&self) -> BTreeSet<String> {
        self.said.borrow().held.clone()
    }

    /// Its process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it serves the team, or is ready to.
    pub(super) async fn until_it_has_joined(&mut self) -> anyhow::Result<()> {
        let has_joined = self.said.wait_for(|state| state.has_joined);
        if !matches!(timeout(JOIN_WAIT, has_joined).await, Ok(Ok(_))) {
            let log = fs::read_to_string(&self.log).unwrap_or_default();
            bail!("worker '{}' did not join: {log}", self.name);
        }
        Ok(())
    }

    /// Ends it as a power cut would.
    pub(super) fn kill(&mut self) {
        // What it still says counts no more.
        self.said = watch::channel(WorkerState::default()).1;
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for TrialWorker {
    fn drop(&mut self) {
        self.kill();
    }
}
