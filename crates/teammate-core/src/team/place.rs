//! The places of members: workers, placements and the steward, as a fold over the journal.
//!
//! Nothing here knows a time or a network: what was seen of them stands in the commands. A team that
//! no worker has joined has no placements, and nothing of this is in its journal.

mod change;
mod choose;
mod command;
mod decide;
mod format;
mod refusal;
mod walls;

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};
use uuid::Uuid;

pub use change::PlaceChange;
pub use choose::{Unplaced, Waiting};
pub use command::{Holding, MoveWhy, PlaceCommand, Right, SeenWorker, StewardTerm, WallDemand};
pub use format::JournalFormat;
pub use refusal::{PlaceRefusal, WorkerStop};
pub use walls::{PolicyDigest, PolicyDigestError, SandboxLevel, Shortfall, Walls};

use crate::{
    MemberName,
    id::Term,
    name::WorkerName,
    team::RecordWriter,
    worker::{CommitId, Label},
};

/// Something that happened to workers and placements.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(tag = "change", rename_all = "snake_case")]
pub enum PlaceEvent {
    /// A worker joined, or joined anew: members that its earlier session held are moved in the same record.
    Joined {
        worker: WorkerName,
        session: Uuid,
        #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
        labels: BTreeSet<Label>,
        /// The most members that it runs.
        places: u16,
        /// The walls that hold its members. Workers of earlier versions do not say it.
        #[serde(default, skip_serializing_if = "Walls::is_nothing")]
        walls: Walls,
        /// The newest format that it reads.
        #[serde(default, skip_serializing_if = "JournalFormat::is_first")]
        format: JournalFormat,
    },
    /// A worker left. It held nobody.
    Left { worker: WorkerName },
    /// A worker became the steward.
    Stewarded {
        worker: WorkerName,
        /// Its stewardship.
        term: Term,
    },
    /// A member that nobody held is held by a worker.
    Placed {
        member: MemberName,
        worker: WorkerName,
        term: Term,
    },
    /// A member is held by a worker in place of another, or of the same in an earlier session.
    Moved {
        member: MemberName,
        /// By whom now.
        worker: WorkerName,
        term: Term,
        why: MoveWhy,
    },
    /// Work of a member left its worker as a commit that others can fetch.
    Delivered {
        member: MemberName,
        term: Term,
        commit: CommitId,
    },
    /// The team demands this of its workers from now on. Written by a worker, it tightens what was demanded before, and loosens
    /// nothing.
    Demanded {
        /// The least.
        walls: Walls,
    },
}

impl PlaceEvent {
    /// Whether it changes who runs whom, or who decides.
    pub fn is_placing(&self) -> bool {
        match self {
            Self::Joined { .. }
            | Self::Left { .. }
            | Self::Stewarded { .. }
            | Self::Placed { .. }
            | Self::Moved { .. } => true,
            Self::Delivered { .. } | Self::Demanded { .. } => false,
        }
    }
}

/// A worker that has joined and not left.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct JoinedWorker {
    /// Which of its lives.
    pub session: Uuid,
    pub labels: BTreeSet<Label>,
    /// The most members that it runs.
    pub places: u16,
    /// The walls that hold its members.
    pub walls: Walls,
    /// The newest format that it reads.
    pub format: JournalFormat,
}

/// The worker that holds a member. Its term counts holders, and what comes under an old one is refused. The term outlives its stops, so that no two placements share one.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Placement {
    /// The worker that holds it; `None` since it was stopped.
    pub worker: Option<WorkerName>,
    pub term: Term,
    /// The last delivery, under this term or an earlier one.
    pub delivered: Option<Delivery>,
}

/// A commit that a member delivered.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Delivery {
    pub term: Term,
    pub commit: CommitId,
}

/// All workers and placements, as of some length of the journal.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash)]
pub struct Placements {
    workers: BTreeMap<WorkerName, JoinedWorker>,
    members: BTreeMap<MemberName, Placement>,
    steward: Option<StewardTerm>,
    demanded: Walls,
}

impl Placements {
    /// Whether the team has ever been joined by a worker: otherwise one process runs all its members.
    pub fn is_used(&self) -> bool {
        !self.workers.is_empty() || self.steward.is_some() || !self.members.is_empty()
    }

    /// A worker by name.
    pub fn worker(&self, name: &WorkerName) -> Option<&JoinedWorker> {
        self.workers.get(name)
    }

    /// The workers by name.
    pub fn workers(&self) -> impl Iterator<Item = (&WorkerName, &JoinedWorker)> {
        self.workers.iter()
    }

    /// The steward's term, if a worker has claimed it.
    pub fn steward(&self) -> Option<&StewardTerm> {
        self.steward.as_ref()
    }

    /// The walls that the team demands of its workers.
    pub fn demanded(&self) -> &Walls {
        &self.demanded
    }

    /// The walls that a worker lacks of those, for which it is given no members.
    pub fn shortfall(&self, worker: &WorkerName) -> Option<Shortfall> {
        self.worker(worker)?.walls.shortfall(&self.demanded)
    }

    /// Where a member is or was.
    pub fn placement(&self, member: &MemberName) -> Option<&Placement> {
        self.members.get(member)
    }

    /// Whether a worker holds the member.
    pub fn is_held(&self, member: &MemberName) -> bool {
        let placement = self.placement(member);
        placement.is_some_and(|placement| placement.worker.is_some())
    }

    /// All placements, of stopped members too.
    pub fn placements(&self) -> impl Iterator<Item = (&MemberName, &Placement)> {
        self.members.iter()
    }

    /// Whom a worker holds, each with the term.
    pub fn held_by<'a>(
        &'a self,
        worker: &'a WorkerName,
    ) -> impl Iterator<Item = (&'a MemberName, Term)> {
        let is_here = |placement: &&Placement| placement.worker.as_ref() == Some(worker);
        let held = self.members.iter();
        held.filter(move |(_, placement)| is_here(placement))
            .map(|(member, placement)| (member, placement.term))
    }

    /// Takes what happened, as it was written by this writer.
    pub fn apply_by(&mut self, writer: &RecordWriter, event: &PlaceEvent) {
        match (event, writer) {
            (PlaceEvent::Demanded { walls }, RecordWriter::Worker(_)) => {
                self.demanded = self.demanded.tightened(walls);
            }
            (event, RecordWriter::User | RecordWriter::Worker(_)) => self.apply(event),
        }
    }

    /// Takes what happened, written in the name of the user where that makes a difference.
    pub fn apply(&mut self, event: &PlaceEvent) {
        match event {
            PlaceEvent::Joined {
                worker,
                session,
                labels,
                places,
                walls,
                format,
            } => {
                let joined = JoinedWorker {
                    session: *session,
                    labels: labels.clone(),
                    places: *places,
                    walls: walls.clone(),
                    format: *format,
                };
                self.workers.insert(worker.clone(), joined);
            }
            PlaceEvent::Left { worker } => {
                self.workers.remove(worker);
            }
            PlaceEvent::Stewarded { worker, term } => {
                self.steward = Some(StewardTerm {
                    worker: worker.clone(),
                    term: *term,
                });
            }
            PlaceEvent::Placed {
                member,
                worker,
                term,
            }
            | PlaceEvent::Moved {
                member,
                worker,
                term,
                why: _,
            } => {
                let last = self.members.remove(member);
                let placement = Placement {
                    worker: Some(worker.clone()),
                    term: *term,
                    delivered: last.and_then(|last| last.delivered),
                };
                self.members.insert(member.clone(), placement);
            }
            PlaceEvent::Demanded { walls } => self.demanded.clone_from(walls),
            PlaceEvent::Delivered {
                member,
                term,
                commit,
            } => {
                if let Some(placement) = self.members.get_mut(member) {
                    placement.delivered = Some(Delivery {
                        term: *term,
                        commit: commit.clone(),
                    });
                }
            }
        }
    }

    /// A member's loop ended for good: nobody holds it, and its term stays.
    pub fn release(&mut self, member: &MemberName) {
        if let Some(placement) = self.members.get_mut(member) {
            placement.worker = None;
        }
    }
}

#[cfg(test)]
mod tests;
