//! What the team could not write down. A member whose transcript cannot be written goes no further, and neither does a team whose
//! journal cannot: whoever waits for the team learns it here.

use teammate_core::{event::Closing, port::TranscriptError};
use tokio::sync::watch;

use crate::host::{Host, Shared};

/// The first transcript that could not be written since the team was opened.
pub(crate) struct Storage(watch::Sender<Option<String>>);

impl Default for Storage {
    fn default() -> Self {
        Self(watch::Sender::new(None))
    }
}

impl Storage {
    /// A member's loop has ended for want of its transcript. The first failure is kept: later ones follow from it.
    pub(crate) fn fails(&self, error: &TranscriptError) {
        self.0.send_if_modified(|first| {
            let is_first = first.is_none();
            first.get_or_insert_with(|| error.to_string());
            is_first
        });
    }
}

impl Shared {
    /// What could not be written, if anything: a transcript, or what was last decided.
    fn storage_failure(&self) -> Option<String> {
        let journal = || self.ledger.failure().map(|error| error.to_string());
        self.storage.0.borrow().clone().or_else(journal)
    }

    /// How the team would be left if it were closed now.
    pub(crate) fn closing_reason(&self) -> Closing {
        let is_busy = || {
            let team = self.ledger.team();
            team.members().any(|member| member.phase.is_busy())
        };
        if self.storage_failure().is_some() {
            Closing::Storage
        } else if self.closing.has_begun() {
            Closing::Stopped
        } else if is_busy() {
            Closing::Paused
        } else {
            Closing::Settled
        }
    }
}

impl Host {
    /// What could not be written, if anything: a member's transcript since the team was opened, or what was decided last.
    pub fn storage_failure(&self) -> Option<String> {
        self.shared.storage_failure()
    }

    /// Resolves when a member's loop has ended because its transcript could not be written.
    pub async fn storage_fails(&self) {
        let mut failures = self.shared.storage.0.subscribe();
        // The sender lives as long as self.
        let _ = failures.wait_for(Option::is_some).await;
    }
}
