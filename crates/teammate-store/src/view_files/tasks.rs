//! A view file for each task. A change rewrites the files of changed tasks only.

use std::{collections::BTreeSet, io, path::Path, sync::Arc};

use serde::Serialize;
use serde_json::Value;
use teammate_core::{
    MemberName,
    board::{Board, Evidence, Requirement, Task, TaskId, TaskStatus},
    name::GroupName,
    port::Disk,
};

use crate::files::TeamDir;

#[derive(Serialize)]
struct TaskRow<'a> {
    id: TaskId,
    subject: &'a str,
    description: &'a str,
    active_form: &'a str,
    status: &'static str,
    owner: Option<&'a MemberName>,
    blocked_by: &'a BTreeSet<TaskId>,
    blocks: &'a BTreeSet<TaskId>,
    #[serde(skip_serializing_if = "Option::is_none")]
    requires: Option<&'a Requirement>,
    #[serde(skip_serializing_if = "Option::is_none")]
    check: Option<&'a str>,
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    worktree: bool,
    #[serde(skip_serializing_if = "Option::is_none")]
    result: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    evidence: Option<&'a Evidence>,
    #[serde(skip_serializing_if = "Option::is_none")]
    why: Option<&'a str>,
    #[serde(skip_serializing_if = "Option::is_none")]
    team: Option<&'a GroupName>,
    created_at: f64,
    updated_at: f64,
}

impl<'a> TaskRow<'a> {
    fn of(task: &'a Task) -> Self {
        let (result, why) = match &task.status {
            TaskStatus::Completed { result, .. } => (Some(result.as_str()), None),
            TaskStatus::Failed { why, .. } => (None, Some(why.as_str())),
            TaskStatus::Pending { .. } | TaskStatus::InProgress { .. } | TaskStatus::Deleted => {
                (None, None)
            }
        };
        Self {
            id: task.id,
            subject: &task.subject,
            description: &task.description,
            active_form: &task.active_form,
            status: task.status.word(),
            owner: task.owner(),
            blocked_by: &task.blocked_by,
            blocks: &task.blocks,
            requires: task.requires.as_ref(),
            check: task.check.as_deref(),
            worktree: task.worktree,
            result,
            evidence: task.status.evidence(),
            why,
            team: task.team.as_ref(),
            created_at: task.created.as_seconds(),
            updated_at: task.updated.as_seconds(),
        }
    }
}

/// A task as in its view file.
pub fn task_json(task: &Task) -> Value {
    // Strings, numbers and lists of them only.
    serde_json::to_value(TaskRow::of(task)).unwrap_or_default()
}

/// Updates `tasks/<id>.json` for the tasks that differ between `before` and `now`, and removes the
/// files of deleted tasks. With an empty board as `before`, writes all.
pub fn write_tasks(disk: &dyn Disk, dir: &TeamDir, before: &Board, now: &Board) -> io::Result<()> {
    let mut is_there = false;
    for task in now
        .all_with_deleted()
        .filter(|task| !is_shown(before, task))
    {
        let path = dir.task(task.id);
        if task.status == TaskStatus::Deleted {
            if disk.exists(&path) {
                disk.remove_file(&path)?;
            }
            continue;
        }
        let mut bytes = serde_json::to_vec_pretty(&TaskRow::of(task))?;
        bytes.push(b'\n');
        if holds(disk, &path, &bytes) {
            continue;
        }
        if !is_there {
            disk.create_dir_all(&dir.tasks_dir())?;
            is_there = true;
        }
        let new = path.with_extension(format!("json.{}.tmp", std::process::id()));
        disk.write(&new, &bytes)?;
        disk.rename(&new, &path)?;
    }
    Ok(())
}

/// True if the file has this content. At an opening most have: to look costs little, and to replace a file by another of its
/// name makes many file systems write it to the disk at once.
fn holds(disk: &dyn Disk, path: &Path, bytes: &[u8]) -> bool {
    disk.open_read(path).is_ok_and(|mut file| {
        file.len().is_ok_and(|len| len == bytes.len() as u64)
            && file.read_from(0).is_ok_and(|there| there == bytes)
    })
}

fn is_shown(before: &Board, task: &Arc<Task>) -> bool {
    // After a refold, equal tasks are different allocations.
    before
        .task(task.id)
        .is_some_and(|known| Arc::ptr_eq(known, task) || known == task)
}
