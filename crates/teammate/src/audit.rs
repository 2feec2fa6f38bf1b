//! The audit log of a team: who allowed what, when, from where; every command whole, with its exit. It is in the user's state
//! directory, out of members' reach, and survives the team's own directory. Each line is sealed with the user's key and linked
//! to the one before it, so that a line that was changed, removed, added or moved is found. Who has the user's account has the
//! key, too: against that user it proves nothing.

mod file;
mod verify;

use std::path::Path;

use serde::{Deserialize, Serialize};
use teammate_core::audit::AuditEntry;
pub use teammate_core::audit::{AllowedBy, AuditEvent, AuditedAction, Surface};
use teammate_store::clock::SystemClock;

pub(crate) use self::file::AuditFile;
pub use self::verify::AuditCheck;
use crate::{
    TeamError,
    place::{TeamPlace, audit_key_on_servers},
    project::UserDirs,
};

/// The audit log of a team: who allowed what, sealed line by line. The event log is for watching and proves nothing.
pub struct AuditTrail(AuditFile);

/// An entry with its number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditRecord {
    /// Its number, from 0.
    pub n: u64,
    /// The recorded entry.
    #[serde(flatten)]
    pub entry: AuditEntry,
}

impl AuditTrail {
    /// That of a team in this place, also of one that is gone; a workspace means its default team.
    ///
    /// # Errors
    ///
    /// There is no such directory, or no state directory in which a log could be.
    pub fn of(place: impl Into<TeamPlace>, user: &UserDirs) -> Result<Self, TeamError> {
        let place = place.into();
        let site = place.site().map_err(|why| TeamError::Workspace {
            path: place.workspace().to_owned(),
            why,
        })?;
        Self::found(AuditFile::of(user, &site.workspace, &site.audit_key)?)
    }

    /// The part of the audit log that this machine kept for a team of this name on servers: what its workers here did, and
    /// what its people answered. `workspace` is where the reader is.
    ///
    /// # Errors
    ///
    /// There is no state directory in which a log could be.
    pub fn of_team_on_servers(
        name: &str,
        workspace: &Path,
        user: &UserDirs,
    ) -> Result<Self, TeamError> {
        let key = audit_key_on_servers(name);
        Self::found(AuditFile::of(user, workspace, &key)?)
    }

    fn found(file: Option<AuditFile>) -> Result<Self, TeamError> {
        let nowhere = "there is no state directory with a key of yours, so nothing was recorded";
        file.map(Self)
            .ok_or_else(|| TeamError::Storage(nowhere.to_owned()))
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        self.0.path()
    }

    /// Gives each line that is an entry, in order, with its text.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn read(&self, mut show: impl FnMut(&str, AuditRecord)) -> Result<(), TeamError> {
        let lines = self.0.lines().map_err(|error| broken(&error))?;
        for line in lines {
            let line = line.map_err(|error| broken(&error))?;
            if let Ok(record) = serde_json::from_str(&line) {
                show(&line, record);
            }
        }
        Ok(())
    }

    /// Records that the user trusted something of a repository.
    ///
    /// # Errors
    ///
    /// The file cannot be written.
    pub fn trusted(&self, what: &str) -> Result<(), TeamError> {
        let what = what.to_owned();
        let recorded = self.0.note(&SystemClock, AuditEvent::Trusted { what });
        recorded.map_err(|error| TeamError::Storage(error.to_string()))
    }

    /// Whether each line is as it was written, and all are there.
    ///
    /// # Errors
    ///
    /// The file cannot be read.
    pub fn verify(&self) -> Result<AuditCheck, TeamError> {
        verify::verify(&self.0).map_err(|error| broken(&error))
    }
}

fn broken(error: &std::io::Error) -> TeamError {
    TeamError::Storage(format!("the audit log: {error}"))
}

#[cfg(test)]
mod tests;
