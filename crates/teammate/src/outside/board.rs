//! The task board from another process: what is asked is decided here, against the journal, and appended by compare-and-swap.
//! A host that runs hears of it from its journal.

use std::sync::Arc;

use teammate_core::{
    board::{Board, By, State, Task, TaskAsk, TaskCommand, TaskId, TaskRefusal},
    port::{Clock as _, Ids as _, Journal as _, JournalError, Refusal, TaskLine, TaskReport},
    team::{Command, Decided, TeamRefusal},
};
use teammate_store::{
    clock::{SystemClock, UuidIds},
    views,
};

use super::Outside;
use crate::TeamError;

/// How often something is decided again after others came first.
const CONFLICTS_MAX: usize = 100;

impl Outside {
    /// The task board.
    pub fn board(&self) -> &Board {
        self.team.board()
    }

    /// All tasks that are not deleted, by id, each with how it stands.
    pub fn tasks(&self) -> Vec<TaskLine> {
        if self.holder.is_some() {
            self.team.task_lines()
        } else {
            self.team.paused().task_lines()
        }
    }

    /// The same with the deleted ones.
    pub fn all_tasks(&self) -> Vec<TaskLine> {
        let deleted = |task: &&Arc<Task>| task.state == State::Deleted;
        let deleted = self.board().all().filter(deleted).map(|task| TaskLine {
            task: task.clone(),
            outlook: self.team.outlook(task),
        });
        let mut lines: Vec<TaskLine> = self.tasks().into_iter().chain(deleted).collect();
        lines.sort_by_key(|line| line.task.id);
        lines
    }

    /// A task with its history.
    pub async fn task(&self, id: TaskId) -> Result<TaskReport, TeamError> {
        let read = self.journal.read(0).await.map_err(|error| broken(&error))?;
        let report = if self.holder.is_some() {
            self.team.task_report(id, &read.records)
        } else {
            self.team.paused().task_report(id, &read.records)
        };
        report.map_err(|refused| Refusal::Rule(refused.to_string()).into())
    }

    /// The person wants something of the board; returns the task as it is then. A team that runs takes it up at once,
    /// another when it is opened. Checks are not run here: whoever has one is not completed from outside.
    pub async fn ask_board(&mut self, mut ask: TaskAsk) -> Result<TaskLine, TeamError> {
        let call = format!("user/{}", UuidIds.new_id());
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
        let outlook = self.team.outlook(&task);
        Ok(TaskLine { task, outlook })
    }

    async fn decide(&mut self, command: &Command) -> Result<(), TeamError> {
        for _ in 0..CONFLICTS_MAX {
            let Decided { events, durability } = self
                .team
                .decide(command)
                .map_err(|refusal| refused(&refusal))?;
            if events.is_empty() {
                return Ok(());
            }
            let at = SystemClock.now();
            let append = self
                .journal
                .append(self.length, at, events.clone(), durability);
            match append.await {
                Ok(()) => {
                    let before = self.board().clone();
                    self.length += 1;
                    for event in &events {
                        self.team.apply(event, at);
                    }
                    self.show(&before);
                    return Ok(());
                }
                Err(JournalError::Conflict { length }) => {
                    let known = self.length;
                    self.fold().await?;
                    // Nothing new could be read, yet there is more: damaged lines that keep their numbers.
                    if self.length == known {
                        self.length = length;
                    }
                }
                Err(error) => return Err(broken(&error)),
            }
        }
        Err(TeamError::Files(
            "others write faster than this can be decided; try again".to_owned(),
        ))
    }

    /// Who runs the team keeps its views; nobody does for a team that is closed.
    fn show(&self, before: &Board) {
        if self.holder.is_none() {
            // A view that cannot be written is out of date, and nothing else: it is never read back.
            let _ = views::write_tasks(&*self.disk, &self.dir, before, self.board());
        }
    }
}

fn broken(error: &JournalError) -> TeamError {
    TeamError::Files(error.to_string())
}

fn refused(refusal: &TeamRefusal) -> TeamError {
    let TeamRefusal::Task(TaskRefusal::Unverified { task, .. }) = refusal else {
        return Refusal::Rule(refusal.to_string()).into();
    };
    let number = task.number();
    Refusal::Rule(format!(
        "{refusal}, and checks run in the team: leave it to a member, say `/tasks complete {number}` where the team runs, or take \
         the check away with `teammate tasks edit {number} --check ''`"
    ))
    .into()
}
