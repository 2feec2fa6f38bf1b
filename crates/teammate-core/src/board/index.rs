//! Indexes for claims: ready tasks by requirement, and each member's task in progress.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use super::{Task, TaskStatus};
use crate::{MemberName, id::TaskId, member::Member, name::GroupName, task::Requirement};

/// A task's requirements. There are few different ones, however many tasks.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
struct TaskDemands {
    requires: Option<Requirement>,
    team: Option<GroupName>,
}

#[derive(Debug, Clone, PartialEq)]
enum Slot {
    Free(TaskDemands),
    Assigned(MemberName),
    Held(MemberName),
}

/// The index. A task is in at most one place.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct Index {
    ready: BTreeMap<TaskDemands, BTreeSet<TaskId>>,
    assigned: BTreeMap<MemberName, BTreeSet<TaskId>>,
    in_progress: BTreeMap<MemberName, TaskId>,
    places: HashMap<TaskId, Slot>,
}

impl Index {
    /// Moves a task to where it belongs now.
    pub(super) fn insert(&mut self, task: &Task, is_ready: bool) {
        self.remove(task.id);
        let place = match &task.status {
            TaskStatus::Pending { assigned: None } if is_ready => Slot::Free(TaskDemands {
                requires: task.requires.clone(),
                team: task.team.clone(),
            }),
            TaskStatus::Pending { assigned: Some(to) } if is_ready => Slot::Assigned(to.clone()),
            TaskStatus::InProgress { owner, .. } => Slot::Held(owner.clone()),
            TaskStatus::Pending { .. }
            | TaskStatus::Completed { .. }
            | TaskStatus::Failed { .. }
            | TaskStatus::Deleted => {
                return;
            }
        };
        match &place {
            Slot::Free(asks) => {
                self.ready.entry(asks.clone()).or_default().insert(task.id);
            }
            Slot::Assigned(to) => {
                self.assigned.entry(to.clone()).or_default().insert(task.id);
            }
            Slot::Held(owner) => {
                self.in_progress.insert(owner.clone(), task.id);
            }
        }
        self.places.insert(task.id, place);
    }

    fn remove(&mut self, id: TaskId) {
        match self.places.remove(&id) {
            Some(Slot::Free(asks)) => remove(&mut self.ready, &asks, id),
            Some(Slot::Assigned(to)) => remove(&mut self.assigned, &to, id),
            Some(Slot::Held(owner)) if self.in_progress.get(&owner) == Some(&id) => {
                self.in_progress.remove(&owner);
            }
            Some(Slot::Held(_)) | None => {}
        }
    }

    /// A member's task in progress.
    pub(super) fn in_progress(&self, member: &MemberName) -> Option<TaskId> {
        self.in_progress.get(member).copied()
    }

    /// True if no task is ready and none is in progress.
    pub(super) fn is_empty(&self) -> bool {
        self.places.is_empty()
    }

    /// The tasks that are set aside for a member and can be begun, in order.
    pub(super) fn assigned(&self, member: &MemberName) -> impl Iterator<Item = TaskId> {
        self.assigned.get(member).into_iter().flatten().copied()
    }

    /// The first unassigned tasks that a member may claim, in order.
    pub(super) fn ready(&self, member: &Member) -> impl Iterator<Item = TaskId> {
        let mut sets: Vec<_> = self
            .ready
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

impl TaskDemands {
    fn are_met_by(&self, member: &Member) -> bool {
        self.requires
            .as_ref()
            .is_none_or(|requirement| member.meets(requirement))
            && (self.team.is_none() || self.team == member.options.group)
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
