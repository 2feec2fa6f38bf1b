//! Real NATS servers for tests and benchmarks: each with ports and a directory of its own, synced before it acknowledges, ended when
//! it is dropped. One, or three that are a cluster.
//!
//! The program is the pinned one that `cargo xtask test` installs. Where it is not there, a test says that it is skipped.

use std::{
    env, fs,
    hash::{BuildHasher as _, Hasher as _, RandomState},
    io,
    net::TcpListener,
    path::{Path, PathBuf},
    process::{Child, Command, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde::Deserialize;

/// How long a server may take to start.
const START_WAIT: Duration = Duration::from_secs(60);

/// Where ports of routes are: below those that the kernel gives away.
const ROUTE_PORT_MIN: u16 = 12_000;
const ROUTE_PORTS: u16 = 18_000;

/// How many ports are tried.
const ROUTE_TRIES: usize = 100;

/// How often its file of ports is looked for.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// When a server syncs what it stores.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sync {
    /// Before it acknowledges.
    Always,
    /// Every two minutes, as servers do whom nobody told.
    ByDefault,
}

/// The program: what `TEAMMATE_NATS_SERVER` names, or what was installed below `target/tools`. `None`, said on standard error, if it
/// is not there.
pub fn program() -> Option<PathBuf> {
    let installed = concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/../../target/tools/nats/bin/nats-server"
    );
    let program =
        env::var_os("TEAMMATE_NATS_SERVER").map_or_else(|| installed.into(), PathBuf::from);
    if program.exists() {
        return Some(program);
    }
    #[expect(
        clippy::print_stderr,
        reason = "a person must see that nothing was tested"
    )]
    {
        eprintln!("SKIPPED: there is no nats-server; `cargo xtask test` installs it");
    }
    None
}

/// One server.
pub struct NatsServer {
    program: PathBuf,
    dir: PathBuf,
    settings: String,
    ports: Ports,
    child: Option<Child>,
}

/// Where it listens, from its first start on.
#[derive(Clone, Copy, Default)]
struct Ports {
    client: u16,
    monitor: u16,
}

/// What a server writes down about its ports.
#[derive(Deserialize)]
struct PortsFile {
    nats: Vec<String>,
    monitoring: Vec<String>,
}

impl NatsServer {
    /// Starts one with all its files in `dir`.
    pub fn start(program: &Path, dir: &Path, sync: Sync) -> io::Result<Self> {
        Self::named(program, dir, "a", sync, "")
    }

    /// The same with further settings.
    pub fn start_with(program: &Path, dir: &Path, sync: Sync, more: &str) -> io::Result<Self> {
        Self::named(program, dir, "a", sync, more)
    }

    fn named(program: &Path, dir: &Path, name: &str, sync: Sync, more: &str) -> io::Result<Self> {
        let dir = dir.join(name);
        fs::create_dir_all(&dir)?;
        let sync = match sync {
            Sync::Always => "sync_interval: always",
            Sync::ByDefault => "",
        };
        let store = dir.join("store");
        let settings = format!(
            "server_name: {name}\njetstream {{ store_dir: \"{}\", {sync} }}\nports_file_dir: \"{}\"\n{more}",
            store.display(),
            dir.display()
        );
        let mut server = Self {
            program: program.to_owned(),
            dir,
            settings,
            ports: Ports::default(),
            child: None,
        };
        server.begin()?;
        Ok(server)
    }

    /// Its address.
    pub fn url(&self) -> String {
        format!("nats://{}", self.address())
    }

    /// Its address, as `HOST:PORT`.
    pub fn address(&self) -> String {
        format!("127.0.0.1:{}", self.ports.client)
    }

    /// Its monitoring address, as `HOST:PORT`.
    pub fn monitor(&self) -> String {
        format!("127.0.0.1:{}", self.ports.monitor)
    }

    /// Where it keeps its streams.
    pub fn store(&self) -> PathBuf {
        self.dir.join("store")
    }

    /// Ends it at once, as `kill -9` does.
    pub fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }

    /// Ends it in order, as SIGTERM does.
    pub fn end(&mut self) -> io::Result<()> {
        self.signal(Signal::TERM)?;
        match self.child.take() {
            Some(mut child) => child.wait().map(drop),
            None => Ok(()),
        }
    }

    /// Stops it, as a machine does that is suspended: its connections stay open.
    pub fn pause(&self) -> io::Result<()> {
        self.signal(Signal::STOP)
    }

    /// Lets it go on.
    pub fn resume(&self) -> io::Result<()> {
        self.signal(Signal::CONT)
    }

    /// Has it read its configuration again, which takes a moment. It must have been started again once: its ports are its own from
    /// then on.
    pub fn reload(&self) -> io::Result<()> {
        self.signal(Signal::HUP)
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        match &self.child {
            Some(child) => Ok(kill_process(Pid::from_child(child), signal)?),
            None => Ok(()),
        }
    }

    /// Starts it again at the same address, with what it has stored.
    pub fn start_again(&mut self) -> io::Result<()> {
        self.kill();
        self.begin()
    }

    fn begin(&mut self) -> io::Result<()> {
        let port = |port: u16| match port {
            0 => "-1".to_owned(),
            port => port.to_string(),
        };
        let listening = format!(
            "listen: \"127.0.0.1:{}\"\nhttp: \"127.0.0.1:{}\"\n",
            port(self.ports.client),
            port(self.ports.monitor)
        );
        let conf = self.dir.join("nats.conf");
        fs::write(&conf, listening + &self.settings)?;
        for old in self.ports_files()? {
            fs::remove_file(old)?;
        }
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.dir.join("log"))?;
        let child = Command::new(&self.program)
            .arg("-c")
            .arg(&conf)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()?;
        self.child = Some(child);
        self.ports = self.wait_for_ports()?;
        Ok(())
    }

    fn wait_for_ports(&mut self) -> io::Result<Ports> {
        let begun = Instant::now();
        loop {
            for file in self.ports_files()? {
                // Half written, it is read again.
                if let Ok(read) = serde_json::from_slice::<PortsFile>(&fs::read(file)?) {
                    let port = |of: &[String]| of.first()?.rsplit(':').next()?.parse().ok();
                    let ports = (port(&read.nats), port(&read.monitoring));
                    if let (Some(client), Some(monitor)) = ports {
                        return Ok(Ports { client, monitor });
                    }
                }
            }
            let ended = self
                .child
                .as_mut()
                .map(Child::try_wait)
                .transpose()?
                .flatten();
            if ended.is_some() || begun.elapsed() > START_WAIT {
                let log = fs::read_to_string(self.dir.join("log")).unwrap_or_default();
                return Err(io::Error::other(format!("it did not start: {log}")));
            }
            thread::sleep(LOOK_EVERY);
        }
    }

    fn ports_files(&self) -> io::Result<Vec<PathBuf>> {
        let mut files = Vec::new();
        for entry in fs::read_dir(&self.dir)? {
            let path = entry?.path();
            if path
                .extension()
                .is_some_and(|extension| extension == "ports")
            {
                files.push(path);
            }
        }
        Ok(files)
    }
}

impl Drop for NatsServer {
    fn drop(&mut self) {
        self.kill();
    }
}

/// Three servers that hold each stream thrice.
pub struct NatsCluster {
    /// They are called `a`, `b` and `c`.
    pub servers: Vec<NatsServer>,
}

impl NatsCluster {
    /// Starts them with all their files in `dir`. A leader is elected afterwards.
    pub fn start(program: &Path, dir: &Path) -> io::Result<Self> {
        Self::start_with(program, dir, "")
    }

    /// The same with further settings.
    pub fn start_with(program: &Path, dir: &Path, settings: &str) -> io::Result<Self> {
        Self::begin(program, dir, Sync::Always, settings)
    }

    /// The same with servers that sync like this.
    pub fn start_syncing(program: &Path, dir: &Path, sync: Sync) -> io::Result<Self> {
        Self::begin(program, dir, sync, "")
    }

    fn begin(program: &Path, dir: &Path, sync: Sync, settings: &str) -> io::Result<Self> {
        let mut routes = Vec::new();
        let mut held = Vec::new();
        for _ in 0..3 {
            let free = free_route()?;
            routes.push(free.local_addr()?);
            held.push(free);
        }
        drop(held);
        let all: Vec<String> = routes
            .iter()
            .map(|route| format!("\"nats://{route}\""))
            .collect();
        let all = all.join(", ");
        let mut servers = Vec::new();
        for (name, own) in ["a", "b", "c"].into_iter().zip(&routes) {
            let more =
                format!("cluster {{ name: team, listen: \"{own}\", routes: [{all}] }}\n{settings}");
            servers.push(NatsServer::named(program, dir, name, sync, &more)?);
        }
        Ok(Self { servers })
    }

    /// All their addresses.
    pub fn urls(&self) -> Vec<String> {
        self.servers.iter().map(NatsServer::url).collect()
    }
}

/// A port for a route. It is freed before its server takes it, so it is none that the kernel gives to those who ask for any.
fn free_route() -> io::Result<TcpListener> {
    let mut error = io::ErrorKind::AddrInUse.into();
    for _ in 0..ROUTE_TRIES {
        let chance = RandomState::new().build_hasher().finish();
        let offset = u16::try_from(chance % u64::from(ROUTE_PORTS)).unwrap_or_default();
        match TcpListener::bind(("127.0.0.1", ROUTE_PORT_MIN + offset)) {
            Ok(free) => return Ok(free),
            Err(taken) => error = taken,
        }
    }
    Err(error)
}
