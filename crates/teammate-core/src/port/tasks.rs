//! The task board as tools see it.

use std::sync::Arc;

use crate::{
    Timestamp,
    board::{Task, TaskAsk, TaskId},
    port::{BoxFuture, Caller, Refusal},
};

/// What can be asked of the board on behalf of a member.
pub trait Tasks: Send + Sync {
    /// All tasks that are not deleted, by id.
    fn list(&self) -> Vec<TaskLine>;

    /// A task with its history.
    fn get(&self, id: TaskId) -> BoxFuture<'_, Result<TaskReport, Refusal>>;

    /// Wants something of the board. A task with a check is only completed once the check exits 0; otherwise the refusal
    /// says what it printed.
    fn ask<'a>(
        &'a self,
        caller: &'a Caller,
        ask: TaskAsk,
    ) -> BoxFuture<'a, Result<TaskDone, Refusal>>;

    /// The files with uncommitted changes in the worktree of a task that is done in one; empty if there are none, or if that
    /// cannot be found out.
    fn uncommitted(&self, id: TaskId) -> BoxFuture<'_, Vec<String>>;
}

/// One line of the board.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskLine {
    /// The task.
    pub task: Arc<Task>,
    /// How it stands, and why it does not go on by itself if it does not.
    pub outlook: String,
}

/// A task with all that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskReport {
    /// The task.
    pub task: Arc<Task>,
    /// How it stands.
    pub outlook: String,
    /// What happened to it, oldest first.
    pub history: Vec<(Timestamp, String)>,
}

/// What became of it.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskDone {
    /// The task as it is now.
    pub task: Arc<Task>,
    /// Tasks that can be begun since.
    pub freed: Vec<TaskId>,
    /// No teammate that there is may do it.
    pub has_nobody: bool,
}
