//! The tasks of a team, by its journal: each that was acknowledged is there once, claimed by one member at a time, and completed once.

use std::collections::{BTreeMap, BTreeSet};

use teammate_core::{
    MemberName,
    board::{TaskEvent, TaskId},
    port::Record,
    team::TeamEvent,
};

use super::super::load::{Ack, Acts};

/// What was found.
#[derive(Default)]
pub(super) struct Tasks {
    pub(super) acknowledged: u64,
    pub(super) completed: u64,
    pub(super) wrong: Vec<String>,
    subjects: BTreeMap<String, u64>,
    owners: BTreeMap<TaskId, MemberName>,
    done: BTreeSet<TaskId>,
}

pub(super) fn look(acts: &Acts, records: &[Record]) -> Tasks {
    let mut tasks = Tasks::default();
    for event in records.iter().flat_map(|record| &record.events) {
        if let TeamEvent::Task { task, change } = event {
            tasks.take(*task, change);
        }
    }
    for (subject, ack) in &acts.tasks {
        let times = tasks.subjects.get(subject).copied().unwrap_or_default();
        tasks.acknowledged += u64::from(*ack == Ack::Given);
        match (ack, times) {
            (_, 1) | (Ack::Unknown, 0) => {}
            (_, times) => tasks
                .wrong
                .push(format!("{subject} is on the board {times} times")),
        }
    }
    tasks
}

impl Tasks {
    fn take(&mut self, task: TaskId, change: &TaskEvent) {
        match change {
            TaskEvent::Created { subject, .. } => {
                *self.subjects.entry(subject.clone()).or_default() += 1;
            }
            TaskEvent::Claimed { by, .. } => {
                if let Some(owner) = self.owners.insert(task, by.clone()) {
                    self.wrong
                        .push(format!("task {task} of {owner} was claimed by {by}"));
                }
            }
            TaskEvent::Completed { .. } => {
                self.owners.remove(&task);
                self.completed += 1;
                if !self.done.insert(task) {
                    self.wrong.push(format!("task {task} was completed twice"));
                }
            }
            TaskEvent::Reopened { .. } => {
                self.owners.remove(&task);
                self.done.remove(&task);
            }
            TaskEvent::Assigned { .. }
            | TaskEvent::Released { .. }
            | TaskEvent::Failed { .. }
            | TaskEvent::Deleted { .. } => {
                self.owners.remove(&task);
            }
            TaskEvent::Edited { .. }
            | TaskEvent::Renewed { .. }
            | TaskEvent::Nudged
            | TaskEvent::CheckFailed { .. } => {}
        }
    }
}
