//! The files of a team that is there, whoever it belongs to.

use std::{
    io,
    path::{Path, PathBuf},
    sync::Arc,
};

use teammate_core::port::Disk;
use teammate_store::{disk::TeamDisk, files::TeamDir};

use super::{TEAM_DIR, decide::is_members};
use crate::{
    TeamError,
    ownership::{KnownTeams, Proof},
};

/// A team's directory, held open. Nothing in it is believed yet.
pub(crate) struct Existing {
    /// Where it lies, resolved.
    pub(crate) workspace: PathBuf,
    pub(crate) disk: Arc<dyn Disk>,
    pub(crate) dir: TeamDir,
}

impl Existing {
    /// Opens the directory of the team in a workspace; no file of more than `read_max` bytes is read.
    ///
    /// Errors: there is no journal, or something in the directory is not what it should be.
    pub(crate) fn open(workspace: &Path, read_max: u64) -> Result<Self, TeamError> {
        // A person should see where that is.
        let shown = std::path::absolute(workspace).unwrap_or_else(|_| workspace.to_owned());
        let no_team = || TeamError::NoTeam(shown.clone());
        let resolved = workspace.canonicalize().map_err(|_| no_team())?;
        let path = resolved.join(TEAM_DIR);
        let dir = TeamDir::at(&path);
        let disk = TeamDisk::open(&path).and_then(|disk| dir.check(&disk).map(|()| disk));
        let disk = match disk {
            Ok(disk) => disk.reading_at_most(read_max),
            Err(why) if why.kind() == io::ErrorKind::NotFound => return Err(no_team()),
            Err(why) => return Err(TeamError::Directory { path, why }),
        };
        if !disk.exists(&dir.journal()) {
            return Err(no_team());
        }
        Ok(Self {
            workspace: resolved,
            disk: Arc::new(disk),
            dir,
        })
    }

    /// What proves that it is the user's own.
    ///
    /// Errors: [`TeamError::NotProven`]; there is no team if nothing was ever written to its journal.
    pub(crate) fn prove(&self, teams: &Arc<KnownTeams>) -> Result<Proof, TeamError> {
        let proof = Proof::find(teams, &*self.disk, &self.dir, &self.workspace)?;
        proof.ok_or_else(|| TeamError::NoTeam(self.workspace.clone()))
    }

    /// Whether one of the team's own commands asks.
    pub(crate) fn is_asked_from_within(&self) -> bool {
        is_members(&self.dir)
    }

    /// What an error means. To its own commands a team's files may be read-only, and the user's are not there.
    pub(super) fn within(&self, error: TeamError) -> TeamError {
        if self.is_asked_from_within() {
            TeamError::Within
        } else {
            error
        }
    }
}
