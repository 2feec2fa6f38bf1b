//! Where commands work: a workspace or a worktree of it. From a place and the rules follows what a command sees.

use std::{
    fs,
    io::{self, Read as _},
    path::{Path, PathBuf},
};

use rustix::fs::{Mode, OFlags};

use crate::{
    failure::{Failure, Step as _},
    placeholders::Placeholders,
    policy::{Held, PRIVATE, Policy},
    protect::{protect, sweep},
    rules::{PROTECTED, PROTECTED_IF_THERE, SandboxRules},
};

/// Of a repository, what decides what git runs.
const GIT_PROTECTED: [&str; 3] = ["config", "hooks", "info"];
/// Of a repository, what belongs to its other working trees.
const GIT_OF_OTHERS: [&str; 4] = ["HEAD", "index", "worktrees", "config.worktree"];
/// Of a worktree's own part of a repository, what decides where it belongs.
const WORKTREE_PROTECTED: [&str; 3] = ["commondir", "config.worktree", "gitdir"];

/// The longest file of a repository that is read here, in bytes.
const TEXT_BYTES_MAX: u64 = 256 * 1024;

/// Where commands work. All paths are absolute and without links.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Place {
    /// The directory that they may change: the workspace, or a worktree of it.
    pub root: PathBuf,
    /// Directories of teams: no command sees what is in them.
    pub teams: Vec<PathBuf>,
    /// The directory of the team's worktrees, in one of those: commands see it.
    pub worktrees: PathBuf,
    /// Who works there.
    pub by: By,
    /// The directory that they see as `/tmp`.
    pub tmp: Option<PathBuf>,
}

/// Whose commands they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum By {
    /// A member's.
    Member,
    /// The program's own git, which makes and merges worktrees: it changes all of the repository that `root` is a part of.
    Program,
    /// Git that only reads: it sees everything, and writes nowhere.
    Reader,
}

impl Place {
    /// Where nothing is written.
    pub fn to_read(dir: &Path) -> Self {
        Self {
            root: dir.to_owned(),
            teams: Vec::new(),
            worktrees: dir.to_owned(),
            by: By::Reader,
            tmp: None,
        }
    }

    /// What commands see here.
    ///
    /// # Errors
    ///
    /// The place is not there, or a wall would stand beside what it is to hold.
    pub(crate) fn sight(&self, rules: &SandboxRules) -> Result<Sight, Failure> {
        let view = self.draft(rules)?;
        let mut policy = view.policy;
        let (held, placeholders) = protect(&view.names, &policy.writable)?;
        policy.protected.extend(held);
        policy.drop_repeated();
        Ok(Sight {
            policy,
            placeholders,
            absent: view.absent,
        })
    }

    /// Removes what a killed program left here in the place of absent names.
    pub(crate) fn sweep(&self, rules: &SandboxRules) {
        if let Ok(view) = self.draft(rules) {
            sweep(&view.names, &view.policy.writable);
        }
    }

    fn draft(&self, rules: &SandboxRules) -> Result<Draft, Failure> {
        let mut view = Draft::default();
        match self.by {
            By::Reader => view.policy.shows_all = true,
            By::Member => {
                view.writable(&self.root)?;
                view.worktrees_of_others(self)?;
                view.git_of(&self.root, GitUse::Commits)?;
                view.furnish(self, rules)?;
            }
            By::Program => {
                // It reads what the user's own git does, but for what other programs keep below `/tmp` and `/run`: a
                // filter that the user trusts is not to be the way there.
                let top = repository_around(&self.root);
                view.writable(top.unwrap_or(&self.root))?;
                view.worktrees(self)?;
                view.git_of(&self.root, GitUse::All)?;
                view.home_below_private(rules)?;
                view.furnish(self, rules)?;
            }
        }
        Ok(view)
    }
}

/// What commands see in a place.
#[derive(Default)]
pub(crate) struct Sight {
    pub(crate) policy: Policy,
    /// What stands in the place of absent names, as long as the view.
    pub(crate) placeholders: Placeholders,
    /// What is not there, and changes what commands should see once it is.
    pub(crate) absent: Vec<PathBuf>,
}

/// What git does in a repository.
#[derive(Clone, Copy, PartialEq, Eq)]
enum GitUse {
    /// It commits, where it stands.
    Commits,
    /// It makes, merges and removes worktrees.
    All,
}

/// A policy on its way.
#[derive(Default)]
struct Draft {
    policy: Policy,
    /// Names that are protected, there or not.
    names: Vec<PathBuf>,
    absent: Vec<PathBuf>,
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
            None => self.absent.push(place.worktrees.clone()),
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
            None => self.absent.push(place.worktrees.clone()),
        }
        Ok(())
    }

    /// What is the same everywhere: what is written besides, what decides what runs later, what nobody sees, the home directory.
    fn furnish(&mut self, place: &Place, rules: &SandboxRules) -> Result<(), Failure> {
        self.policy.tmp = place.tmp.as_deref().map(held).transpose()?;
        for path in rules.all_writable() {
            // A cache that no tool has made yet.
            self.policy.writable.extend(held_if_there(&path)?);
        }
        for name in PROTECTED {
            self.names.push(place.root.join(name));
        }
        for name in PROTECTED_IF_THERE {
            let found = held_if_there(&place.root.join(name))?;
            self.policy.protected.extend(found);
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

    /// The repository that a directory is in, which may begin above it.
    fn git_of(&mut self, dir: &Path, git_use: GitUse) -> Result<(), Failure> {
        let Some(top) = repository_around(dir) else {
            self.absent.push(dir.join(".git"));
            return Ok(());
        };
        let git = top.join(".git");
        if top != dir && git_use == GitUse::Commits {
            self.policy.shown.extend(held_if_there(top)?);
        }
        if git.is_dir() {
            if top != dir && git_use == GitUse::Commits {
                self.writable(&git)?;
            }
            return self.protect_repository(&git);
        }
        self.names.push(git.clone());
        let (dir, common) = match kept_elsewhere(&git).step_at("read", &git)? {
            Elsewhere::Worktree { dir, common } => (dir, common),
            Elsewhere::Submodule { dir } => {
                self.writable(&dir)?;
                return self.protect_repository(&dir);
            }
            Elsewhere::Unknown => return Ok(()),
        };
        self.writable(&common)?;
        self.protect_repository(&common)?;
        if git_use == GitUse::Commits {
            for name in GIT_OF_OTHERS {
                let found = held_if_there(&common.join(name))?;
                self.policy.protected.extend(found);
            }
            self.writable(&dir)?;
        }
        for name in WORKTREE_PROTECTED {
            let found = held_if_there(&dir.join(name))?;
            self.policy.protected.extend(found);
        }
        Ok(())
    }

    fn protect_repository(&mut self, git: &Path) -> Result<(), Failure> {
        for name in GIT_PROTECTED {
            self.names.push(git.join(name));
        }
        let modules = held_if_there(&git.join("modules"))?;
        self.policy.protected.extend(modules);
        Ok(())
    }
}

/// The nearest directory upwards that git takes for the top of a working tree.
fn repository_around(dir: &Path) -> Option<&Path> {
    dir.ancestors().find(|dir| dir.join(".git").exists())
}

/// Where the file `.git` of a working tree leads to.
enum Elsewhere {
    /// To what a repository keeps for this worktree of it.
    Worktree { dir: PathBuf, common: PathBuf },
    /// To what a repository keeps for this submodule of it.
    Submodule { dir: PathBuf },
    /// To what does not know this working tree: it is not for those who work here.
    Unknown,
}

fn kept_elsewhere(git: &Path) -> io::Result<Elsewhere> {
    let text = read_small(git)?;
    let (Some(top), Some(dir)) = (git.parent(), text.strip_prefix("gitdir: ")) else {
        return Ok(Elsewhere::Unknown);
    };
    // A link to nowhere, or to what we may not see.
    let Ok(dir) = top.join(dir.trim_end()).canonicalize() else {
        return Ok(Elsewhere::Unknown);
    };
    let back = read_small(&dir.join("gitdir")).unwrap_or_default();
    let knows_worktree = leads_to(&dir, back.trim_end(), git);
    let common = dir
        .parent()
        .filter(|all| all.ends_with("worktrees"))
        .and_then(Path::parent);
    if let (Some(common), true) = (common, knows_worktree) {
        let common = common.to_owned();
        return Ok(Elsewhere::Worktree { dir, common });
    }
    let config = read_small(&dir.join("config")).unwrap_or_default();
    let mut trees = config
        .lines()
        .filter_map(|line| line.trim().strip_prefix("worktree = "));
    let knows_submodule = trees.any(|tree| leads_to(&dir, tree, top));
    Ok(if knows_submodule {
        Elsewhere::Submodule { dir }
    } else {
        Elsewhere::Unknown
    })
}

/// The text of a file that a repository keeps. A pipe that nobody writes to, or anything else that is no file, is empty.
fn read_small(path: &Path) -> io::Result<String> {
    let flags = OFlags::RDONLY | OFlags::NONBLOCK | OFlags::NOCTTY | OFlags::CLOEXEC;
    let file = fs::File::from(rustix::fs::open(path, flags, Mode::empty())?);
    let mut text = String::new();
    if file.metadata()?.is_file() {
        file.take(TEXT_BYTES_MAX).read_to_string(&mut text)?;
    }
    Ok(text)
}

/// Whether a path in a directory is this one.
fn leads_to(dir: &Path, path: &str, wanted: &Path) -> bool {
    let found = dir.join(path).canonicalize().ok();
    !path.is_empty() && found.is_some() && found == wanted.canonicalize().ok()
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
