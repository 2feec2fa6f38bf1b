//! Questions and answers about the task board.

use std::sync::Arc;

use crate::{
    Timestamp,
    board::{Task, TaskId},
};

/// One line of the board.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskSummary {
    pub task: Arc<Task>,
    /// Its status in words, and why it does not continue if it does not.
    pub status_text: String,
}

/// A task with all that is known.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskReport {
    pub task: Arc<Task>,
    /// Its state.
    pub status_text: String,
    /// The history of the task, oldest first.
    pub history: Vec<(Timestamp, String)>,
}

/// The result of an action on a task.
#[derive(Debug, Clone, PartialEq)]
pub struct TaskChange {
    /// The task as it is now.
    pub task: Arc<Task>,
    /// Tasks that can be begun since.
    pub unblocked: Vec<TaskId>,
    /// No teammate that there is may do it.
    pub has_no_candidate: bool,
}
