//! A host that is one worker among others: how it leaves, and why it stopped.

use teammate_fleet::WorkerStop;

use super::Host;

impl Host {
    /// Has the members that run here moved to other workers; resolves when the last one is and the worker has left. Where no
    /// other worker can take them it waits for one. At once, if this process runs the team alone.
    pub async fn drain(&self) {
        if let Some(worker) = &self.worker {
            worker.drain();
            worker.stopped().await;
        }
    }

    /// Resolves when this worker has stopped by itself, with why: it runs nobody from then on. Never, if this process runs
    /// the team alone.
    pub async fn stopped_as_worker(&self) -> WorkerStop {
        match &self.worker {
            Some(worker) => worker.stopped().await,
            None => std::future::pending().await,
        }
    }
}
