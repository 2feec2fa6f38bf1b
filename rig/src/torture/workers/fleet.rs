//! All machines of a rig, and where the teams on them are.

use std::{io, path::Path, sync::Arc};

use teammate_core::{fold::Fold, name::WorkerName, team::Placements};

use super::{cables::Side, names::WORKERS, servers::Servers, site::Site, worker::Worker};
use crate::torture::worker::run;

/// Servers and workers, each on a machine of its own.
pub(super) struct Fleet {
    pub(super) site: Arc<Site>,
    pub(super) servers: Servers,
    pub(super) workers: Vec<Worker>,
    /// The teams of this round.
    teams: Vec<String>,
}

impl Fleet {
    /// Boots all machines, and starts the servers. They have no leader yet.
    pub(super) fn boot(site: Arc<Site>, program: &Path) -> io::Result<Self> {
        let servers = Servers::start(program, &site)?;
        let mut workers = Vec::new();
        for at in 0..WORKERS.len() {
            workers.push(Worker::boot(at, &site)?);
        }
        Ok(Self {
            site,
            servers,
            workers,
            teams: Vec::new(),
        })
    }

    /// Starts all workers for these teams.
    pub(super) fn serve(&mut self, teams: Vec<String>) -> io::Result<()> {
        self.teams = teams;
        self.start_all()
    }

    pub(super) fn kill(&mut self, at: usize) -> io::Result<()> {
        self.workers[at].kill(&self.site)
    }

    /// Kills all workers that run.
    pub(super) fn kill_all(&mut self) -> io::Result<()> {
        (0..self.workers.len()).try_for_each(|at| self.kill(at))
    }

    /// Starts the workers that were killed.
    pub(super) fn start_all(&mut self) -> io::Result<()> {
        for worker in &mut self.workers {
            worker.start(&self.site, &self.teams)?;
        }
        Ok(())
    }

    /// Plugs these into this side's switch.
    pub(super) fn plug_into(
        &self,
        side: Side,
        servers: &[usize],
        workers: &[usize],
    ) -> io::Result<()> {
        for at in servers {
            self.servers.plug_into(*at, side)?;
        }
        for at in workers {
            self.workers[*at].plug_into(side)?;
        }
        Ok(())
    }

    /// Which of the workers it is.
    pub(super) fn at(&self, name: &WorkerName) -> Option<usize> {
        WORKERS.iter().position(|known| *known == name.as_str())
    }

    /// Who holds whom in a team now.
    pub(super) fn places(&self, team: &str) -> io::Result<Placements> {
        let fold = async {
            let store = self.site.store(&self.site.urls, team).await?;
            let (fold, _) = Fold::open(&*store.journal)
                .await
                .map_err(|error| error.to_string())?;
            Ok::<_, String>(fold.team().places().clone())
        };
        run(fold).and_then(|read| read).map_err(io::Error::other)
    }
}
