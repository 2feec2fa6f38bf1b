//! A team that this process runs as one of several workers.

use teammate_core::team::WorkerStop;
use teammate_runtime::WorkerRole;

use crate::{builder::TeamBuilder, team::Team};

impl TeamBuilder {
    /// Runs only those members that the team's journal places on this worker. The team must be kept in a store that its workers share.
    #[must_use]
    pub fn worker(self, role: WorkerRole) -> Self {
        Self {
            worker: Some(role),
            ..self
        }
    }
}

impl Team {
    /// Has the members that this worker holds moved to other workers. Resolves when the last one is; where no other worker can take
    /// them, it waits for one. At once where this process runs the team alone.
    pub async fn drain(&self) {
        self.host.drain().await;
    }

    /// Resolves when this worker has stopped by itself, with why: it runs nobody from then on. Never where this process runs the team
    /// alone.
    pub async fn stopped_as_worker(&self) -> WorkerStop {
        self.host.stopped_as_worker().await
    }
}
