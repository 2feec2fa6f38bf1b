//! Worktrees: directories of their own for those who must not see each other's changes, each on a branch of its own.
//!
//! Whoever implements this never removes work: what is not committed, or not merged, stays.

use std::{fmt, path::PathBuf, sync::Arc};

use crate::{MemberName, port::BoxFuture};

/// What names of worktrees for tasks begin with; a member's never does.
const TASK: &str = "task-";

/// The most bytes a worktree's name may have: a task's id may be a UUID.
const NAME_BYTES_MAX: usize = 64;

/// Where worktrees come from.
pub trait Worktrees: Send + Sync {
    /// Makes the worktree, from the last commit of the workspace's branch. One that is there is left as it is, and so is
    /// its branch. On an error nothing was made.
    fn create<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<Prepared, WorktreeError>>;

    /// The worktree, if it is there.
    fn find<'a>(&'a self, name: &'a WorktreeName)
    -> BoxFuture<'a, Result<Worktree, WorktreeError>>;

    /// All of the team's worktrees and how they stand, by name.
    fn list(&self) -> BoxFuture<'_, Result<Vec<WorktreeStatus>, WorktreeError>>;

    /// How one stands.
    fn status<'a>(
        &'a self,
        name: &'a WorktreeName,
    ) -> BoxFuture<'a, Result<WorktreeStatus, WorktreeError>>;

    /// What was changed there, committed or not, since it left the workspace's branch.
    fn diff<'a>(&'a self, name: &'a WorktreeName) -> BoxFuture<'a, Result<String, WorktreeError>>;

    /// Merges its branch into the workspace's current one, wholly or not at all. Goes on to its end if the future is dropped.
    fn merge<'a>(&'a self, name: &'a WorktreeName) -> BoxFuture<'a, Result<Merged, WorktreeError>>;

    /// Keeps it from being removed by a [`Removal::CleaningUp`].
    fn keep<'a>(&'a self, name: &'a WorktreeName)
    -> BoxFuture<'a, Result<Worktree, WorktreeError>>;

    /// Removes it and its branch, if nothing would be lost. Files that git ignores are no work and go with it.
    fn remove<'a>(
        &'a self,
        name: &'a WorktreeName,
        why: Removal,
    ) -> BoxFuture<'a, Result<Worktree, WorktreeError>>;

    /// Where the worktree of that name is, if it is there.
    fn place(&self, name: &WorktreeName) -> PathBuf;
}

/// The name of a worktree: `[a-z0-9][a-z0-9_-]{0,63}`, a member's name or `task-<id>`. Safe in a path and in a branch.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct WorktreeName(Arc<str>);

impl WorktreeName {
    /// Reads a name.
    pub fn parse(text: &str) -> Result<Self, WorktreeError> {
        let is_plain = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        let shaped = text.len() <= NAME_BYTES_MAX
            && text.bytes().next().is_some_and(is_plain)
            && text.bytes().all(|b| is_plain(b) || b == b'_' || b == b'-');
        if shaped {
            Ok(Self(text.into()))
        } else {
            let shown = text.chars().take(40).flat_map(char::escape_default);
            Err(WorktreeError::Name(shown.collect()))
        }
    }

    /// That of a member's worktree.
    pub fn of_member(member: &MemberName) -> Result<Self, WorktreeError> {
        if member.as_str().starts_with(TASK) {
            return Err(WorktreeError::TasksOwn(member.clone()));
        }
        Self::parse(member.as_str())
    }

    /// That of a task's worktree.
    pub fn of_task(id: &str) -> Result<Self, WorktreeError> {
        Self::parse(&format!("{TASK}{id}"))
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for WorktreeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for WorktreeName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

/// A worktree.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Worktree {
    /// Its name.
    pub name: WorktreeName,
    /// The directory in it that stands for the workspace; absolute and resolved.
    pub path: PathBuf,
    /// Its branch.
    pub branch: String,
}

/// A worktree that somebody can work in now.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Prepared {
    /// The worktree.
    pub worktree: Worktree,
    /// Where it comes from.
    pub origin: Origin,
}

impl Prepared {
    /// Whether it and its branch were not there before.
    pub fn is_new(&self) -> bool {
        match self.origin {
            Origin::Made { had_branch, .. } => !had_branch,
            Origin::Kept => false,
        }
    }
}

/// Where a worktree comes from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Origin {
    /// It was there, and is as it was.
    Kept,
    /// It was made.
    Made {
        /// The commit it begins with, abbreviated.
        base: String,
        /// Whether its branch was there before and is as it was.
        had_branch: bool,
        /// How many files of the workspace have changes that are not committed, and so are not in it.
        left_out: usize,
    },
}

/// How a worktree stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorktreeStatus {
    /// The worktree.
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
}

/// In one line, for a model and for a person.
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
            count => write!(f, "{count} uncommitted: {}", some(&self.uncommitted))?,
        }
        f.write_str(if self.is_kept { " (kept)" } else { "" })
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

/// In one line, for a model and for a person.
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
pub enum Removal {
    /// Somebody wants exactly this one gone.
    Asked,
    /// Its owner is gone. One that was kept stays.
    CleaningUp,
}

/// Why something could not be done with a worktree: a sentence that says what would work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorktreeError {
    /// The text is no name.
    #[error("'{0}' is no worktree's name: use 1-64 characters of a-z, 0-9, '-' and '_'")]
    Name(String),
    /// A member has a name that is a task's.
    #[error(
        "'{0}' cannot have a worktree: names that begin with task- are those of tasks' worktrees; choose another name"
    )]
    TasksOwn(MemberName),
    /// This team has none at all.
    #[error("there are no worktrees here; work in the shared workspace")]
    Unsupported,
    /// Git cannot be run.
    #[error("git cannot be run ({0}); install git, or work in the shared workspace")]
    NoGit(String),
    /// The workspace is in no repository.
    #[error(
        "{0} is not in a git repository; make it one (git init, and a first commit), or work in the shared workspace"
    )]
    NoRepository(PathBuf),
    /// The repository is empty.
    #[error(
        "the repository has no commit yet; commit something first, or work in the shared workspace"
    )]
    NoCommit,
    /// The branch is checked out somewhere else.
    #[error(
        "the branch {branch} is checked out in {path}; switch to another branch there, or use another name"
    )]
    Elsewhere {
        /// Which branch.
        branch: String,
        /// Where.
        path: PathBuf,
    },
    /// Something else is where the worktree should be.
    #[error(
        "{0} is there and is not a worktree of this repository; move it away, or use another name"
    )]
    Occupied(PathBuf),
    /// There is no such worktree.
    #[error("there is no worktree '{name}'; there are: {known}")]
    Unknown {
        /// The name.
        name: WorktreeName,
        /// The names that would have worked.
        known: String,
    },
    /// Its directory has vanished.
    #[error("the worktree {path} is gone; spawn '{name}' again to have it made anew from {branch}")]
    Gone {
        /// Whose.
        name: WorktreeName,
        /// Where it was.
        path: PathBuf,
        /// Its branch.
        branch: String,
    },
    /// What shall be merged is not all committed.
    #[error(
        "{} in the worktree '{name}' would not be merged: not committed ({}); have them committed there first",
        files_count(&.files.len()),
        some(.files)
    )]
    Uncommitted {
        /// Which worktree.
        name: WorktreeName,
        /// Which files.
        files: Vec<String>,
    },
    /// The workspace has changes of its own in files that would be merged.
    #[error(
        "the workspace has changes that are not committed and would be in the way: {}; commit them or put them aside first. Nothing was changed",
        some(.files)
    )]
    InTheWay {
        /// In which files.
        files: Vec<String>,
    },
    /// The workspace is on no branch, or in the middle of something.
    #[error("nothing can be merged into the workspace now: {0}")]
    NotReady(String),
    /// The changes do not fit together.
    #[error(
        "{branch} and {into} have changed the same places in {}. Nothing was changed here or there; have {into} merged into {branch} in the worktree and the conflicts settled there, then merge again",
        some(.files)
    )]
    Conflict {
        /// What was to be merged.
        branch: String,
        /// Into what.
        into: String,
        /// Where they differ.
        files: Vec<String>,
    },
    /// Work would be lost.
    #[error(
        "not removed: {} and {} would be lost; commit and merge them first",
        files_count(.uncommitted),
        commits_count(.unmerged)
    )]
    WouldLose {
        /// Files with changes that are not committed.
        uncommitted: usize,
        /// Commits that the workspace's branch does not have.
        unmerged: usize,
    },
    /// Somebody wanted it kept.
    #[error("not removed: the worktree '{0}' is kept")]
    Kept(WorktreeName),
    /// Git did not do it.
    #[error("git could not {what}: {why}")]
    Failed {
        /// What was to be done.
        what: String,
        /// What git said.
        why: String,
    },
}

fn files_count(count: &usize) -> String {
    let s = if *count == 1 { "" } else { "s" };
    format!("{count} uncommitted file{s}")
}

fn commits_count(count: &usize) -> String {
    let s = if *count == 1 { "" } else { "s" };
    format!("{count} commit{s} not merged")
}

/// Some files for a sentence.
fn some(files: &[String]) -> String {
    const SHOWN_MAX: usize = 10;
    let shown = files[..files.len().min(SHOWN_MAX)].join(", ");
    match files.len().saturating_sub(SHOWN_MAX) {
        0 => shown,
        more => format!("{shown} and {more} more"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sentence_has_room_for_ten() {
        let files: Vec<String> = (0..12).map(|i| i.to_string()).collect();
        assert_eq!(some(&files[..2]), "0, 1");
        assert!(some(&files).ends_with("9 and 2 more"));
    }

    #[test]
    fn a_name_is_safe_in_paths_and_branches() {
        for bad in ["", "..", "a/b", "-d", "A", "a.lock", "a b", &"a".repeat(65)] {
            assert!(
                matches!(WorktreeName::parse(bad), Err(WorktreeError::Name(_))),
                "{bad:?}"
            );
        }
        assert_eq!(WorktreeName::of_task("7").unwrap().as_str(), "task-7");
    }

    #[test]
    fn a_member_never_has_a_task_s_worktree() {
        let alice = MemberName::teammate("alice").unwrap();
        assert_eq!(WorktreeName::of_member(&alice).unwrap().as_str(), "alice");
        let task = MemberName::teammate("task-7").unwrap();
        assert!(matches!(
            WorktreeName::of_member(&task),
            Err(WorktreeError::TasksOwn(_))
        ));
    }

    #[test]
    fn what_would_be_lost_is_counted() {
        let error = WorktreeError::WouldLose {
            uncommitted: 1,
            unmerged: 2,
        };
        assert!(
            error
                .to_string()
                .contains("1 uncommitted file and 2 commits not merged would be lost")
        );
    }
}
