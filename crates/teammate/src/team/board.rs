//! The task board of a running team.

use teammate_core::{
    board::{Board, TaskId},
    port::{TaskReport, TaskSummary},
};

use super::Team;
use crate::TeamError;

impl Team {
    /// The task board as it is now.
    pub fn board(&self) -> Board {
        self.host.team().board().clone()
    }

    /// All tasks that are not deleted, by id, each with its status text.
    pub fn tasks(&self) -> Vec<TaskSummary> {
        self.host.team().task_summaries()
    }

    /// A task with its history.
    pub async fn task(&self, id: TaskId) -> Result<TaskReport, TeamError> {
        Ok(self.host.task(id).await?)
    }

    /// Files that are not committed in the worktree of a task that is done in one, as far as that can be found out.
    pub async fn uncommitted(&self, id: TaskId) -> Vec<String> {
        self.host.uncommitted(id).await
    }
}
