//! Commands from another process: committed to the journal here. A host that runs hears of them from its journal.

use std::sync::Arc;

use teammate_core::{
    board::TaskRefusal,
    port::{JournalError, Refusal},
    team::{Command, TeamRefusal, TeamState},
};
use teammate_store::{clock::SystemClock, files::TeamDir, view_files};
use teammate_tools::is_within_team;

use super::TeamClient;
use crate::TeamError;

impl TeamClient {
    /// Acts as the user. Errors: this process is a member's command, and a member cannot act as the user.
    pub fn require_user(&self) -> Result<(), TeamError> {
        if is_members(&self.dir) {
            return Err(TeamError::InsideMemberCommand);
        }
        Ok(())
    }

    /// Decides what the user wants, and appends it.
    pub(super) async fn decide(&mut self, command: &Command) -> Result<(), TeamError> {
        self.require_user()?;
        let before = self.team().clone();
        let commands = std::slice::from_ref(command);
        let commit = self.fold.commit(&*self.journal, &SystemClock, commands);
        for result in commit.await.results.map_err(|error| io_error(&error))? {
            result.map_err(refusal_error)?;
        }
        if !Arc::ptr_eq(&before, self.team()) {
            self.write_view_files(&before);
            // If this is not stored, its later loss goes unnoticed; nothing else breaks.
            let _ = self.proof.remember_journal();
        }
        Ok(())
    }

    /// The host writes the view files; for a closed team, this does.
    fn write_view_files(&self, before: &TeamState) {
        if self.holder.is_none() {
            let (disk, dir, now) = (&*self.disk, &self.dir, self.team());
            // A view that cannot be written is out of date, and nothing else: it is never read back.
            let _ = view_files::write_tasks(disk, dir, before.board(), now.board());
            let _ = view_files::write_plans(disk, dir, before.requests(), now.requests());
        }
    }
}

/// Whether a member's command started this process.
pub(crate) fn is_members(dir: &TeamDir) -> bool {
    is_within_team(dir.path(), |name| std::env::var(name).ok())
}

pub(super) fn io_error(error: &JournalError) -> TeamError {
    TeamError::Storage(match error {
        JournalError::Conflict { .. } => {
            "the journal kept changing while this was decided; nothing was written. Try again"
                .to_owned()
        }
        JournalError::Broken(_) => error.to_string(),
    })
}

fn refusal_error(refusal: TeamRefusal) -> TeamError {
    match refusal {
        TeamRefusal::Task(refusal @ TaskRefusal::Unverified { task, .. }) => {
            TeamError::Unverified { task, refusal }
        }
        refusal => Refusal::Rule(refusal.to_string()).into(),
    }
}
