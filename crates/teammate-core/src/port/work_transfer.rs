//! How a member's work leaves a machine and comes to another: as commits. Nothing else of a working directory travels: ignored
//! files stay where they are.

mod brought;

use serde::{Deserialize, Serialize};

use crate::{
    MemberName,
    id::Term,
    port::{BoxFuture, ObjectStoreError, WorktreeError},
    team::Delivery,
    worker::CommitId,
};

pub use brought::{BroughtWork, WorkThatCame};

/// Carries members' work between machines. Each term has one bundle of work, which only its holder replaces; a bundle of an older
/// term is read by nobody once the next holder has taken the work over.
pub trait WorkTransfer: Send + Sync {
    /// Stores where others find it what the member has at its place: its last commit, and on top of that what is not committed.
    /// Nothing there is changed: neither files nor index nor branch. Where nothing has changed since the last time, nothing is stored.
    fn save<'a>(&'a self, of: &'a WorkOf) -> BoxFuture<'a, Result<SavedWork, TransferError>>;

    /// Makes the member's place on this machine what was saved last: the commit on its branch, the rest as uncommitted changes.
    /// What is there and was never saved is put aside, never dropped. Where the newest work is here already, nothing is done.
    fn bring<'a>(
        &'a self,
        of: &'a WorkOf,
        why: Bringing<'a>,
    ) -> BoxFuture<'a, Result<BroughtWork, TransferError>>;
}

/// Whose work, and under which term it is held.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WorkOf {
    pub member: MemberName,
    pub term: Term,
}

/// The purpose for which work is brought.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Bringing<'a> {
    /// The member works here from now on, under that term: work of earlier terms becomes its own.
    ToWork {
        /// The last delivery in the journal.
        delivered: Option<&'a Delivery>,
    },
    /// Somebody looks at a copy, or merges it. The term is the newest of which there may be work.
    ToLook,
}

/// Work that was saved.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedWork {
    /// The member's last commit.
    pub commit: CommitId,
    /// That, and what was not committed, as a commit of its own.
    pub saved: CommitId,
    /// Files that were not saved.
    pub left_out: Vec<LeftOut>,
}

/// A file that was changed and is not saved.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct LeftOut {
    /// Its path in the repository.
    pub path: String,
    pub why: LeftOutWhy,
}

/// Why a file is not saved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LeftOutWhy {
    /// It has so many bytes.
    TooLarge(u64),
    /// The others fill what is carried at once.
    NoRoom,
    /// It is another repository, or something else that is neither file nor link.
    NotAFile,
}

/// Why work is not saved or brought: a sentence that says what would work.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum TransferError {
    /// Git or the worktree refused.
    #[error(transparent)]
    Worktree(#[from] WorktreeError),
    /// The repository where the work lies does not answer or refuses.
    #[error(
        "the repository {remote} could not {what}: {why}; look whether this machine's user may read and push there"
    )]
    Remote {
        /// Its address.
        remote: String,
        /// The operation that failed.
        what: &'static str,
        /// The error output of git.
        why: String,
    },
    /// The address of the repository is none that is used.
    #[error(
        "'{0}' is no address of a repository here: use https://, ssh://, git@HOST:PATH or a path, without a password in it"
    )]
    Address(String),
    #[error("the work could not be kept with the team's objects: {0}")]
    Objects(#[from] ObjectStoreError),
    #[error(
        "the commits that are new since the team's repository have more than {max} MiB: push them to the repository by hand, or split off what is large"
    )]
    TooLarge { max: usize },
    /// The work that is here could not be put aside whole.
    #[error(
        "{place} has changes of an earlier time that cannot be put aside ({files}); move them away, then try again"
    )]
    InTheWay { place: String, files: String },
    /// The work that came is not the work that was saved.
    #[error("the saved work of '{member}' under term {term} cannot be read: {why}")]
    Broken {
        member: MemberName,
        term: Term,
        why: String,
    },
    /// A file of this machine could not be read or written.
    #[error("{what}: {why}")]
    Io {
        /// The operation that failed.
        what: String,
        /// The error of the system.
        why: String,
    },
}
