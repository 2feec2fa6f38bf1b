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
use tokio::{sync::mpsc, time::timeout};

use super::{TEAM, TrialDir};

/// How long it may take to join.
const JOIN_WAIT: Duration = Duration::from_secs(30);

/// A worker that runs until it is dropped.
pub(super) struct TrialWorker {
    pub(super) name: String,
    child: Child,
    said: mpsc::UnboundedReceiver<Value>,
    held: BTreeSet<String>,
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
            held: BTreeSet::new(),
            log,
        })
    }

    /// Whom it holds now, by what it has said so far.
    pub(super) fn holds(&mut self) -> &BTreeSet<String> {
        while let Ok(line) = self.said.try_recv() {
            match line["event"].as_str() {
                Some("holds") => {
                    let members = line["members"].as_array().into_iter().flatten();
                    let members = members.filter_map(Value::as_str);
                    self.held = members.map(str::to_owned).collect();
                }
                Some("ended" | "left") => self.held.clear(),
                _ => {}
            }
        }
        &self.held
    }

    /// Its process.
    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Waits until it serves the team, or is ready to.
    pub(super) async fn until_it_has_joined(&mut self) -> anyhow::Result<()> {
        let serves = async {
            while let Some(line) = self.said.recv().await {
                if line["event"] == "serves" || line["event"] == "waits" {
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
        while self.said.try_recv().is_ok() {}
        self.held.clear();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Drop for TrialWorker {
    fn drop(&mut self) {
        self.kill();
    }
}
