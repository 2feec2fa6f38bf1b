//! How the team would be left if it were closed now, and what could not be written.

use teammate_core::event::Closing;

use super::Host;

impl Host {
    /// The failure to write, if there was one: of a member's transcript since the team was opened, or of the last decision.
    pub fn storage_failure(&self) -> Option<String> {
        let journal = || self.base.ledger.failure().map(|error| error.to_string());
        self.storage.failure().or_else(journal)
    }

    /// Resolves when a member's loop has ended because its transcript could not be written, or when the journal is found to be not
    /// one history.
    pub async fn storage_fails(&self) {
        tokio::select! {
            () = self.storage.failed() => {}
            () = self.base.ledger.unsound() => {}
        }
    }

    /// How the team would be left if it were closed now.
    pub(super) fn closing_reason(&self) -> Closing {
        let is_busy = || {
            let team = self.base.ledger.team();
            team.members().any(|member| member.phase.is_busy())
        };
        if self.storage_failure().is_some() {
            Closing::Storage
        } else if self.base.closing.has_begun() {
            Closing::Stopped
        } else if is_busy() {
            Closing::Paused
        } else {
            Closing::Settled
        }
    }
}
