//! The task board: what there is to do, who does it, and what may be begun. A part of the team's fold.
//!
//! The board knows tasks and their order; who may do what to them is decided in [`decide`](self) against the whole team.
//! What is ready is indexed, so that a claim costs the same however many tasks there are.

mod command;
mod follows;
mod index;
mod progress;
mod refusal;
mod task;
mod texts;

use std::{collections::BTreeMap, sync::Arc};

pub use command::{Actor, NewTask, TaskAction, TaskCommand, TaskEdit};
pub use progress::Progress;
pub use refusal::TaskRefusal;
pub(crate) use refusal::list;
pub use task::{Lease, Task, TaskStatus};
pub use teammate_words::{
    id::{TaskId, TaskIdError},
    status::TaskStatusKind,
    task::{EVIDENCE_TAIL_BYTES_MAX, Evidence, Requirement, RequirementError, TaskEvent},
};
pub(crate) use texts::truncated;

use crate::{MemberName, Sender, Timestamp, cause::Cause, member::Member};

/// The most tasks a board may hold that are not deleted.
pub const TASKS_MAX: usize = 20_000;

/// How often a task is given back by members that ended without finishing it before it counts as failed.
pub const SETBACKS_MAX: u32 = 3;

/// How often a claim may fail its check before the task counts as failed.
pub const CHECK_FAILURES_MAX: u32 = 5;

/// How often an idle member is reminded of its task in progress.
pub const NUDGES_MAX: u32 = 2;

/// All tasks, as of some length of the journal.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Board {
    tasks: BTreeMap<TaskId, Arc<Task>>,
    /// The highest id ever given.
    last: u32,
    index: index::Index,
    /// Which call made which task: the same call again makes nothing.
    made: BTreeMap<Cause, TaskId>,
    progress: Progress,
    /// Counts what happened.
    changes: u64,
    /// The last version that was reported to the lead.
    told: u64,
    /// The last change that was made by neither the lead nor the user.
    stirred: u64,
}

impl Board {
    /// A task by id; deleted ones, too.
    pub fn task(&self, id: TaskId) -> Option<&Arc<Task>> {
        self.tasks.get(&id)
    }

    /// All tasks that are not deleted, by id.
    pub fn tasks(&self) -> impl Iterator<Item = &Arc<Task>> {
        self.all_with_deleted()
            .filter(|task| task.status != TaskStatus::Deleted)
    }

    /// All tasks that ever were, by id.
    pub fn all_with_deleted(&self) -> impl Iterator<Item = &Arc<Task>> {
        self.tasks.values()
    }

    /// How many tasks are in which state.
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// The task that a member has in progress.
    pub fn task_of(&self, member: &MemberName) -> Option<&Arc<Task>> {
        self.index
            .in_progress(member)
            .and_then(|id| self.tasks.get(&id))
    }

    /// The blockers of a task that are not completed.
    pub fn open_blockers(&self, task: &Task) -> Vec<TaskId> {
        self.blockers(task).collect()
    }

    fn blockers(&self, task: &Task) -> impl Iterator<Item = TaskId> {
        let is_open = |id: &TaskId| {
            let blocker = self.tasks.get(id);
            blocker.is_some_and(|blocker| !is_completed(&blocker.status))
        };
        task.blocked_by.iter().copied().filter(is_open)
    }

    /// The task that a call made, if it did.
    pub fn created_by(&self, call: &Cause) -> Option<TaskId> {
        self.made.get(call).copied()
    }

    /// Whether no task is ready and none is in progress.
    pub(crate) fn has_no_work(&self) -> bool {
        self.index.is_empty()
    }

    /// The tasks that are set aside for a member and can be begun, in order.
    pub(crate) fn assigned_to(&self, member: &MemberName) -> impl Iterator<Item = TaskId> {
        self.index.assigned(member)
    }

    /// The first unassigned tasks that a member may claim, in order.
    pub(crate) fn ready_for(&self, member: &Member) -> impl Iterator<Item = TaskId> {
        self.index.ready(member)
    }

    /// The number that the next task gets.
    pub fn next_id(&self) -> TaskId {
        TaskId::new(self.last + 1)
    }

    /// A teammate's turn or incarnation ended: check whether work on the board can still continue.
    pub(crate) fn touch(&mut self) {
        self.stirred = self.changes;
    }

    /// True if there are changes that were not reported to the lead.
    pub(crate) fn touch_again(&mut self) {
        self.changes += 1;
        self.touch();
    }

    /// Sets a member's tasks in progress to these; its others belong to another conversation.
    pub(crate) fn look_for_held_by(
        &mut self,
        member: &MemberName,
        is_current: impl Fn(TaskId) -> bool,
    ) {
        let held = |task: &&Arc<Task>| task.holder() == Some(member);
        let (current, others): (Vec<_>, Vec<_>) = self
            .tasks
            .values()
            .filter(held)
            .map(|task| task.id)
            .partition(|id| is_current(*id));
        for id in others.into_iter().chain(current) {
            self.reindex(id);
        }
    }

    /// The board's state after this many changes was reported to the lead.
    pub(crate) fn mark_reported(&mut self, changes: u64) {
        self.told = self.told.max(changes);
    }

    /// Counts what happened to tasks; tells versions of the board apart.
    pub fn changes(&self) -> u64 {
        self.changes
    }

    /// Whether something changed that the lead did not do and has no notice of.
    pub(crate) fn has_unreported_changes(&self) -> bool {
        self.told < self.stirred
    }

    /// Takes what happened to a task.
    pub(crate) fn apply(&mut self, id: TaskId, event: &TaskEvent, at: Timestamp) {
        self.changes += 1;
        match event.by() {
            Some(Sender::Member(name)) if name.is_lead() => {}
            Some(Sender::User) => {}
            Some(Sender::Member(_) | Sender::System | Sender::Unverified(_)) | None => self.touch(),
        }
        if let TaskEvent::Created { call, .. } = event {
            self.last = self.last.max(id.number());
            self.made.insert(call.clone(), id);
            self.insert(Task::created(id, event, at));
            return;
        }
        let Some(task) = self.tasks.get(&id) else {
            return;
        };
        let was = task.status.clone();
        let mut task = Task::clone(task);
        let (old_blockers, is_deleted) = (
            task.blocked_by.clone(),
            matches!(event, TaskEvent::Deleted { .. }),
        );
        task.apply(event, at);
        for gone in old_blockers.difference(&task.blocked_by) {
            self.edit(*gone, |blocker| blocker.blocks.remove(&id));
        }
        for new in task.blocked_by.difference(&old_blockers) {
            self.edit(*new, |blocker| blocker.blocks.insert(id));
        }
        let dependents = std::mem::take(&mut task.blocks);
        if is_deleted {
            for blocker in std::mem::take(&mut task.blocked_by) {
                self.edit(blocker, |blocker| blocker.blocks.remove(&id));
            }
            for dependent in &dependents {
                self.edit(*dependent, |dependent| dependent.blocked_by.remove(&id));
            }
        } else {
            task.blocks.clone_from(&dependents);
        }
        let frees = is_deleted || is_completed(&was) != is_completed(&task.status);
        self.progress.count_move(Some(&was), &task.status);
        self.tasks.insert(id, Arc::new(task));
        self.reindex(id);
        for dependent in dependents.into_iter().filter(|_| frees) {
            self.reindex(dependent);
        }
    }

    fn insert(&mut self, task: Task) {
        let id = task.id;
        for blocker in task.blocked_by.clone() {
            self.edit(blocker, |blocker| blocker.blocks.insert(id));
        }
        self.progress.count_move(None, &task.status);
        self.tasks.insert(id, Arc::new(task));
        self.reindex(id);
    }

    fn edit(&mut self, id: TaskId, edit: impl FnOnce(&mut Task) -> bool) {
        if let Some(task) = self.tasks.get_mut(&id) {
            edit(Arc::make_mut(task));
        }
    }

    /// Puts a task where claims find it, or takes it away from there.
    fn reindex(&mut self, id: TaskId) {
        let Some(task) = self.tasks.get(&id).cloned() else {
            return;
        };
        let is_ready = self.blockers(&task).next().is_none();
        self.index.insert(&task, is_ready);
    }
}

fn is_completed(state: &TaskStatus) -> bool {
    matches!(state, TaskStatus::Completed { .. })
}

#[cfg(test)]
mod tests;
