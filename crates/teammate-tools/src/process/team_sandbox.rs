//! How the commands of one team are started: the sandbox, and what of the workspace belongs to teams.

use std::{
    io,
    path::{Path, PathBuf},
    sync::{Arc, OnceLock},
};

use rustix::fs::Mode;
use teammate_core::MemberName;
use teammate_sandbox::{By, Failure, Level, Place, Rules, Sandbox, Strength};
use tempfile::TempDir;

use crate::worktrees::WORKTREES;

/// The sandbox of one team. Cheap to clone; all clones are one.
#[derive(Debug, Clone, Default)]
pub struct TeamSandbox {
    sandbox: Sandbox,
    teams: Vec<PathBuf>,
    private: Arc<OnceLock<TempDir>>,
    gap: Option<Arc<str>>,
}

impl TeamSandbox {
    /// Holds commands by these rules. No command sees what is in the directories of `teams`, but for worktrees.
    pub fn new(rules: Rules, teams: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            sandbox: Sandbox::new(rules),
            teams: teams.into_iter().collect(),
            private: Arc::default(),
            gap: None,
        }
    }

    /// Finds out how well commands are held, and has them asked about where that is less than the user requires. Blocks for
    /// some milliseconds.
    ///
    /// # Errors
    ///
    /// No command can run here.
    pub fn try_out(&mut self) -> Result<Strength, Failure> {
        let strength = self.sandbox.strength()?;
        let required = self.sandbox.rules().required.unwrap_or(Level::Full);
        self.gap = (strength.level < required).then(|| strength.to_string().into());
        Ok(strength)
    }

    /// Why commands are asked about whatever rules say.
    pub(crate) fn gap(&self) -> Option<Arc<str>> {
        self.gap.clone()
    }

    /// What starts commands.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// Where a member's commands run that begin in `dir`.
    pub(super) fn of_member(
        &self,
        member: &MemberName,
        (dir, team_dir): (&Path, &Path),
    ) -> io::Result<Place> {
        Ok(Place {
            tmp: Some(self.tmp(member)?),
            ..self.place((dir, team_dir), By::Member)
        })
    }

    /// Where the program's own git runs.
    pub(super) fn of_program(&self, dirs: (&Path, &Path)) -> Place {
        self.place(dirs, By::Program)
    }

    fn place(&self, (dir, team_dir): (&Path, &Path), by: By) -> Place {
        let teams = self.teams.iter().cloned();
        Place {
            root: dir.to_owned(),
            teams: teams.chain([team_dir.to_owned()]).collect(),
            worktrees: team_dir.join(WORKTREES),
            by,
            tmp: None,
        }
    }

    /// What this member's commands see as `/tmp`. It goes with the team's last command.
    fn tmp(&self, member: &MemberName) -> io::Result<PathBuf> {
        let all = match self.private.get() {
            Some(all) => all,
            None => {
                let made = tempfile::Builder::new().prefix("teammate-").tempdir()?;
                // Another thread may have made one meanwhile; then this one goes.
                self.private.get_or_init(|| made)
            }
        };
        let dir = all.path().join(member.as_str());
        match rustix::fs::mkdir(&dir, Mode::RWXU) {
            Ok(()) | Err(rustix::io::Errno::EXIST) => Ok(dir),
            Err(error) => Err(error.into()),
        }
    }
}
