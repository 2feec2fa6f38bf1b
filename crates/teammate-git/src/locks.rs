//! Locks that a killed git left in the worktrees of a team. Git never removes them: every later commit there fails. One that no
//! process uses is removed; any other is named and left alone.
//!
//! Only locks in git's own directory of a worktree that the team made are ever removed. What lies in the user's repository itself
//! (the lock of a branch) is the user's.

use std::{
    fs, io,
    os::unix::fs::MetadataExt as _,
    path::{Path, PathBuf},
};

use teammate_process::{Use, WORKTREES, use_of};
use teammate_sandbox::git_dir_of_worktree;

/// A lock of git's that is there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GitLock {
    pub path: PathBuf,
    /// The name of the worktree it concerns.
    pub worktree: String,
    /// Whether it may be removed.
    pub standing: LockState,
}

/// The state of a lock.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LockState {
    /// No process uses it: a git that was killed has left it.
    Stale,
    /// A process has it open, or git runs in its worktree.
    InUse,
    /// It is not known whether a process uses it.
    Unknown,
    /// It is not the worktree's alone but in the user's repository.
    Users,
}

impl GitLock {
    /// Advice for the user, in a sentence.
    pub fn advice(&self) -> String {
        let path = self.path.display();
        match self.standing {
            LockState::Stale => "it is removed when the team is opened".to_owned(),
            LockState::InUse => "a git command uses it; wait until that has ended".to_owned(),
            LockState::Unknown | LockState::Users => {
                format!("if no git command is running, remove it: rm '{path}'")
            }
        }
    }
}

/// All locks in the worktrees of the team with this directory, which must be resolved. Changes nothing.
pub fn locks(team_dir: &Path) -> Vec<GitLock> {
    entries(&team_dir.join(WORKTREES))
        .filter(|place| is_kind(place, fs::FileType::is_dir))
        .flat_map(|place| locks_of(&place))
        .collect()
}

/// Removes those that are stale, and says what became of each, for the user. For the process that has the team alone, before any
/// member runs.
pub fn remove_stale_locks(team_dir: &Path) -> Vec<String> {
    let each = |lock: GitLock| {
        let (path, worktree) = (lock.path.display().to_string(), &lock.worktree);
        match (lock.standing, removed(&lock)) {
            (LockState::Stale, Ok(())) => format!(
                "git was killed in the worktree '{worktree}' and left {path}; no process used it, so it was removed"
            ),
            (LockState::Stale, Err(error)) => {
                format!("{path}, left by a killed git, could not be removed: {error}")
            }
            (LockState::InUse | LockState::Unknown | LockState::Users, _) => {
                format!(
                    "git's lock {path} blocks the worktree '{worktree}': {}",
                    lock.advice()
                )
            }
        }
    };
    locks(team_dir).into_iter().map(each).collect()
}

fn removed(lock: &GitLock) -> io::Result<()> {
    match lock.standing {
        LockState::Stale => fs::remove_file(&lock.path),
        LockState::InUse | LockState::Unknown | LockState::Users => Ok(()),
    }
}

fn locks_of(place: &Path) -> Vec<GitLock> {
    let dot = place.join(".git");
    // Members can write there: a link is none of git's.
    let dot = is_kind(&dot, fs::FileType::is_file).then_some(dot);
    let Some(git_dir) = dot.and_then(|dot| git_dir_of_worktree(&dot)) else {
        return Vec::new();
    };
    let name = place.file_name().unwrap_or_default();
    let worktree = name.to_string_lossy().into_owned();
    let lock = |path: PathBuf, standing| GitLock {
        path,
        worktree: worktree.clone(),
        standing,
    };
    let own = entries(&git_dir).filter(|path| is_lock(path)).map(|path| {
        let standing = lock_state(&path, place);
        lock(path, standing)
    });
    // The directory of a worktree lies two below the repository's.
    let repository = git_dir.ancestors().nth(2);
    let branch = repository.map(|dir| dir.join(format!("refs/heads/teammate/{worktree}.lock")));
    let branch = branch.filter(|path| is_lock(path));
    own.chain(branch.map(|path| lock(path, LockState::Users)))
        .collect()
}

fn is_lock(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending == "lock") && is_kind(path, fs::FileType::is_file)
}

fn lock_state(lock: &Path, place: &Path) -> LockState {
    let Ok(owner) = fs::symlink_metadata(lock).map(|found| found.uid()) else {
        return LockState::Unknown;
    };
    match use_of(lock, place, owner) {
        Use::None => LockState::Stale,
        Use::Some => LockState::InUse,
        Use::Unknown => LockState::Unknown,
    }
}

fn is_kind(path: &Path, is: impl Fn(&fs::FileType) -> bool) -> bool {
    fs::symlink_metadata(path).is_ok_and(|found| is(&found.file_type()))
}

/// The entries of a directory, by name; none if it cannot be read.
fn entries(dir: &Path) -> impl Iterator<Item = PathBuf> {
    let found = fs::read_dir(dir).into_iter().flatten();
    let mut paths: Vec<PathBuf> = found.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths.into_iter()
}
