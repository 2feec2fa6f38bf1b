//! The task board from another process.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    board::{Actor, Board, Task, TaskAction, TaskCommand, TaskId, TaskStatus},
    cause::Cause,
    fold::records_about,
    port::{Ids as _, Refusal, TaskReport, TaskSummary},
    team::{Command, UserOrder},
};
use teammate_runtime::uncommitted;
use teammate_store::clock::UuidV7Ids;

use super::{TeamClient, decide::io_error};
use crate::TeamError;

/// How long a check may take that another process runs, with the answer to a question about it.
const CHECK_WITHIN: Duration = Duration::from_secs(30 * 60);

impl TeamClient {
    /// The task board.
    pub fn board(&self) -> &Board {
        self.team().board()
    }

    /// All tasks that are not deleted, by id, each with its status text.
    pub fn tasks(&self) -> Vec<TaskSummary> {
        if self.holder.is_some() {
            self.team().task_summaries()
        } else {
            self.team().as_of_pause().task_summaries()
        }
    }

    /// All tasks, with the deleted ones.
    pub fn all_tasks(&self) -> Vec<TaskSummary> {
        let deleted = |task: &&Arc<Task>| task.status == TaskStatus::Deleted;
        let deleted = self
            .board()
            .all_with_deleted()
            .filter(deleted)
            .map(|task| TaskSummary {
                task: task.clone(),
                status_text: self.team().status_text(task),
            });
        let mut lines: Vec<TaskSummary> = self.tasks().into_iter().chain(deleted).collect();
        lines.sort_by_key(|line| line.task.id);
        lines
    }

    /// A task with its history.
    pub async fn task(&self, id: TaskId) -> Result<TaskReport, TeamError> {
        let records = records_about(id, &*self.store.store.journal)
            .await
            .map_err(|error| io_error(&error))?;
        let report = if self.holder.is_some() {
            self.team().task_report(id, &records)
        } else {
            self.team().as_of_pause().task_report(id, &records)
        };
        report.map_err(|refused| Refusal::Rule(refused.to_string()).into())
    }

    /// Files that are not committed in the worktree of a task that is done in one, as far as that can be found out.
    pub async fn uncommitted(&self, id: TaskId) -> Vec<String> {
        match self.board().task(id) {
            Some(task) => uncommitted(task, &*self.worktrees()).await,
            None => Vec::new(),
        }
    }

    /// Changes the board as the user; returns the changed task. A running team reacts at once, another
    /// when it is opened. The process that runs the team runs the check of a task that is to be completed.
    ///
    /// Errors: the rules refuse it; the check fails; a task has a check, and no process runs the team, or workers do.
    pub(crate) async fn act_on_task(
        &mut self,
        mut ask: TaskAction,
    ) -> Result<TaskSummary, TeamError> {
        let call = Cause::user(UuidV7Ids.new_id());
        if let TaskAction::Create(new) = &mut ask {
            new.call.clone_from(&call);
        }
        let asked = ask.task();
        let command = Command::Task(TaskCommand::Act {
            by: Actor::User,
            action: ask.clone(),
            verified: None,
        });
        match (self.decide(&command).await, ask) {
            (Err(TeamError::Unverified { .. }), TaskAction::Complete(task, result))
                if self.look_for_host().await? =>
            {
                let complete = UserOrder::Complete { task, result };
                self.order_within(complete, CHECK_WITHIN).await?;
            }
            (decided, _) => decided?,
        }
        let id = self.board().created_by(&call).or(asked);
        let task = id.and_then(|id| self.board().task(id)).cloned();
        // What was decided is about a task that is there.
        let task = task.ok_or_else(|| TeamError::Storage("the task is gone".to_owned()))?;
        let outlook = self.team().status_text(&task);
        Ok(TaskSummary {
            task,
            status_text: outlook,
        })
    }
}
