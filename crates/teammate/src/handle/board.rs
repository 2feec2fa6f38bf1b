//! Wishes about the task board.

use teammate_core::{board::TaskAction, port::TaskSummary};

use super::UserVerb;
use crate::{Team, TeamClient, TeamError};

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
