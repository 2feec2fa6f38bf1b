//! The files of an existing team, of any user.

use std::{io, path::Path, sync::Arc};

use teammate_core::port::Disk;
use teammate_process::is_within_team;
use teammate_store::{disk::TeamDisk, files::TeamDir};

use crate::{
    TeamError,
    place::{Site, TeamPlace},
};

/// A team's directory, held open. Nothing in it is believed yet.
pub(crate) struct Existing {
    /// Its directory.
    pub(crate) site: Site,
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) dir: TeamDir,
}

impl Existing {
    /// Opens the directory of a team; no file of more than `read_max` bytes is read.
    ///
    /// Errors: there is no journal, or something in the directory is not what it should be.
    pub(crate) fn open(place: &TeamPlace, read_max: u64) -> Result<Self, TeamError> {
        let files = Self::without_journal(place, read_max)?;
        match files.disk.exists(&files.dir.journal()) {
            true => Ok(files),
            false => {
                let shown = place.workspace();
                let shown = std::path::absolute(shown).unwrap_or_else(|_| shown.to_owned());
                Err(TeamError::NoTeam(shown))
            }
        }
    }

    /// Looks at a team whose journal may be lost.
    pub(crate) fn without_journal(place: &TeamPlace, read_max: u64) -> Result<Self, TeamError> {
        // The user should see where that is.
        let shown = place.workspace();
        let shown = std::path::absolute(shown).unwrap_or_else(|_| shown.to_owned());
        let no_team = || TeamError::NoTeam(shown.clone());
        let site = place.site().map_err(|_| no_team())?;
        let (path, dir) = (site.dir.clone(), TeamDir::at(&site.dir));
        let disk = TeamDisk::open(&site.root).and_then(|disk| {
            dir.check(&disk)?;
            Ok(disk)
        });
        let disk = match disk {
            Ok(disk) => disk.reading_at_most(read_max),
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Err(no_team()),
            Err(why) => return Err(TeamError::Directory { path, why }),
        };
        Ok(Self {
            site,
            disk: Arc::new(disk),
            dir,
        })
    }

    /// Whether one of the team's own commands asks.
    pub(crate) fn is_asked_from_within(&self) -> bool {
        is_members(self.dir.path())
    }

    /// The meaning of an error for a process within the team's own sandbox. To its own commands a team's files may be
    /// read-only, and the user's are not there.
    pub(crate) fn within(&self, error: TeamError) -> TeamError {
        if self.is_asked_from_within() {
            TeamError::InsideMemberCommand
        } else {
            error
        }
    }
}

/// Whether a command of a member of the team in this directory started this process.
pub(crate) fn is_members(dir: &Path) -> bool {
    is_within_team(dir, |name| std::env::var(name).ok())
}
