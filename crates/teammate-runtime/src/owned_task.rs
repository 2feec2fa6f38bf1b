//! A task of its owner that can begin anew: one of it runs at most, and it ends with the owner.

use std::sync::Mutex;

use teammate_core::lock::Hold;
use tokio::task::AbortHandle;

/// The place of such a task. Ends it when dropped.
#[derive(Debug, Default)]
pub(crate) struct OwnedTask(Mutex<Option<AbortHandle>>);

impl OwnedTask {
    /// Runs this from now on, in place of what ran before.
    pub(crate) fn begin(&self, work: impl Future<Output = ()> + Send + 'static) {
        let running = tokio::spawn(work).abort_handle();
        if let Some(before) = self.0.hold().replace(running) {
            before.abort();
        }
    }

    /// Ends what runs, if anything does.
    pub(crate) fn end(&self) {
        if let Some(running) = self.0.hold().take() {
            running.abort();
        }
    }
}

impl Drop for OwnedTask {
    fn drop(&mut self) {
        self.end();
    }
}
