//! Which worker gets a member: one that has all that the member needs, holds it as well as the team demands and has a free
//! place, of those the one with the fewest members, of those the first by name.

use std::{collections::BTreeSet, fmt};

use serde::{Deserialize, Serialize};

use super::{JoinedWorker, MoveWhy, Placements, Walls};
use crate::{MemberName, name::WorkerName, worker::Label};

/// A member that needs a worker.
#[derive(Debug, Clone, Copy)]
pub struct Unplaced<'a> {
    pub member: &'a MemberName,
    /// The labels that it needs.
    pub needs: &'a BTreeSet<Label>,
    /// The workers that are not heard and get no member.
    pub silent: &'a BTreeSet<WorkerName>,
}

/// The reason why no worker can take a member.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Waiting {
    /// No living worker has all of these.
    Labels(BTreeSet<Label>),
    /// Those that have what it needs hold members less well than the team demands.
    Walls(Walls),
    /// All that would do are full.
    Places,
}

impl fmt::Display for Waiting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Labels(labels) if labels.is_empty() => f.write_str("no worker"),
            Self::Labels(labels) => {
                let words: Vec<String> = labels.iter().map(ToString::to_string).collect();
                write!(f, "no worker with {}", words.join(" and "))
            }
            Self::Walls(walls) => write!(f, "no worker with {walls}"),
            Self::Places => f.write_str("no free place on any worker"),
        }
    }
}

impl Placements {
    /// The worker for a member; one that drains is left out for its own members by `leaving`.
    ///
    /// Errors: what the member waits for.
    pub fn choose(
        &self,
        of: Unplaced<'_>,
        leaving: Option<(&WorkerName, MoveWhy)>,
    ) -> Result<&WorkerName, Waiting> {
        let is_left = |name: &WorkerName| {
            leaving.is_some_and(|(left, why)| left == name && why != MoveWhy::Rejoined)
        };
        let living = self
            .workers()
            .filter(|(name, _)| !of.silent.contains(*name) && !is_left(name));
        let fit: Vec<_> = living
            .filter(|(_, worker)| of.needs.is_subset(&worker.labels))
            .collect();
        if fit.is_empty() {
            return Err(Waiting::Labels(of.needs.clone()));
        }
        let falls_short = |worker: &JoinedWorker| worker.walls.shortfall(&self.demanded).is_some();
        let fit: Vec<_> = fit
            .into_iter()
            .filter(|(_, worker)| !falls_short(worker))
            .collect();
        if fit.is_empty() {
            return Err(Waiting::Walls(self.demanded.clone()));
        }
        let others = |name| {
            self.held_by(name)
                .filter(|(member, _)| *member != of.member)
                .count()
        };
        fit.into_iter()
            .map(|(name, worker)| (others(name), name, usize::from(worker.places)))
            .filter(|(held, _, places)| held < places)
            .min()
            .map(|(_, name, _)| name)
            .ok_or(Waiting::Places)
    }
}
