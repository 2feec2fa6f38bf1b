//! Members that move to another worker.

use teammate_core::{MemberName, lock::Hold};

use super::{MemberHandle, Members};

impl Members {
    /// Ends a member's loop as in a crash: another worker goes on with it. Returns when nothing of it runs.
    pub(crate) async fn cut(&self, name: &MemberName) {
        let handle = self
            .running
            .hold()
            .as_mut()
            .and_then(|all| all.remove(name));
        if let Some(handle) = handle {
            handle.cut().await;
        }
    }
}

impl MemberHandle {
    /// Ends the member's task as in a crash.
    async fn cut(mut self) {
        self.task.abort();
        // A task that was aborted has ended, and so has one that panicked.
        let _ = (&mut self.task).await;
    }
}
