//! A worker of a trial: this program once more, with a home and a directory of its own.

use std::{
    fs,
    io::{BufRead as _, BufReader},
    path::Path,
    process::{Child, Stdio},
    time::Duration,
};

use anyhow::{Context as _, bail};
use serde_json::Value;
use tokio::{sync::mpsc, time::timeout};

use super::{TEAM, TrialDir};

/// How long it may take to join.
const JOIN_WAIT: Duration = Duration::from_secs(30);

/// How long it may take to drain.
const DRAIN_WAIT: Duration = Duration::from_secs(30);

/// How often it is looked whether it has ended.
const LOOK_EVERY: Duration = Duration::from_millis(50);

/// A worker that runs until it is dropped.
pub(super) struct TrialWorker {
    pub(super) name: String,
    child: Child,
    said: mpsc::UnboundedReceiver<Value>,
    log: std::path::PathBuf,
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
        let (sender, said) = mpsc::unbounded_channel();
        if let Some(out) = child.stdout.take() {
            // It ends with the worker.
            std::thread::spawn(move || {
                for line in BufReader::new(out).lines().map_while(Result::ok) {
                    if let Ok(line) = serde_json::from_str(&line)
                        && sender.send(line).is_err()
                    {
                        return;
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

    /// Its process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it serves the team.
    pub(super) async fn until_it_serves(&mut self) -> anyhow::Result<()> {
        let serves = async {
            while let Some(line) = self.said.recv().await {
                if line["event"] == "serves" {
                    return true;
                }
            }
            false
        };
        if timeout(JOIN_WAIT, serves).await != Ok(true) {
            let log = fs::read_to_string(&self.log).unwrap_or_default();
            bail!("worker '{}' did not join: {log}", self.name);
        }
        Ok(())
    }

    /// Ends it as a power cut would.
    pub(super) fn kill(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }

    /// Waits until it has drained.
    pub(super) async fn until_it_ends(&mut self) {
        let ended = async {
            while matches!(self.child.try_wait(), Ok(None)) {
                tokio::time::sleep(LOOK_EVERY).await;
            }
        };
        // What does not end is killed when this is dropped.
        let _ = timeout(DRAIN_WAIT, ended).await;
    }
}

impl Drop for TrialWorker {
    fn drop(&mut self) {
        self.kill();
    }
}
