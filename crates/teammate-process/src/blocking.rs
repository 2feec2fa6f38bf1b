//! Work in tasks of its own: blocking work, which is stopped when its future is dropped, and what goes on to its end.

use std::{
    panic,
    sync::{Arc, Mutex},
};

use teammate_core::lock::Hold;
use tokio::task::JoinHandle;

/// Tells blocking work that its future was dropped.
#[derive(Clone, Default)]
pub struct CancelFlag(Arc<Mutex<bool>>);

impl CancelFlag {
    /// Whether the work is pointless by now.
    pub fn is_set(&self) -> bool {
        *self.0.hold()
    }

    /// Runs `last`, the step that others will see, unless the work was cancelled before. A cancellation
    /// waits for this step, so that nothing happens after it.
    pub fn run_unless_cancelled<R>(&self, last: impl FnOnce() -> R) -> Option<R> {
        let is_set = self.0.hold();
        (!*is_set).then(last)
    }

    fn set(&self) {
        *self.0.hold() = true;
    }
}

struct StopOnDrop(CancelFlag);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.set();
    }
}

/// Runs `work` on a thread for blocking work. Dropping the future sets its [`CancelFlag`].
pub async fn run<R: Send + 'static>(work: impl FnOnce(&CancelFlag) -> R + Send + 'static) -> R {
    let stop = CancelFlag::default();
    let _stop_on_drop = StopOnDrop(stop.clone());
    finished(tokio::task::spawn_blocking(move || work(&stop))).await
}

/// The result of a task. Its panic goes on here.
pub async fn finished<R>(task: JoinHandle<R>) -> R {
    match task.await {
        Ok(result) => result,
        Err(error) if error.is_panic() => panic::resume_unwind(error.into_panic()),
        // The runtime is going down; it drops this future next.
        Err(_) => std::future::pending().await,
    }
}
