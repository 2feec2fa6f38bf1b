//! Worktrees: separate directories for members and tasks that must not see each other's changes, each with its own
//! branch.
//!
//! An implementation never removes work: uncommitted or unmerged changes stay.

mod error;
mod name;
mod setup;

use std::{
    fmt,
    path::{Path, PathBuf},
};

use self::error::file_list;
use crate::port::BoxFuture;

pub use error::WorktreeError;
pub use name::WorktreeName;
pub use setup::{Furnished, WorktreeSetup};

/// Where worktrees come from.
pub trait Worktrees: Send + Sync {
    /// Makes the worktree, from the last commit of the workspace's branch. One that is there is left as it is, and so is
    /// its branch. On an error nothing was made.
    fn create<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<PreparedWorktree, WorktreeError>>;

    /// The worktree, if it is there.
    fn find<'a>(&'a self, name: &'a WorktreeName)
    -> BoxFuture<'a, Result<Worktree, WorktreeError>>;

    /// The status of all the team's worktrees, by name.
    fn list(&self) -> BoxFuture<'_, Result<Vec<WorktreeStatus>, WorktreeError>>;

    /// The status of one worktree.
    fn status<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<WorktreeStatus, WorktreeError>>;

    /// The changes in it, committed or not, since it left the workspace's branch.
    fn diff<'a>(&'a self, name: &'a WorktreeName) -> BoxFuture<'a, Result<String, WorktreeError>>;

    /// Merges its branch into the workspace's current one, wholly or not at all. Runs to its end even if the future
    /// is dropped.
    fn merge<'a>(&'a self, name: &'a WorktreeName) -> BoxFuture<'a, Result<Merged, WorktreeError>>;

    /// The changes of a merge in files that decide what programs do later, with content that the user has not said yes to and
    /// no commit had before members came.
    fn guarded<'a>(
        &'a self,
        _name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<Vec<GuardedChange>, WorktreeError>> {
        Box::pin(std::future::ready(Ok(Vec::new())))
    }

    /// Merges as [`merge`](Self::merge) does, with such files of which the user has said yes to this very content.
    fn merge_with<'a>(
        &'a self,
        name: &'a WorktreeName,
        _accepted: Vec<GuardedFile>,
    ) -> BoxFuture<'a, Result<Merged, WorktreeError>> {
        self.merge(name)
    }

    /// Keeps it from being removed by a [`RemovalReason::CleaningUp`].
    fn keep<'a>(&'a self, name: &'a WorktreeName)
    -> BoxFuture<'a, Result<Worktree, WorktreeError>>;

    /// Removes it and its branch, if no work would be lost. Files that git ignores do not count as work and are
    /// deleted.
    fn remove<'a>(
        &'a self,
        name: &'a WorktreeName,
        why: RemovalReason,
    ) -> BoxFuture<'a, Result<Worktree, WorktreeError>>;

    /// The git tree of the commit that is checked out at `place`; nothing where there is none or git cannot say.
    fn tree<'a>(&'a self, _place: &'a Path) -> BoxFuture<'a, Option<String>> {
        Box::pin(std::future::ready(None))
    }

    /// A digest of the files at `place` that git does not ignore, as they are now: another one after a change. Nothing where git
    /// cannot say.
    fn files<'a>(&'a self, _place: &'a Path) -> BoxFuture<'a, Option<String>> {
        Box::pin(std::future::ready(None))
    }

    /// Where the worktree of that name is, if it is there.
    fn path(&self, name: &WorktreeName) -> PathBuf;
}

/// A file that decides what programs do later, with certain content.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardedFile {
    /// Below the workspace.
    pub path: String,
    /// The content's name among git's objects, or how that begins.
    pub object: String,
}

/// How many digits of an object's name a person is shown.
const OBJECT_SHOWN: usize = 12;

impl GuardedFile {
    /// Reads `PATH@OBJECT`.
    pub fn parse(text: &str) -> Option<Self> {
        let (path, object) = text.rsplit_once('@')?;
        let is_object =
            object.len() >= OBJECT_SHOWN && object.bytes().all(|byte| byte.is_ascii_hexdigit());
        (is_object && !path.is_empty()).then(|| Self {
            path: path.to_owned(),
            object: object.to_owned(),
        })
    }

    /// Whether a yes to `self` is one to this file.
    pub fn is_yes_to(&self, file: &Self) -> bool {
        self.path == file.path && file.object.starts_with(&self.object)
    }
}

impl std::fmt::Display for GuardedFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let object = self.object.get(..OBJECT_SHOWN).unwrap_or(&self.object);
        write!(f, "{}@{object}", self.path)
    }
}

/// The change of a merge in one such file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GuardedChange {
    /// The file as it would be.
    pub file: GuardedFile,
    /// The difference to what is in the workspace's branch.
    pub diff: String,
}

/// A worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worktree {
    pub name: WorktreeName,
    /// The directory in it that corresponds to the workspace; absolute and resolved.
    pub path: PathBuf,
    pub branch: String,
}

/// A worktree that is ready for work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PreparedWorktree {
    pub worktree: Worktree,
    pub origin: WorktreeOrigin,
}

impl PreparedWorktree {
    /// Whether it and its branch were not there before.
    pub fn is_new(&self) -> bool {
        match self.origin {
            WorktreeOrigin::Created { had_branch, .. } => !had_branch,
            WorktreeOrigin::Existing => false,
        }
    }

    /// What it got besides its commit; nothing if it was there.
    pub fn furnished(&mut self) -> Option<&mut Furnished> {
        match &mut self.origin {
            WorktreeOrigin::Created { furnished, .. } => Some(furnished),
            WorktreeOrigin::Existing => None,
        }
    }
}

/// Where a worktree comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WorktreeOrigin {
    /// It was there, and is as it was.
    Existing,
    Created {
        /// The commit it begins with, abbreviated.
        base: String,
        /// Whether its branch was there before and is as it was.
        had_branch: bool,
        /// How many files of the workspace have changes that are not committed, and so are not in it.
        left_out: usize,
        furnished: Furnished,
    },
}

/// The status of a worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorktreeStatus {
    pub worktree: Worktree,
    /// Whether a clean-up leaves it alone.
    pub is_kept: bool,
    /// Whether its directory is there.
    pub is_there: bool,
    /// Files with changes that are not committed.
    pub uncommitted: Vec<String>,
    /// Commits that the workspace's branch does not have.
    pub ahead: usize,
    /// Commits of the workspace's branch that it does not have.
    pub behind: usize,
    /// Files of its commit that it lacks, in a sentence each, with the command that brings them. Only looked for where it is shown.
    pub missing: Vec<String>,
}

/// In one line, for a model and for the user.
impl fmt::Display for WorktreeStatus {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Worktree { name, branch, .. } = &self.worktree;
        let (ahead, behind) = (self.ahead, self.behind);
        write!(
            f,
            "{name}: branch {branch}, {ahead} ahead, {behind} behind, "
        )?;
        match self.uncommitted.len() {
            _ if !self.is_there => f.write_str("its directory is gone")?,
            0 => f.write_str("nothing uncommitted")?,
            count => write!(f, "{count} uncommitted: {}", file_list(&self.uncommitted))?,
        }
        f.write_str(if self.is_kept { " (kept)" } else { "" })?;
        self.missing
            .iter()
            .try_for_each(|sentence| write!(f, ". {}", sentence.trim_end_matches('.')))
    }
}

/// A merge that was done.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Merged {
    /// The branch that was merged.
    pub branch: String,
    /// The one it was merged into.
    pub into: String,
    /// How many commits came; none, if all were there.
    pub commits: usize,
}

/// In one line, for a model and for the user.
impl fmt::Display for Merged {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (branch, into) = (&self.branch, &self.into);
        match self.commits {
            0 => write!(f, "Nothing to merge: {into} has all commits of {branch}"),
            1 => write!(f, "Merged {branch} into {into}: 1 commit"),
            commits => write!(f, "Merged {branch} into {into}: {commits} commits"),
        }
    }
}

/// Why a worktree is removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RemovalReason {
    /// The user or lead asked to remove this worktree.
    Asked,
    /// Its owner has stopped. A kept worktree is not removed.
    CleaningUp,
}
