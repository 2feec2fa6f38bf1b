//! The servers of a round: one, or three that are a cluster. Each can be killed, or stopped for a while.

use std::{
    fmt,
    io::{self, Read as _, Write as _},
    net::TcpStream,
    path::Path,
    time::{Duration, Instant},
};

use serde_json::Value;
use teammate_nats::layout::Replicas;
use teammate_testkit::nats::{NatsCluster, NatsServer, Sync};
use tempfile::TempDir;

use super::fault::Fault;

/// How long a monitoring address may take to answer.
const MONITOR_WAIT: Duration = Duration::from_secs(2);

/// How many servers there are.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    One,
    Three,
}

impl Kind {
    pub(super) fn replicas(self) -> Replicas {
        match self {
            Self::One => Replicas::One,
            Self::Three => Replicas::Three,
        }
    }

    /// The faults that show where such servers and processes are hit.
    pub(super) fn faults(self) -> &'static [Fault] {
        match self {
            Self::One => &[Fault::NoCompare],
            Self::Three => &[],
        }
    }
}

impl fmt::Display for Kind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::One => "one server",
            Self::Three => "three servers",
        })
    }
}

/// Running servers, with all their files in a directory that goes with them.
pub(super) struct Servers {
    pub(super) kind: Kind,
    all: Vec<NatsServer>,
    _dir: TempDir,
}

impl Servers {
    pub(super) fn start(program: &Path, kind: Kind) -> io::Result<Self> {
        let dir = tempfile::tempdir()?;
        let all = match kind {
            Kind::One => vec![NatsServer::start(program, dir.path(), Sync::Always)?],
            Kind::Three => NatsCluster::start(program, dir.path())?.servers,
        };
        Ok(Self {
            kind,
            all,
            _dir: dir,
        })
    }

    pub(super) fn urls(&self) -> Vec<String> {
        self.all.iter().map(NatsServer::url).collect()
    }

    pub(super) fn addresses(&self) -> Vec<String> {
        self.all.iter().map(NatsServer::address).collect()
    }

    pub(super) fn count(&self) -> usize {
        self.all.len()
    }

    /// Kills one and starts it again.
    pub(super) fn kill(&mut self, at: usize) -> io::Result<()> {
        self.all[at].start_again()
    }

    /// Kills all of them, then starts them again.
    pub(super) fn kill_all(&mut self) -> io::Result<()> {
        self.all.iter_mut().for_each(NatsServer::kill);
        self.all.iter_mut().try_for_each(NatsServer::start_again)
    }

    /// Stops one for a while. Its connections stay open meanwhile.
    pub(super) fn pause(&self, at: usize, time: Duration) -> io::Result<()> {
        self.all[at].pause()?;
        std::thread::sleep(time);
        self.all[at].resume()
    }

    /// Which of them leads the log, as far as one of them knows.
    pub(super) fn leader(&self) -> Option<usize> {
        let names = ["a", "b", "c"];
        self.all.iter().find_map(|server| {
            let told = asked(&server.monitor(), "/jsz?streams=true").ok()?;
            let streams = told["account_details"][0]["stream_detail"].as_array()?;
            let log = streams.iter().find(|stream| stream["name"] == "TM_LOG_0")?;
            let leader = log["cluster"]["leader"].as_str()?;
            names.iter().position(|name| *name == leader)
        })
    }
}

/// What a monitoring address says.
fn asked(address: &str, path: &str) -> io::Result<Value> {
    let mut stream = TcpStream::connect(address)?;
    stream.set_read_timeout(Some(MONITOR_WAIT))?;
    write!(stream, "GET {path} HTTP/1.0\r\n\r\n")?;
    let (mut answer, end) = (String::new(), Instant::now() + MONITOR_WAIT);
    stream.take(4 << 20).read_to_string(&mut answer)?;
    let body = answer
        .split_once("\r\n\r\n")
        .filter(|_| Instant::now() < end);
    let (_, body) = body.ok_or(io::ErrorKind::InvalidData)?;
    serde_json::from_str(body).map_err(io::Error::other)
}
