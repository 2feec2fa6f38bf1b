//! Errors of worktrees, in sentences that say what would work.

use std::path::PathBuf;

use super::{GuardedFile, WorktreeName};
use crate::MemberName;

/// Why something could not be done with a worktree: a sentence that says what would work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WorktreeError {
    #[error(
        "'{0}' is not a worktree name: use a member's name, or 1-64 characters of a-z, 0-9, '-' and '_'"
    )]
    Name(String),
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
    #[error(
        "{0} is not in a git repository; make it one (git init, and a first commit), or work in the shared workspace"
    )]
    NoRepository(PathBuf),
    #[error(
        "the repository has no commit yet; commit something first, or work in the shared workspace"
    )]
    NoCommit,
    #[error(
        "the branch {branch} is checked out in {path}; switch to another branch there, or use another name"
    )]
    Elsewhere { branch: String, path: PathBuf },
    /// Something else is where the worktree should be.
    #[error(
        "{0} is there and is not a worktree of this repository; move it away, or use another name"
    )]
    Occupied(PathBuf),
    #[error("there is no worktree '{name}'; there are: {known}")]
    Unknown {
        name: WorktreeName,
        /// The names that would have worked.
        known: String,
    },
    /// Its directory has vanished.
    #[error("the worktree {path} is gone; spawn '{name}' again to make it again from {branch}")]
    Gone {
        name: WorktreeName,
        path: PathBuf,
        branch: String,
    },
    /// The branch to merge has uncommitted changes.
    #[error(
        "{} in the worktree '{name}' would not be merged: not committed ({}); commit them there first",
        files_count(&.files.len()),
        file_list(.files)
    )]
    Uncommitted {
        name: WorktreeName,
        files: Vec<String>,
    },
    /// The workspace has uncommitted changes in files that would be merged.
    #[error(
        "the workspace has changes that are not committed and would be overwritten: {}; commit or stash them first. Nothing was changed",
        file_list(.files)
    )]
    InTheWay { files: Vec<String> },
    /// The workspace is on no branch, or in the middle of something.
    #[error("nothing can be merged into the workspace now: {0}")]
    NotReady(String),
    /// The changes do not fit together.
    #[error(
        "{branch} and {into} changed the same lines in {}. Nothing was changed; merge {into} into {branch} in the worktree, resolve the conflicts there, then merge again",
        file_list(.files)
    )]
    Conflict {
        branch: String,
        into: String,
        /// Where they differ.
        files: Vec<String>,
    },
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
    /// It would run programs of the repository that the user has not trusted.
    #[error(
        "this repository has git run programs that the user has not trusted: {}",
        .0.join(", ")
    )]
    Untrusted(
        /// Their names: keys of its configuration, or `hooks/` and a hook's name.
        Vec<String>,
    ),
    /// The `.git` of the workspace belongs to another directory.
    #[error(
        "the repository that {} leads to, {}, is not that of this directory: neither a worktree of it that it knows nor its core.worktree; work in the shared workspace, or in a clone",
        .dot.display(),
        .git_dir.display()
    )]
    LeadsAway {
        /// The `.git` in question.
        dot: PathBuf,
        /// Where it leads.
        git_dir: PathBuf,
    },
    /// The branch brings files that decide what programs do later, and the user has not said yes to what is in them.
    #[error(
        "{branch} changes what decides what the user's programs do later, in {}. Nothing was merged: the user looks at it (teammate worktrees diff {name}) and says yes to exactly that: teammate worktrees merge {name}{}",
        list(.files, |file| file.path.clone()),
        carried(.files)
    )]
    Guarded {
        name: WorktreeName,
        branch: String,
        /// The files, with what is in them.
        files: Vec<GuardedFile>,
    },
    /// A partial clone does not have what is needed.
    #[error(
        "git could not {what}: the repository is a partial clone and lacks {}; `git fetch --refetch --no-filter` in the workspace brings that, where its remote can be reached. Nothing was changed; then try again",
        file_list(.lacks)
    )]
    NotFetched {
        /// The operation that failed.
        what: String,
        /// The files, or the objects where git does not know of which they are.
        lacks: Vec<String>,
    },
    /// Git did not do it.
    #[error("git could not {what}: {why}")]
    Failed {
        /// The operation that failed.
        what: String,
        /// Git's message.
        why: String,
    },
}

fn list(files: &[GuardedFile], name: impl Fn(&GuardedFile) -> String) -> String {
    file_list(&files.iter().map(name).collect::<Vec<_>>())
}

/// As the command takes them.
fn carried(files: &[GuardedFile]) -> String {
    files
        .iter()
        .map(|file| format!(" --carry '{file}'"))
        .collect()
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
pub(super) fn file_list(files: &[String]) -> String {
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
        assert_eq!(file_list(&files[..2]), "0, 1");
        assert!(file_list(&files).ends_with("9 and 2 more"));
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
