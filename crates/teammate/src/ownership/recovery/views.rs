//! Reads the view files: when nothing else is left, and believed by nobody but the user who looks at it.

use std::collections::{BTreeMap, BTreeSet};

use serde::Deserialize;
use teammate_core::{
    board::{Actor, NewTask, TaskAction, TaskCommand, TaskId},
    cause::Cause,
    port::{Disk, Ids as _},
    team::Command,
};
use teammate_store::{
    clock::UuidV7Ids,
    files::TeamDir,
    foreign_roster::{ForeignMember, read_roster},
};

/// The most tasks that are put on a board again.
const TASKS_MAX: usize = 10_000;

/// A task as its view has it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
pub struct RecoveredTask {
    /// Its number until now; on the new board tasks are numbered from 1.
    pub id: TaskId,
    /// What, in a line.
    pub subject: String,
    /// What, in full.
    #[serde(default)]
    pub description: String,
    /// How it stood.
    pub status: String,
    #[serde(default)]
    active_form: String,
    #[serde(default)]
    blocked_by: BTreeSet<TaskId>,
}

/// The roles of members, from the view files.
pub(super) fn roles(disk: &dyn Disk, dir: &TeamDir) -> Vec<ForeignMember> {
    let read = disk.read(&dir.config()).ok();
    read.and_then(|bytes| read_roster(&bytes).ok())
        .map(|roster| roster.members)
        .unwrap_or_default()
}

/// The tasks that were not done, in order, and what is left out. Checks are commands, which no view may bring.
pub(super) fn tasks(disk: &dyn Disk, dir: &TeamDir) -> (Vec<RecoveredTask>, Vec<String>) {
    let (mut tasks, mut left_out) = (Vec::new(), Vec::new());
    let paths = disk.list(&dir.tasks_dir()).unwrap_or_default();
    let is_json = |path: &&std::path::PathBuf| path.extension().is_some_and(|end| end == "json");
    for path in paths.iter().filter(is_json).take(TASKS_MAX) {
        let read = disk.read(path).map_err(|error| error.to_string());
        let task = read.and_then(|bytes| {
            serde_json::from_slice::<RecoveredTask>(&bytes).map_err(|error| error.to_string())
        });
        match task {
            Ok(task) if is_open(&task) => tasks.push(task),
            Ok(task) => left_out.push(format!("task {} is {}", task.id, task.status)),
            Err(why) => left_out.push(format!("{} cannot be read ({why})", path.display())),
        }
    }
    tasks.sort_by_key(|task| task.id);
    (tasks, left_out)
}

fn is_open(task: &RecoveredTask) -> bool {
    !["completed", "failed", "deleted"].contains(&task.status.as_str())
}

/// Puts the tasks on a new board, numbered from 1, each behind the open ones that it waited for.
pub(super) fn creations(tasks: &[RecoveredTask]) -> impl Iterator<Item = Command> {
    let numbered = tasks.iter().zip(1..);
    let numbers: BTreeMap<TaskId, TaskId> = numbered
        .map(|(task, number)| (task.id, TaskId::new(number)))
        .collect();
    tasks.iter().map(move |task| {
        let blockers = task.blocked_by.iter();
        let new = NewTask {
            call: Cause::user(UuidV7Ids.new_id()),
            subject: task.subject.clone(),
            description: task.description.clone(),
            active_form: task.active_form.clone(),
            blocked_by: blockers.filter_map(|id| numbers.get(id).copied()).collect(),
            ..NewTask::default()
        };
        Command::Task(TaskCommand::Act {
            by: Actor::User,
            action: TaskAction::Create(Box::new(new)),
            verified: None,
        })
    })
}
