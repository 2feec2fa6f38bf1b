//! The board as four lists.

use std::sync::Arc;

use teammate_core::{
    board::{Task, TaskId, TaskStatus},
    team::TeamState,
};

/// What is said of a task that is done and has no check.
pub const NOT_VERIFIED: &str = "not verified";

/// How it is known that a task is done; nothing of one that is not.
pub fn evidence(task: &Task) -> Option<String> {
    if !matches!(task.status, TaskStatus::Completed { .. }) {
        return None;
    }
    Some(match (task.status.evidence(), &task.check) {
        (Some(run), _) => format!("{}: {}", run.check, run.describe()),
        (None, Some(check)) => format!("{check} (passed)"),
        (None, None) => NOT_VERIFIED.to_owned(),
    })
}

/// The tasks of a board, in lists. Within a list they come by id.
#[derive(Debug, Clone, Default)]
pub struct BoardLists {
    /// Can be claimed now.
    pub ready: Vec<Arc<Task>>,
    /// A member works on it.
    pub in_progress: Vec<Arc<Task>>,
    /// Waits for these others.
    pub waiting: Vec<(Arc<Task>, Vec<TaskId>)>,
    pub failed: Vec<Arc<Task>>,
    pub done: Vec<Arc<Task>>,
}

impl BoardLists {
    /// The lists of a team's board.
    pub fn of(team: &TeamState) -> Self {
        let board = team.board();
        let mut lists = Self::default();
        for task in board.tasks() {
            let task = task.clone();
            match &task.status {
                TaskStatus::Pending { .. } => match board.open_blockers(&task) {
                    blockers if blockers.is_empty() => lists.ready.push(task),
                    blockers => lists.waiting.push((task, blockers)),
                },
                TaskStatus::InProgress { .. } => lists.in_progress.push(task),
                TaskStatus::Completed { .. } => lists.done.push(task),
                TaskStatus::Failed { .. } => lists.failed.push(task),
                TaskStatus::Deleted => {}
            }
        }
        lists
    }

    /// All tasks in the order in which one looks at them: in progress, failed, ready, waiting, done.
    pub fn in_order(&self) -> impl Iterator<Item = &Arc<Task>> {
        self.in_progress
            .iter()
            .chain(&self.failed)
            .chain(&self.ready)
            .chain(self.waiting.iter().map(|(task, _)| task))
            .chain(&self.done)
    }

    /// How many tasks there are.
    pub fn total(&self) -> usize {
        self.in_order().count()
    }
}
