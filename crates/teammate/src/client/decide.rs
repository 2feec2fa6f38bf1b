//! Commands from another process: committed to the journal here. A host that runs hears of them from its journal.

use std::sync::Arc;

use teammate_core::{
    board::TaskRefusal,
    port::{JournalError, Refusal},
    team::{Command, TeamRefusal},
};
use teammate_process::is_members_command;
use teammate_store::clock::SystemClock;

use super::TeamClient;
use crate::{TeamError, existing::is_members};

impl TeamClient {
    /// Acts as the user. Errors: this process is a member's command, and a member cannot act as the user.
    pub fn require_user(&self) -> Result<(), TeamError> {
        if is_members(&self.site.dir) {
            return Err(TeamError::InsideMemberCommand);
        }
        Ok(())
    }

    /// Decides what the user wants, and appends it.
    pub(crate) async fn decide(&mut self, command: &Command) -> Result<(), TeamError> {
        self.require_user()?;
        let before = self.team().clone();
        let commands = std::slice::from_ref(command);
        let commit = self
            .fold
            .commit(&*self.store.store.journal, &SystemClock, commands);
        for result in commit.await.results.map_err(|error| io_error(&error))? {
            result.map_err(refusal_error)?;
        }
        if !Arc::ptr_eq(&before, self.team()) {
            // The host shows it, if there is one.
            if self.holder.is_none() {
                self.upkeep.show(&before, self.team());
            }
            self.upkeep.journal_grew();
        }
        Ok(())
    }
}

/// Acts as the user where no team is open.
///
/// # Errors
///
/// This process is a command of a member of any team, as far as its environment tells.
pub fn require_user() -> Result<(), TeamError> {
    match is_members_command() {
        true => Err(TeamError::InsideMemberCommand),
        false => Ok(()),
    }
}

pub(super) fn io_error(error: &JournalError) -> TeamError {
    TeamError::Storage(match error {
        JournalError::Conflict { .. } => {
            "the journal kept changing while this was decided; nothing was written. Try again"
                .to_owned()
        }
        JournalError::Broken(_) | JournalError::Unsound(_) => error.to_string(),
    })
}

fn refusal_error(refusal: TeamRefusal) -> TeamError {
    match refusal {
        TeamRefusal::Task(refusal @ TaskRefusal::Unverified { task, .. }) => {
            TeamError::Unverified { task, refusal }
        }
        TeamRefusal::Request(refusal) => Refusal::from(refusal).into(),
        refusal => Refusal::Rule(refusal.to_string()).into(),
    }
}
