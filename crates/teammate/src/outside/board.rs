//! The task board from another process.

use std::sync::Arc;

use teammate_core::{
    board::{Board, By, State, Task, TaskAsk, TaskCommand, TaskId},
    cause::Cause,
    port::{Ids as _, Journal as _, Refusal, TaskLine, TaskReport},
    team::Command,
};
use teammate_runtime::uncommitted;
use teammate_store::clock::UuidV7Ids;

use super::{Outside, decide::broken};
use crate::TeamError;

impl Outside {
    /// The task board.
    pub fn board(&self) -> &Board {
        self.team().board()
    }

    /// All tasks that are not deleted, by id, each with how it stands.
    pub fn tasks(&self) -> Vec<TaskLine> {
        if self.holder.is_some() {
            self.team().task_lines()
        } else {
            self.team().paused().task_lines()
        }
    }

    /// The same with the deleted ones.
    pub fn all_tasks(&self) -> Vec<TaskLine> {
        let deleted = |task: &&Arc<Task>| task.state == State::Deleted;
        let deleted = self.board().all().filter(deleted).map(|task| TaskLine {
            task: task.clone(),
            outlook: self.team().outlook(task),
        });
        let mut lines: Vec<TaskLine> = self.tasks().into_iter().chain(deleted).collect();
        lines.sort_by_key(|line| line.task.id);
        lines
    }

    /// A task with its history.
    pub async fn task(&self, id: TaskId) -> Result<TaskReport, TeamError> {
        let read = self.journal.read(0).await.map_err(|error| broken(&error))?;
        let report = if self.holder.is_some() {
            self.team().task_report(id, &read.records)
        } else {
            self.team().paused().task_report(id, &read.records)
        };
        report.map_err(|refused| Refusal::Rule(refused.to_string()).into())
    }

    /// What is not committed in the worktree of a task that is done in one, as far as that can be found out.
    pub async fn uncommitted(&self, id: TaskId) -> Vec<String> {
        match self.board().task(id) {
            Some(task) => uncommitted(task, &*self.worktrees()).await,
            None => Vec::new(),
        }
    }

    /// The person wants something of the board; returns the task as it is then. A team that runs takes it up at once,
    /// another when it is opened. Checks are not run here: whoever has one is not completed from outside.
    pub async fn ask_board(&mut self, mut ask: TaskAsk) -> Result<TaskLine, TeamError> {
        let call = Cause::user(UuidV7Ids.new_id());
        if let TaskAsk::Create(new) = &mut ask {
            new.call.clone_from(&call);
        }
        let asked = ask.task();
        let command = Command::Task(TaskCommand::Asked {
            by: By::User,
            ask,
            verified: None,
        });
        self.decide(&command).await?;
        let id = self.board().made_by(&call).or(asked);
        let task = id.and_then(|id| self.board().task(id)).cloned();
        // What was decided is about a task that is there.
        let task = task.ok_or_else(|| TeamError::Files("the task is gone".to_owned()))?;
        let outlook = self.team().outlook(&task);
        Ok(TaskLine { task, outlook })
    }
}
