//! The three servers of a rig, a cluster, each on a machine of its own. Each can be killed, stopped for a while, or cut off.

use std::{
    fs, io,
    net::TcpStream,
    path::{Path, PathBuf},
    process::{Child, Stdio},
    thread,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};

use super::{
    cables::{Machine, Side, address},
    names::SERVERS,
    site::Site,
};
use crate::monitor;

/// How long one may take to listen.
const START_WAIT: Duration = Duration::from_secs(60);

const LOOK_EVERY: Duration = Duration::from_millis(50);

/// All of them. None outlives this value.
pub(super) struct Servers(Vec<Server>);

struct Server {
    machine: Machine,
    program: PathBuf,
    dir: PathBuf,
    child: Option<Child>,
}

impl Servers {
    /// Starts them with their files in the site's directory.
    pub(super) fn start(program: &Path, site: &Site) -> io::Result<Self> {
        let (tls, accounts) = (site.certificates.settings(), &site.accounts);
        let mut all = Vec::new();
        for number in SERVERS {
            let dir = site.dir.join(name(number));
            fs::create_dir_all(&dir)?;
            let settings = format!("{}{tls}{accounts}", settings(number, &dir));
            fs::write(dir.join("nats.conf"), settings)?;
            all.push(Server {
                machine: Machine::boot(number)?,
                program: program.to_owned(),
                dir,
                child: None,
            });
        }
        let mut servers = Self(all);
        servers.begin_all()?;
        Ok(servers)
    }

    /// Kills one and starts it again.
    pub(super) fn kill(&mut self, at: usize) -> io::Result<()> {
        self.0[at].kill();
        self.begin_all()
    }

    /// Kills all, then starts them again.
    pub(super) fn kill_all(&mut self) -> io::Result<()> {
        self.0.iter_mut().for_each(Server::kill);
        self.begin_all()
    }

    /// Stops one, as a machine does that is suspended.
    pub(super) fn pause(&self, at: usize) -> io::Result<()> {
        self.0[at].signal(Signal::STOP)
    }

    pub(super) fn wake(&self, at: usize) -> io::Result<()> {
        self.0[at].signal(Signal::CONT)
    }

    pub(super) fn plug_into(&self, at: usize, side: Side) -> io::Result<()> {
        self.0[at].machine.plug_into(side)
    }

    /// Which of them leads the log, as far as one of them knows.
    pub(super) fn leader(&self) -> Option<usize> {
        self.0.iter().find_map(|server| {
            let known =
                monitor::asked(&server.monitor(), "/jsz?accounts=true&streams=true").ok()?;
            let accounts = known["account_details"].as_array()?;
            let streams = accounts
                .iter()
                .filter_map(|account| account["stream_detail"].as_array());
            let log = streams
                .flatten()
                .find(|stream| stream["name"] == "TM_LOG_0")?;
            let leader = log["cluster"]["leader"].as_str()?;
            SERVERS.iter().position(|number| name(*number) == leader)
        })
    }

    /// Starts those that do not run, and waits until they listen.
    fn begin_all(&mut self) -> io::Result<()> {
        self.0.iter_mut().try_for_each(Server::begin)?;
        self.0.iter_mut().try_for_each(Server::wait)
    }
}

impl Server {
    fn begin(&mut self) -> io::Result<()> {
        if self.child.is_some() {
            return Ok(());
        }
        let log = fs::OpenOptions::new()
            .create(true)
            .append(true)
            .open(self.dir.join("log"))?;
        let mut command = self.machine.command(&self.program);
        let child = command
            .arg("-c")
            .arg(self.dir.join("nats.conf"))
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()?;
        self.child = Some(child);
        Ok(())
    }

    fn wait(&mut self) -> io::Result<()> {
        let begun = Instant::now();
        while TcpStream::connect(self.monitor()).is_err() {
            let child = self.child.as_mut().map(Child::try_wait).transpose()?;
            if child.flatten().is_some() || begun.elapsed() > START_WAIT {
                let log = fs::read_to_string(self.dir.join("log")).unwrap_or_default();
                return Err(io::Error::other(format!("a server did not start: {log}")));
            }
            thread::sleep(LOOK_EVERY);
        }
        Ok(())
    }

    fn monitor(&self) -> String {
        format!("{}:8222", self.machine.address())
    }

    fn signal(&self, signal: Signal) -> io::Result<()> {
        match &self.child {
            Some(child) => Ok(kill_process(Pid::from_child(child), signal)?),
            None => Ok(()),
        }
    }

    fn kill(&mut self) {
        if let Some(mut child) = self.child.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.kill();
    }
}

fn name(number: u8) -> String {
    format!("n{number}")
}

fn settings(number: u8, dir: &Path) -> String {
    let own = address(number);
    let routes: Vec<String> = SERVERS
        .into_iter()
        .map(|number| format!("\"nats://{}:6222\"", address(number)))
        .collect();
    format!(
        "server_name: {}\nlisten: \"{own}:4222\"\nhttp: \"{own}:8222\"\njetstream {{ store_dir: \"{}/store\", sync_interval: always \
         }}\ncluster {{ name: team, listen: \"{own}:6222\", routes: [{}] }}\n",
        name(number),
        dir.display(),
        routes.join(", ")
    )
}
