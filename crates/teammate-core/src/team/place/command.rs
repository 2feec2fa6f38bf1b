//! Commands to workers and placements.

use std::collections::BTreeSet;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use super::{JournalFormat, Walls};
use crate::{
    MemberName,
    id::Term,
    name::WorkerName,
    worker::{CommitId, Label},
};

/// Something to decide.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceCommand {
    /// A worker joins. The same session again changes nothing.
    Join {
        worker: WorkerName,
        session: Uuid,
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        labels: BTreeSet<Label>,
        /// The most members that it runs.
        places: u16,
        /// The walls that hold its members.
        #[serde(default, skip_serializing_if = "Walls::is_nothing")]
        walls: Walls,
        /// The newest format that it reads.
        #[serde(default)]
        format: JournalFormat,
        /// Whether another process was heard under that name.
        seen: SeenWorker,
    },
    /// A worker that holds nobody leaves. Nothing happens if it has left.
    Leave { worker: WorkerName, session: Uuid },
    /// A worker claims the stewardship, because the steward is silent or there is none.
    Claim {
        worker: WorkerName,
        session: Uuid,
        /// The term that it claims: the one after that which it saw.
        term: Term,
    },
    /// The steward places a member that nobody holds. Nothing happens if somebody does.
    Place {
        by: StewardTerm,
        member: MemberName,
        /// The labels that all members of the team need, beside their own needs: the repository.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        needs: BTreeSet<Label>,
        /// The workers that are not heard and get no member.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        silent: BTreeSet<WorkerName>,
    },
    /// The steward moves a member.
    Move {
        by: StewardTerm,
        member: MemberName,
        /// Under which term it is held until now. An old one is refused.
        term: Term,
        why: MoveWhy,
        /// The labels that all members of the team need, beside their own needs.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        needs: BTreeSet<Label>,
        /// The workers that are not heard and get no member.
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        silent: BTreeSet<WorkerName>,
    },
    /// Work of a member left its worker. The same commit again changes nothing; under an old term it is refused.
    Deliver {
        /// The worker and term that hold the member.
        by: Holding,
        /// The commit, which others can fetch.
        commit: CommitId,
    },
    /// A change of the walls that the team demands of its workers. Nothing happens if it demands that.
    Demand(WallDemand),
}

/// A change of what a team demands.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum WallDemand {
    /// At least this, besides what is demanded already.
    AtLeast(Walls),
    /// This and no more. Only the user loosens: where a worker writes it, it is taken as `AtLeast`.
    Exactly(Walls),
}

/// Whether a process was heard that has a worker's name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SeenWorker {
    Beating,
    /// It was not heard for as long as a dead one is waited for.
    Silent,
}

/// Why a member is moved.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MoveWhy {
    /// Its worker is not heard.
    Lost,
    /// Its worker drains.
    Drained,
    /// Its worker is another process by now.
    Rejoined,
    /// Its worker holds members less well than the team demands.
    Unheld,
}

/// The worker that decides, and its term as the steward.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct StewardTerm {
    pub worker: WorkerName,
    pub term: Term,
}

/// By which right a worker asks something. Refused when it has lost it: a claim needs no clock.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Right {
    /// It holds the member for which it speaks.
    Holder(Holding),
    Steward(StewardTerm),
}

/// The right by which a worker speaks for a member.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Holding {
    pub member: MemberName,
    pub worker: WorkerName,
    pub term: Term,
}
