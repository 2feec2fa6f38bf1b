//! The task board, as the user sees and changes it.

use teammate_core::{
    board::{TaskAction, TaskId},
    port::{TaskReport, TaskSummary},
};

use super::{TeamHandle, UserVerb};
use crate::{Team, TeamClient, TeamError};

impl TeamHandle {
    /// All tasks that are not deleted, by id, each with its status text.
    ///
    /// Errors: the store cannot be read.
    pub async fn tasks(&self) -> Result<Vec<TaskSummary>, TeamError> {
        match self.hosted() {
            Some(team) => Ok(team.tasks()),
            None => Ok(self.look().await?.tasks()),
        }
    }

    /// A task with its history.
    ///
    /// Errors: there is no such task; the store cannot be read.
    pub async fn task(&self, id: TaskId) -> Result<TaskReport, TeamError> {
        match self.hosted() {
            Some(team) => team.task(id).await,
            None => self.look().await?.task(id).await,
        }
    }

    /// Files that are not committed in the worktree of a task that is done in one, as far as that can be found out.
    ///
    /// Errors: the store cannot be read.
    pub async fn uncommitted(&self, id: TaskId) -> Result<Vec<String>, TeamError> {
        match self.hosted() {
            Some(team) => Ok(team.uncommitted(id).await),
            None => Ok(self.look().await?.uncommitted(id).await),
        }
    }
}

/// Changes the board. Done: the changed task.
#[derive(Debug, Clone)]
pub struct ActOnTask(pub TaskAction);

impl UserVerb for ActOnTask {
    type Done = TaskSummary;

    async fn here(self, team: &Team) -> Result<TaskSummary, TeamError> {
        let task = team.host.act_on_task(self.0).await?.task;
        let status_text = team.host.team().status_text(&task);
        Ok(TaskSummary { task, status_text })
    }

    async fn there(self, client: &mut TeamClient) -> Result<TaskSummary, TeamError> {
        client.act_on_task(self.0).await
    }
}
