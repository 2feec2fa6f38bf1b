//! Why something is not done about workers and placements, in a sentence that says what would have worked.

use serde::{Deserialize, Serialize};

use super::{StewardTerm, Waiting};
use crate::{MemberName, id::Term, name::WorkerName};

/// Why something is not done.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum PlaceRefusal {
    #[error(
        "a worker '{0}' runs already; give this one another name (--name), or stop the other one first"
    )]
    NameTaken(WorkerName),
    /// No such worker has joined.
    #[error("there is no worker '{0}'; start it, so that it joins")]
    UnknownWorker(WorkerName),
    /// The command belongs to an earlier life of the worker.
    #[error(
        "worker '{0}' has joined anew; this process no longer speaks for it and must join again"
    )]
    OldSession(WorkerName),
    #[error("worker '{worker}' still holds {members}; drain it first")]
    StillHolds { worker: WorkerName, members: usize },
    /// The asker is not the steward, or no longer.
    #[error("only the steward places members, and that is {}", named(steward.as_ref()))]
    NotSteward { steward: Option<StewardTerm> },
    /// Another worker claimed the stewardship first.
    #[error("the stewardship of term {asked} cannot be claimed: {} has it", named(steward.as_ref()))]
    OldStewardship {
        /// The term that was claimed.
        asked: Term,
        steward: Option<StewardTerm>,
    },
    /// The member has been moved since, or nobody holds it.
    #[error("'{member}' is not held by that worker under term {asked} (term {now} now)")]
    OldTerm {
        member: MemberName,
        /// The term that was meant.
        asked: Term,
        now: Term,
    },
    /// A worker spoke for a member that it does not speak for.
    #[error("what is asked is another member's than '{0}', for which it was asked")]
    OtherMember(MemberName),
    /// A worker would record what others do not count as its to record.
    #[error("this worker cannot record that: {0}")]
    NotToRecord(String),
    #[error(
        "worker '{0}' runs an older program, which could not read what would be recorded; start it again with this \
         version, under the same name"
    )]
    OldWorker(WorkerName),
    /// Nobody can take the member.
    #[error("'{member}' cannot be placed: {why}")]
    NoWorker { member: MemberName, why: Waiting },
}

/// Why a worker stops by itself: it runs nobody from then on.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Default)]
pub enum WorkerStop {
    #[default]
    Drained,
    /// Another process has its name.
    Replaced,
    /// It may not join.
    Refused(PlaceRefusal),
    /// A transcript has lines that its holder did not write, under no newer term. Both sides stay as they are.
    Forked(MemberName),
}

fn named(steward: Option<&StewardTerm>) -> String {
    match steward {
        Some(StewardTerm { worker, term }) => format!("'{worker}' (term {term})"),
        None => "nobody yet".to_owned(),
    }
}
