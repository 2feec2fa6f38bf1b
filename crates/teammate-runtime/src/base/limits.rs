//! The team's budgets and its permission mode: as this process was opened with them, or as the user has set them since, on a
//! worker for all of them. Only the user's orders change the mode.

use teammate_core::{
    MemberName, audit::AuditEvent, budget::Budgets, permission::Mode, port::Refusal, team::Command,
};

use super::Base;

impl Base {
    /// The budgets in force here, at this moment. What a worker's own settings allow is not widened by what is set for all.
    pub(crate) fn budgets(&self) -> Budgets {
        let own = self.setup.config.budgets;
        match self.deployment.shares_budgets() {
            true => own.tightened_by(self.ledger.team().budgets()),
            false => own,
        }
    }
}

impl Base {
    /// The most that any member may do without asking, at this moment.
    pub(crate) fn mode(&self) -> Mode {
        let chosen = self.ledger.team().ceiling();
        chosen.unwrap_or(self.setup.config.mode)
    }

    /// The user chooses another one, until the team is closed. It holds from the next call of any member on; questions that are
    /// open stay.
    pub(crate) async fn choose_mode(&self, mode: Mode) -> Result<(), Refusal> {
        if let Some(limit) = &self.ports.mode_limit {
            limit.check(mode).map_err(Refusal::Rule)?;
        }
        let before = self.mode();
        if mode == before {
            return Ok(());
        }
        // Before it holds: what it lets run is in the log behind it.
        self.audit_user(AuditEvent::ModeChosen { mode, before })
            .map_err(Refusal::Rule)?;
        self.ledger.decide(Command::ChooseMode(mode)).await?;
        let text = format!(
            "you changed the permission mode from '{before}' to '{mode}', until the team is closed"
        );
        self.feed.note(&MemberName::lead(), text);
        Ok(())
    }
}
