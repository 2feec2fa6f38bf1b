//! The servers of a round: one, or three that are a cluster. Each can be killed, or stopped for a while.

use std::{fmt, io, path::Path, time::Duration};

use teammate_nats::layout::Replicas;
use teammate_testkit::nats::{NatsCluster, NatsServer, Sync};
use tempfile::TempDir;

use super::fault::Fault;
use crate::monitor;

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

/// Running servers.
pub(super) struct Servers {
    pub(super) kind: Kind,
    all: Vec<NatsServer>,
    /// Goes with them, if it is their own.
    _dir: Option<TempDir>,
}

impl Servers {
    /// Starts them with their files in a directory of their own.
    pub(super) fn start(program: &Path, kind: Kind) -> io::Result<Self> {
        let dir = tempfile::tempdir()?;
        let servers = Self::start_in(program, kind, Sync::Always, dir.path())?;
        Ok(Self {
            _dir: Some(dir),
            ..servers
        })
    }

    /// Starts them with their files in this directory.
    pub(super) fn start_in(program: &Path, kind: Kind, sync: Sync, dir: &Path) -> io::Result<Self> {
        let all = match kind {
            Kind::One => vec![NatsServer::start(program, dir, sync)?],
            Kind::Three => NatsCluster::start_syncing(program, dir, sync)?.servers,
        };
        Ok(Self {
            kind,
            all,
            _dir: None,
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
        self.end_all();
        self.begin_all()
    }

    /// Kills all of them. They can begin again.
    pub(super) fn end_all(&mut self) {
        self.all.iter_mut().for_each(NatsServer::kill);
    }

    /// Starts all of them again.
    pub(super) fn begin_all(&mut self) -> io::Result<()> {
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
            let told = monitor::asked(&server.monitor(), "/jsz?streams=true").ok()?;
            let streams = told["account_details"][0]["stream_detail"].as_array()?;
            let log = streams.iter().find(|stream| stream["name"] == "TM_LOG_0")?;
            let leader = log["cluster"]["leader"].as_str()?;
            names.iter().position(|name| *name == leader)
        })
    }
}
