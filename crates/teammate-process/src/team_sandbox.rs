//! How the commands of one team are started: the sandbox, and what of the workspace belongs to teams.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::{Arc, Once},
};

use teammate_core::permission::Rule;
use teammate_sandbox::{
    By, Content, Failure, GuardDirs, HeldFile, Level, PROTECTED, PROTECTED_IF_THERE, Place,
    Sandbox, SandboxRules, Strength,
};

use crate::{WORKTREES, resolved};
use crate::{
    closed_files::{Closed, ClosedFiles},
    known_files::KnownRepository,
    repositories::Repositories,
};

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
    closed: ClosedFiles,
    gap: Option<Arc<str>>,
    /// The user's directory for what is remembered.
    state: Option<Arc<Path>>,
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
            closed: ClosedFiles::default(),
            gap: None,
            state: None,
        }
    }

    /// Has the guard of names that decide what programs do later remember what it needs in the user's state directory, and
    /// not in the team's directory.
    #[must_use]
    pub fn remembering_in(mut self, state: &Path) -> Self {
        self.state = Some(state.into());
        self
    }

    /// Lets members' commands see these directories, read-only, besides what they saw before. What is around them stays
    /// hidden.
    #[must_use]
    pub fn showing(mut self, dirs: impl IntoIterator<Item = PathBuf>) -> Self {
        self.shown = self.shown.iter().cloned().chain(dirs).collect();
        self
    }

    /// Has commands in this workspace not see, or not change, the files that deny rules close.
    #[must_use]
    pub fn closing(mut self, deny: &[Rule], workspace: &Path) -> Self {
        self.closed = ClosedFiles::of(deny, workspace);
        self
    }

    /// The deny rules about files that hold for file tools only, as commands are not held well enough for more; in words.
    pub fn open_to_commands(&self) -> Option<String> {
        let is_held = self.sandbox.level().is_ok_and(|level| level == Level::Full);
        self.closed.describe().filter(|_| !is_held)
    }

    /// Finds out how well commands are held, trying it out below `scratch`, and has them asked about where that is less than the
    /// user requires. Looks after what commands of a killed program wrote in the workspace. Blocks for some milliseconds.
    ///
    /// # Errors
    ///
    /// No command can run here.
    pub fn try_out(&mut self, root: &Path, scratch: &Path) -> Result<Strength, Failure> {
        self.repositories = Repositories::of(root, self.teams.clone());
        let place = self.place((root, scratch), By::Member);
        self.write_down(&place)?;
        self.sandbox.reopen(&place);
        let strength = self.sandbox.strength(scratch)?;
        let required = self.sandbox.rules().required.unwrap_or(Level::Full);
        self.gap = (strength.level < required).then(|| strength.to_string().into());
        Ok(strength)
    }

    /// Writes down what the repository has, as it was when the team was begun.
    fn write_down(&self, place: &Place) -> Result<(), Failure> {
        if let Some(dirs) = &place.guard {
            let known = KnownRepository::of(&place.root, &dirs.records)
                .map_err(|error| Failure::of("write down what the repository has", &error))?;
            self.sandbox.vouched_by(Arc::new(known));
        }
        Ok(())
    }

    /// Writes down what the repository of this workspace and team has, as far as it can be done.
    pub fn write_down_of(&self, dirs: (&Path, &Path)) {
        let _ = self.write_down(&self.place(dirs, By::Program));
    }

    /// Whether this content may be under a guarded name of the workspace: the user said yes to it, or a commit had it before
    /// members came. May ask git.
    pub fn knows(&self, dirs: (&Path, &Path), name: &str, content: &Content<'_>) -> bool {
        let place = self.place(dirs, By::Program);
        self.write_down(&place).is_ok() && self.sandbox.knows(&place, name, content)
    }

    /// The user has said yes to this content under this name.
    pub fn accept(&self, dirs: (&Path, &Path), name: &str, content: &Content<'_>) {
        self.sandbox
            .accept(&self.place(dirs, By::Program), name, content);
    }

    /// Accepts a file where its name is guarded; else nothing is to be said yes to.
    pub fn accept_if_guarded(&self, dirs: (&Path, &Path), name: &str, content: &Content<'_>) {
        let place = self.place(dirs, By::Member);
        if is_guarded(Path::new(name)) || self.sandbox.guards(&place, name) {
            self.sandbox.accept(&place, name, content);
        }
    }

    /// The files that are held for this workspace and team, in the order of their numbers. Blocks.
    pub fn held(&self, dirs: (&Path, &Path)) -> Vec<HeldFile> {
        self.sandbox.held(&self.place(dirs, By::Program))
    }

    /// Why commands are asked about whatever rules say.
    pub fn gap(&self) -> Option<Arc<str>> {
        self.gap.clone()
    }

    /// The sandbox that starts commands.
    pub fn sandbox(&self) -> &Sandbox {
        &self.sandbox
    }

    /// Waits until commands that are being ended are gone, and what they wrote was looked at.
    pub fn close(&self) {
        self.sandbox.close();
    }

    /// Where commands run that begin in `dir`, with a `/tmp` that is their owner's.
    pub(crate) fn of_owner(
        &self,
        owner: &str,
        (dir, team_dir): (&Path, &Path),
    ) -> io::Result<Place> {
        let place = self.place((dir, team_dir), By::Member);
        let Closed { hidden, fixed } = match self.sandbox.level() {
            Ok(Level::Full) => self.closed.now(dir, &place.worktrees, &place.teams)?,
            // Nothing can be covered.
            Ok(Level::Off | Level::None | Level::Landlock) | Err(_) => Closed::default(),
        };
        Ok(Place {
            tmp: self.tmp(owner, team_dir)?,
            closed: hidden,
            fixed,
            repositories: self.repositories.below(dir),
            ..place
        })
    }

    /// Where each member's commands have their own `/tmp`, in directories by the members' names; `None` where they see the
    /// machine's. Empties it, once.
    pub fn private_tmp(&self, team_dir: &Path) -> Option<PathBuf> {
        let is_private = self.sandbox.level().is_ok_and(|level| level == Level::Full);
        is_private.then(|| self.emptied(team_dir))
    }

    /// Where the program's own git runs.
    pub(crate) fn of_program(&self, dirs: (&Path, &Path)) -> Place {
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
            closed: Arc::default(),
            fixed: Arc::default(),
            repositories: Arc::default(),
            // Where there is no team, nothing is made for one.
            guard: fs::symlink_metadata(team_dir)
                .is_ok_and(|found| found.is_dir())
                .then(|| GuardDirs::of_team(team_dir, self.state.as_deref())),
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

    /// The directory that commands of this owner see as `/tmp`, in the team's directory. It was emptied when the program
    /// started. `None` where a link stands in the place of that directory: then it is in memory.
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

/// Whether a name below a workspace or worktree decides what programs do later.
pub fn is_guarded(name: &Path) -> bool {
    let mut names = PROTECTED.iter().chain(PROTECTED_IF_THERE);
    names.any(|guarded| name.starts_with(guarded))
}
