//! The pause of the whole team, as what runs here keeps it: no model is asked, and idle members take nothing up, until the team
//! goes on. The journal has it.

use super::Base;

impl Base {
    /// Whether the user has paused the team.
    pub(crate) fn is_paused(&self) -> bool {
        self.ledger.team().pause().is_some()
    }

    /// Resolves when the team is not paused, or is closed.
    pub(crate) async fn until_goes_on(&self) {
        let mut changes = self.ledger.changes();
        // A closed ledger says nothing more; what waits here ends with the team.
        let _ = changes.wait_for(|team| team.pause().is_none()).await;
    }

    /// Resolves when a model may be asked.
    pub(crate) async fn until_may_ask(&self) {
        self.until_goes_on().await;
        self.until_may_begin().await;
    }
}
