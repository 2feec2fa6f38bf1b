//! Where claims look: tasks that can be begun, by what they ask of their owner, and what everybody has in hand.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Requirement, State, Task, TaskId};
use crate::{MemberName, name::TeamName, team::Member};

/// What a task asks of whoever does it. Few differ, however many tasks there are.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Asks {
    requires: Option<Requirement>,
    team: Option<TeamName>,
}

#[derive(Debug, Clone, PartialEq)]
enum Place {
    Free(Asks),
    Assigned(MemberName),
    Held(MemberName),
}

/// The index. A task is in at most one place.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Index {
    free: BTreeMap<Asks, BTreeSet<TaskId>>,
    assigned: BTreeMap<MemberName, BTreeSet<TaskId>>,
    held: BTreeMap<MemberName, TaskId>,
    places: HashMap<TaskId, Place>,
}

impl Index {
    /// Moves a task to where it belongs now.
    pub(super) fn put(&mut self, task: &Task, is_ready: bool) {
        self.take(task.id);
        let place = match &task.state {
            State::Pending { assigned: None } if is_ready => Place::Free(Asks {
                requires: task.requires.clone(),
                team: task.team.clone(),
            }),
            State::Pending { assigned: Some(to) } if is_ready => Place::Assigned(to.clone()),
            State::InProgress { owner, .. } => Place::Held(owner.clone()),
            State::Pending { .. }
            | State::Completed { .. }
            | State::Failed { .. }
            | State::Deleted => {
                return;
            }
        };
        match &place {
            Place::Free(asks) => {
                self.free.entry(asks.clone()).or_default().insert(task.id);
            }
            Place::Assigned(to) => {
                self.assigned.entry(to.clone()).or_default().insert(task.id);
            }
            Place::Held(owner) => {
                self.held.insert(owner.clone(), task.id);
            }
        }
        self.places.insert(task.id, place);
    }

    fn take(&mut self, id: TaskId) {
        match self.places.remove(&id) {
            Some(Place::Free(asks)) => remove(&mut self.free, &asks, id),
            Some(Place::Assigned(to)) => remove(&mut self.assigned, &to, id),
            Some(Place::Held(owner)) if self.held.get(&owner) == Some(&id) => {
                self.held.remove(&owner);
            }
            Some(Place::Held(_)) | None => {}
        }
    }

    /// What a member has in hand.
    pub(super) fn held(&self, member: &MemberName) -> Option<TaskId> {
        self.held.get(member).copied()
    }

    /// Whether nothing can be begun and nothing is in hand.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The tasks that are set aside for a member and can be begun, in order.
    pub(super) fn assigned(&self, member: &MemberName) -> impl Iterator<Item = TaskId> {
        self.assigned.get(member).into_iter().flatten().copied()
    }

    /// The first tasks that a member may take, in order, from those that nobody was asked to do.
    pub(super) fn free(&self, member: &Member) -> impl Iterator<Item = TaskId> {
        let mut sets: Vec<_> = self
            .free
            .iter()
            .filter(|(asks, _)| asks.are_met_by(member))
            .map(|(_, ids)| ids.iter().peekable())
            .collect();
        std::iter::from_fn(move || {
            let least = sets
                .iter_mut()
                .filter_map(|ids| ids.peek().copied().copied().map(|first| (first, ids)))
                .min_by_key(|(first, _)| *first)?;
            least.1.next().copied()
        })
    }
}

impl Asks {
    fn are_met_by(&self, member: &Member) -> bool {
        self.requires
            .as_ref()
            .is_none_or(|requirement| requirement.is_met_by(member))
            && (self.team.is_none() || self.team == member.terms.team)
    }
}

fn remove<K: Ord>(map: &mut BTreeMap<K, BTreeSet<TaskId>>, key: &K, id: TaskId) {
    if let Some(ids) = map.get_mut(key) {
        ids.remove(&id);
        if ids.is_empty() {
            map.remove(key);
        }
    }
}
