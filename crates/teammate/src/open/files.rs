//! The files of a team that is opened, locked for this process, and what another program may have left in its directory.

use std::{io, path::Path, sync::Arc};

use teammate_core::{
    MemberName,
    port::{Clock, Disk},
};
use teammate_store::{
    clock::SystemClock,
    disk::TeamDisk,
    files::{FileJournal, FileMailbox, HostLock, TeamDir},
    seal::Seal,
    teaching::{self, ConfigFile},
};
use teammate_tools::Leftovers;

use crate::TeamError;

/// A team's files, locked for this process.
pub(super) struct Files {
    pub(super) disk: Arc<dyn Disk>,
    pub(super) dir: TeamDir,
    pub(super) clock: Arc<dyn Clock>,
    pub(super) lock: HostLock,
    pub(super) journal: Arc<FileJournal>,
    pub(super) mailbox: Arc<FileMailbox>,
}

/// What another program's roster held.
#[derive(Default)]
pub(super) struct Adopted {
    pub(super) members: Vec<(MemberName, String, bool)>,
    pub(super) notices: Vec<String>,
}

impl Files {
    pub(super) fn open(path: &Path, read_max: u64, seal: &Arc<Seal>) -> Result<Self, TeamError> {
        let (disk, dir) = directory(path, read_max).map_err(|why| TeamError::Directory {
            path: path.to_owned(),
            why,
        })?;
        let clock: Arc<dyn Clock> = Arc::new(SystemClock);
        let lock = HostLock::take(&*disk, &dir, clock.now())?;
        Ok(Self {
            journal: Arc::new(FileJournal::new(disk.clone(), dir.clone())),
            mailbox: Arc::new(FileMailbox::new(
                disk.clone(),
                dir.clone(),
                clock.clone(),
                seal.clone(),
            )),
            disk,
            dir,
            clock,
            lock,
        })
    }

    /// Ends what a killed host of this team left running.
    pub(super) fn end_strays(&self) -> Option<String> {
        Leftovers::end_strays(self.dir.path())
            .then(|| "processes that a killed run had left were ended".to_owned())
    }

    /// The roster of a directory that another program left: only where there is no journal yet.
    pub(super) fn adopted(&self) -> Result<Adopted, TeamError> {
        if self.disk.exists(&self.dir.journal()) {
            return Ok(Adopted::default());
        }
        let config =
            teaching::read_config(&*self.disk, &self.dir).map_err(|why| TeamError::Directory {
                path: self.dir.config(),
                why,
            })?;
        let roster = match config {
            ConfigFile::Missing => return Ok(Adopted::default()),
            ConfigFile::Damaged { why, kept_in } => {
                let text = format!(
                    "config.json could not be read ({why}); it is kept in {}",
                    kept_in.display()
                );
                return Ok(Adopted {
                    members: Vec::new(),
                    notices: vec![text],
                });
            }
            ConfigFile::Roster(roster) => roster,
        };
        let mut adopted = Adopted {
            members: Vec::new(),
            notices: roster.damaged,
        };
        for member in roster.members {
            match MemberName::teammate(&member.name) {
                Ok(name) => adopted.members.push((name, member.role, member.stopped)),
                Err(error) => adopted
                    .notices
                    .push(format!("config.json: {error}; left out")),
            }
        }
        Ok(adopted)
    }
}

/// The team's directory, made if it is not there, checked and held open.
fn directory(path: &Path, read_max: u64) -> io::Result<(Arc<dyn Disk>, TeamDir)> {
    let disk = TeamDisk::create(path)?.reading_at_most(read_max);
    TeamDir::at(path).check(&disk)?;
    let dir = TeamDir::create(&disk, path)?;
    Ok((Arc::new(disk), dir))
}
