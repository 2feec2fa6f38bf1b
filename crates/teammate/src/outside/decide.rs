//! Commands from another process: decided here, against the journal, and appended by compare-and-swap. A host that runs hears of
//! it from its journal.

use teammate_core::{
    board::{Board, TaskRefusal},
    port::{Clock as _, Journal as _, JournalError, Refusal},
    request::Requests,
    team::{Command, Decided, TeamRefusal},
};
use teammate_store::{clock::SystemClock, files::TeamDir, views};
use teammate_tools::is_within_team;

use super::Outside;
use crate::TeamError;

/// How often something is decided again after others came first.
const CONFLICTS_MAX: usize = 100;

impl Outside {
    /// What is done here is done as the person. Errors: this is a member's command, and no member speaks for the person.
    pub fn as_person(&self) -> Result<(), TeamError> {
        if is_members(&self.dir) {
            return Err(TeamError::Within);
        }
        Ok(())
    }

    /// Decides what the person wants, and appends it.
    pub(super) async fn decide(&mut self, command: &Command) -> Result<(), TeamError> {
        self.as_person()?;
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
                    let before = (self.team.board().clone(), self.team.requests().clone());
                    self.length += 1;
                    for event in &events {
                        self.team.apply(event, at);
                    }
                    self.show(&before.0, &before.1);
                    // What is not remembered is only not missed when it is gone.
                    let _ = self.proof.remember_journal();
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
    fn show(&self, board: &Board, requests: &Requests) {
        if self.holder.is_none() {
            // A view that cannot be written is out of date, and nothing else: it is never read back.
            let _ = views::write_tasks(&*self.disk, &self.dir, board, self.board());
            let _ = views::write_plans(&*self.disk, &self.dir, requests, self.team.requests());
        }
    }
}

/// Whether a member's command started this process.
pub(crate) fn is_members(dir: &TeamDir) -> bool {
    is_within_team(dir.path(), |name| std::env::var(name).ok())
}

pub(super) fn broken(error: &JournalError) -> TeamError {
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
