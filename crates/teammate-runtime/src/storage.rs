//! Failures of the storage. A member whose transcript cannot be written stops, and so does a team
//! whose journal cannot; waiters for the team get the failure here.

use teammate_core::port::TranscriptError;
use tokio::sync::watch;

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

    pub(crate) fn failure(&self) -> Option<String> {
        self.0.borrow().clone()
    }

    /// Resolves when there is one.
    pub(crate) async fn failed(&self) {
        // The sender lives as long as self.
        let _ = self.0.subscribe().wait_for(Option::is_some).await;
    }
}
