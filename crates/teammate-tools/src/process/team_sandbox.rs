//! How the commands of one team are started: the sandbox, and what of the workspace belongs to teams.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Once},
};

use teammate_sandbox::{By, Failure, Level, Place, Sandbox, SandboxRules, Strength};

use super::repositories::Repositories;
use crate::beneath::{WORKTREES, resolved};

/// The directory below the team's own for what members' commands see as `/tmp`.
const TMP: &str = "tmp";

/// The sandbox of one team. Cheap to clone; all clones are one.
#[derive(Debug, Clone)]
pub struct TeamSandbox {
    sandbox: Sandbox,
    teams: Vec<PathBuf>,
    emptied: Arc<Once>,
    repositories: Repositories,
    shown: Arc<[PathBuf]>,
    gap: Option<Arc<str>>,
}

impl Default for TeamSandbox {
    fn default() -> Self {
        Self::new(SandboxRules::default(), [])
    }
}

impl TeamSandbox {
    /// Holds commands by these rules. No command sees what is in the directories of `teams`, but for worktrees.
    pub fn new(rules: SandboxRules, teams: impl IntoIterator<Item = PathBuf>) -> Self {
        Self {
            sandbox: Sandbox::new(rules),
            teams: teams.into_iter().collect(),
            emptied: Arc::new(Once::new()),
            repositories: Repositories::default(),
            shown: Arc::default(),
            gap: None,
        }
    }

    /// The same, where members' commands see these directories, read-only, besides what they saw before. What is around them stays
    /// hidden.
    #[must_use]
    pub fn showing(mut self, dirs: impl IntoIterator<Item = PathBuf>) -> Self {
        self.shown = self.shown.iter().cloned().chain(dirs).collect();
        self
    }

    /// Finds out how well commands are held, trying it out below `scratch`, and has them asked about where that is less than the
    /// user requires. Removes what a killed program left in the workspace. Blocks for some milliseconds.
    ///
    /// # Errors
    ///
    /// No command can run here.
    pub fn try_out(&mut self, root: &Path, scratch: &Path) -> Result<Strength, Failure> {
        self.repositories = Repositories::of(root, self.teams.clone());
        self.sandbox.sweep(&self.place((root, scratch), By::Member));
        let strength = self.sandbox.strength(scratch)?;
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

    /// Removes what stands in the workspace for names that commands may not make, once no command of the team runs. The next
    /// command puts it there again.
    pub fn close(&self) {
        self.sandbox.forget_views();
    }

    /// Where commands run that begin in `dir`, with a `/tmp` that is their owner's.
    pub(super) fn of_owner(
        &self,
        owner: &str,
        (dir, team_dir): (&Path, &Path),
    ) -> io::Result<Place> {
        Ok(Place {
            tmp: self.tmp(owner, team_dir)?,
            repositories: self.repositories.below(dir),
            ..self.place((dir, team_dir), By::Member)
        })
    }

    /// Where each member's commands have their own `/tmp`, in directories by the members' names; `None` where they see the
    /// machine's. Empties it, once.
    pub fn private_tmp(&self, team_dir: &Path) -> Option<PathBuf> {
        let is_private = self.sandbox.level().is_ok_and(|level| level == Level::Full);
        is_private.then(|| self.emptied(team_dir))
    }

    /// Where the program's own git runs.
    pub(super) fn of_program(&self, dirs: (&Path, &Path)) -> Place {
        Place {
            repositories: self.repositories.all(),
            ..self.place(dirs, By::Program)
        }
    }

    fn place(&self, (dir, team_dir): (&Path, &Path), by: By) -> Place {
        let teams = self.teams.iter().cloned();
        Place {
            root: dir.to_owned(),
            teams: teams.chain([team_dir.to_owned()]).collect(),
            worktrees: team_dir.join(WORKTREES),
            by,
            own: Vec::new(),
            tmp: None,
            shown: self.shown.clone(),
            repositories: Arc::default(),
        }
    }

    fn emptied(&self, team_dir: &Path) -> PathBuf {
        let all = team_dir.join(TMP);
        self.emptied.call_once(|| {
            // Links are not followed. What cannot be removed is found again by who looks there.
            let _ = fs::remove_dir_all(&all);
        });
        all
    }

    /// What commands of this owner see as `/tmp`, in the team's directory. It was emptied when the program started.
    /// `None` where a link stands in the place of that directory: then it is in memory.
    fn tmp(&self, owner: &str, team_dir: &Path) -> io::Result<Option<PathBuf>> {
        if !fs::symlink_metadata(team_dir).is_ok_and(|found| found.is_dir()) {
            return Ok(None);
        }
        let all = self.emptied(team_dir);
        let own = all.join(owner);
        resolved::make_dir(&own)?;
        Ok(Some(own))
    }
}
