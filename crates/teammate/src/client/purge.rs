//! Old files of a team, seen and removed from outside.

use std::{io, time::SystemTime};

use teammate_core::{audit::AuditEvent, port::Clock as _};
use teammate_store::{clock::SystemClock, files::TeamDir};

use super::TeamClient;
use crate::{
    TeamError,
    ownership::KnownTeams,
    purge::{KeepFor, Kept, OldFiles, is_still_old, old_parts, old_team, remove},
};

impl TeamClient {
    /// The files that are older than this at the moment. A whole team is not listed while it has worktrees, which may have
    /// work in them.
    ///
    /// # Errors
    ///
    /// A directory of the team cannot be read.
    pub fn old_files(&self, keep: &KeepFor) -> Result<Vec<OldFiles>, TeamError> {
        let (now, dir) = (SystemTime::now(), self.dir());
        let before = keep.transcripts.and_then(|age| now.checked_sub(age));
        let team = before.map(|before| old_team(&dir, before)).transpose();
        let team = team.map_err(|error| broken(&error))?.flatten();
        let parts = old_parts(&dir, keep, now).map_err(|error| broken(&error))?;
        Ok(team.map_or(parts, |team| vec![team]))
    }

    /// Removes these files, and records that in the audit log.
    ///
    /// # Errors
    ///
    /// The team is running, or was used since they were found: nothing was removed. Or something cannot be removed; what was removed before is gone.
    pub async fn remove_old(&mut self, old: &[OldFiles]) -> Result<(), TeamError> {
        self.require_user()?;
        let _host = self.store.presence.claim(SystemClock.now()).await?;
        let dir = self.dir();
        for old in old {
            if !is_still_old(old, &dir).map_err(|error| broken(&error))? {
                return Err(TeamError::UsedMeanwhile);
            }
        }
        remove(old).map_err(|error| broken(&error))?;
        if old.iter().any(|old| old.kind == Kept::Team) {
            let teams = KnownTeams::of_user(&self.user, &self.site.workspace);
            teams.forget(&self.site.key)?;
            #[cfg(feature = "acp")]
            crate::agents::remove_homes(&self.user, &self.site.key)
                .map_err(|error| broken(&error))?;
        }
        for old in old {
            self.audit(AuditEvent::Purged {
                what: old.to_string(),
            });
        }
        Ok(())
    }

    /// The team's directory on this machine, whatever store keeps the team.
    fn dir(&self) -> TeamDir {
        TeamDir::at(&self.site.dir)
    }
}

fn broken(error: &io::Error) -> TeamError {
    TeamError::Storage(format!("old files: {error}"))
}
