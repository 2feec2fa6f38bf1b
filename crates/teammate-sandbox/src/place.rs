//! Where commands work: a workspace or a worktree of it. From a place and the rules follows what a command sees.

use std::{
    fs, io,
    path::{Path, PathBuf},
    sync::Arc,
    time::SystemTime,
};

use crate::{
    failure::{Failure, Step as _},
    guard::{GuardDirs, Names},
    policy::{Held, PRIVATE, Policy},
    protect::protect,
    rules::{PROTECTED, PROTECTED_IF_THERE, SandboxRules},
};

mod git;

pub use git::git_dir_of_worktree;
use git::{GitUse, repository_around};

/// Where commands work. All paths are absolute and without links.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The directory that they may change: the workspace, or a worktree of it.
    pub root: PathBuf,
    /// Directories of teams: no command sees what is in them.
    pub teams: Vec<PathBuf>,
    /// The directory of the team's worktrees, in one of those: commands see it.
    pub worktrees: PathBuf,
    /// The owner of the commands.
    pub by: By,
    /// Directories besides that they see and change: their own.
    pub own: Vec<PathBuf>,
    /// The directory that they see as `/tmp`.
    pub tmp: Option<PathBuf>,
    /// Directories that members' commands see, read-only, although what is around them is hidden.
    pub shown: Arc<[PathBuf]>,
    /// Files and directories that rules close: commands do not see what is in them. What is not there is passed over.
    pub closed: Arc<[PathBuf]>,
    /// The paths that they see and do not change.
    pub fixed: Arc<[PathBuf]>,
    /// The entries `.git` of other repositories below `root`, in which commands do not change what git runs.
    pub repositories: Arc<[PathBuf]>,
    /// Where files are held that commands write at guarded names. Without, what is absent there can be made.
    pub guard: Option<GuardDirs>,
}

/// Whose commands they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    Member,
    /// A program's of the team that changes nothing in the workspace, which it sees.
    Guest,
    /// The program's own git, which makes and merges worktrees: it changes all of the repository that `root` is a part of.
    Program,
    /// Git that only reads: it sees everything, and writes nowhere.
    Reader,
}

impl By {
    /// Whether the team's own commands are meant, which share what a member may use.
    pub(crate) fn is_of_team(self) -> bool {
        match self {
            Self::Member | Self::Guest => true,
            Self::Program | Self::Reader => false,
        }
    }
}

impl Place {
    /// Where nothing is written.
    pub fn to_read(dir: &Path) -> Self {
        Self {
            root: dir.to_owned(),
            teams: Vec::new(),
            worktrees: dir.to_owned(),
            by: By::Reader,
            own: Vec::new(),
            tmp: None,
            shown: Arc::default(),
            closed: Arc::default(),
            fixed: Arc::default(),
            repositories: Arc::default(),
            guard: None,
        }
    }

    /// The place without the walls of rules that close in it now.
    pub(crate) fn without_walls(&self) -> Self {
        Self {
            closed: Arc::default(),
            fixed: Arc::default(),
            ..self.clone()
        }
    }

    /// A directory that says whose commands they are: members share a workspace, but no `/tmp`.
    pub(crate) fn owner(&self) -> &Path {
        self.tmp.as_deref().unwrap_or(&self.root)
    }

    /// Whether names are guarded for these commands: they write in the workspace.
    pub(crate) fn guards(&self) -> Option<&GuardDirs> {
        match self.by {
            By::Member | By::Program => self.guard.as_ref(),
            By::Guest | By::Reader => None,
        }
    }

    /// Whether it is a worktree of the team's.
    pub(crate) fn is_worktree(&self) -> bool {
        self.root.starts_with(&self.worktrees)
    }

    /// The sight of commands here. `too_large` says which names have more in them than a guard looks at: they are read-only.
    ///
    /// # Errors
    ///
    /// The place is not there, or a wall would stand beside what it is to hold.
    pub(crate) fn sight(
        &self,
        rules: &SandboxRules,
        too_large: impl FnOnce(&[PathBuf]) -> Vec<PathBuf>,
    ) -> Result<Sight, Failure> {
        let view = self.draft(rules)?;
        let (mut policy, mut guarded) = (view.policy, Vec::new());
        let mut names = view.names;
        match self.guards() {
            Some(_) => {
                guarded.extend(view.guarded);
                for name in &guarded {
                    // Where it leads out of the workspace, nothing sees what is written there.
                    let target = name.canonicalize().ok();
                    let is_outside =
                        |target: &PathBuf| target != name && !target.starts_with(&self.root);
                    names.extend(target.filter(is_outside));
                }
            }
            None => names.extend(view.guarded),
        }
        let (held, absent) = protect(&names, &policy.writable)?;
        policy.protected.extend(held);
        guarded.extend(absent);
        let large = too_large(&guarded);
        guarded.retain(|name| !large.contains(name));
        policy
            .protected
            .extend(protect(&large, &policy.writable)?.0);
        policy.drop_repeated();
        Ok(Sight {
            policy,
            guarded: Names::new(guarded, view.modules),
            watched: view.watched,
        })
    }

    fn draft(&self, rules: &SandboxRules) -> Result<Draft, Failure> {
        let mut view = Draft::default();
        match self.by {
            By::Reader => view.policy.shows_all = true,
            By::Member => {
                view.writable(&self.root)?;
                view.worktrees_of_others(self)?;
                view.shown(&self.shown)?;
                view.git_of(&self.root, GitUse::Commits)?;
                view.repositories_below(self);
                view.furnish(self, rules)?;
            }
            By::Guest => {
                // Also where the workspace stands in what is hidden.
                view.policy.shown.extend(held_if_there(&self.root)?);
                view.policy
                    .shown
                    .extend(repository_around(&self.root).map(held).transpose()?);
                view.worktrees_of_others(self)?;
                view.furnish(self, rules)?;
            }
            By::Program => {
                // It reads what the user's own git does, but for what other programs keep below `/tmp` and `/run`: a
                // filter that the user trusts is not to be the way there.
                let top = repository_around(&self.root);
                view.writable(top.unwrap_or(&self.root))?;
                view.worktrees(self)?;
                view.git_of(&self.root, GitUse::Worktrees(&self.worktrees))?;
                view.repositories_below(self);
                view.home_below_private(rules)?;
                view.furnish(self, rules)?;
            }
        }
        Ok(view)
    }
}

/// The paths that commands see in a place.
#[derive(Default)]
pub(crate) struct Sight {
    pub(crate) policy: Policy,
    /// Where nothing new may come to stand. No wall holds it.
    pub(crate) guarded: Names,
    /// Paths whose change changes what commands should see.
    pub(crate) watched: Vec<Watched>,
}

/// A path that is looked at again before each command.
#[derive(Debug)]
pub(crate) struct Watched {
    path: PathBuf,
    /// When it was changed last; `None` if it is not there. A directory is changed by new names in it.
    changed: Option<SystemTime>,
}

impl Watched {
    fn at(path: PathBuf) -> Self {
        let changed = last_change(&path);
        Self { path, changed }
    }

    pub(crate) fn is_unchanged(&self) -> bool {
        last_change(&self.path) == self.changed
    }
}

fn last_change(path: &Path) -> Option<SystemTime> {
    fs::symlink_metadata(path).ok()?.modified().ok()
}

/// A policy on its way.
#[derive(Default)]
struct Draft {
    policy: Policy,
    /// Names that are read-only where something stands there.
    names: Vec<PathBuf>,
    /// Names that commands can write, and a guard looks after.
    guarded: Vec<PathBuf>,
    /// Where repositories keep submodules that git updates. A guard looks after those, also after new ones.
    modules: Vec<PathBuf>,
    watched: Vec<Watched>,
}

impl Draft {
    fn writable(&mut self, dir: &Path) -> Result<(), Failure> {
        self.policy.writable.push(held(dir)?);
        Ok(())
    }

    /// Teams are hidden; a member sees the worktrees in them.
    fn worktrees_of_others(&mut self, place: &Place) -> Result<(), Failure> {
        for team in &place.teams {
            self.policy.hidden.extend(held_if_there(team)?);
        }
        match held_if_there(&place.worktrees)? {
            Some(worktrees) => self.policy.shown.push(worktrees),
            None => self.watched.push(Watched::at(place.worktrees.clone())),
        }
        Ok(())
    }

    /// Shows these directories; one that is not there yet is seen once it is.
    fn shown(&mut self, dirs: &[PathBuf]) -> Result<(), Failure> {
        for dir in dirs {
            match held_if_there(dir)? {
                Some(held) => self.policy.shown.push(held),
                None => self.watched.push(Watched::at(dir.clone())),
            }
        }
        Ok(())
    }

    /// Teams are hidden, but the worktrees in them are made and removed.
    fn worktrees(&mut self, place: &Place) -> Result<(), Failure> {
        for team in &place.teams {
            self.policy.hidden.extend(held_if_there(team)?);
        }
        match held_if_there(&place.worktrees)? {
            Some(worktrees) => self.policy.writable.push(worktrees),
            None => self.watched.push(Watched::at(place.worktrees.clone())),
        }
        Ok(())
    }

    /// Adds the parts that are the same everywhere: what is written besides, what decides what runs later, what nobody sees,
    /// the home directory.
    fn furnish(&mut self, place: &Place, rules: &SandboxRules) -> Result<(), Failure> {
        self.policy.tmp = place.tmp.as_deref().map(held).transpose()?;
        for path in &place.own {
            self.writable(path)?;
        }
        for path in rules.all_writable() {
            // A cache that no tool has made yet.
            self.policy.writable.extend(held_if_there(&path)?);
        }
        let names = PROTECTED.iter().chain(PROTECTED_IF_THERE);
        self.guarded.extend(names.map(|name| place.root.join(name)));
        for path in place.closed.iter() {
            self.policy.hidden.extend(held_if_there(path)?);
        }
        for path in place.fixed.iter() {
            self.policy.protected.extend(held_if_there(path)?);
        }
        for path in rules.all_hidden() {
            match held_if_there(&path) {
                Ok(held) => self.policy.hidden.extend(held),
                // Commands are the same user, who may not look there either.
                Err(failure) if failure.errno == Some(libc::EACCES) => {}
                Err(failure) => return Err(failure),
            }
        }
        self.policy.home = match &rules.home {
            _ if place.by == By::Program => None,
            // Who works on all of the home directory sees it as it is.
            Some(home) if !home.starts_with(&place.root) && fs::read_dir(home).is_ok() => {
                held_if_there(home)?
            }
            Some(_) | None => None,
        };
        Ok(())
    }

    /// The user's configuration of git is read also where their home directory is below `/tmp`.
    fn home_below_private(&mut self, rules: &SandboxRules) -> Result<(), Failure> {
        let open: Vec<&Path> = self.policy.writable.iter().map(Held::path).collect();
        if let Some(home) = &rules.home
            && PRIVATE.iter().any(|dir| home.starts_with(dir))
            && !open.iter().any(|tree| home.starts_with(tree))
        {
            self.policy.shown.extend(held_if_there(home)?);
        }
        Ok(())
    }
}

fn held(path: &Path) -> Result<Held, Failure> {
    Held::open(path).step_at("hold", path)
}

fn held_if_there(path: &Path) -> Result<Option<Held>, Failure> {
    match Held::open(path) {
        Ok(held) => Ok(Some(held)),
        Err(error)
            if matches!(
                error.kind(),
                io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
            ) =>
        {
            Ok(None)
        }
        Err(error) => Err(error).step_at("hold", path),
    }
}
