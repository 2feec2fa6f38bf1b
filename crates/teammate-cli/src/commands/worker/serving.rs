//! How far the serving of one team is.

use std::sync::{Arc, Mutex};

use teammate::lock::Hold;

/// The phase of the team on this worker.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(super) enum Phase {
    /// It is served, or about to be.
    #[default]
    GoesOn,
    /// It is being closed: who opens it again from now on means another opening.
    LetsGo,
    /// Nothing of it runs here.
    Over,
}

/// Shared by the task that serves the team and the one that takes teams.
#[derive(Clone, Default)]
pub(super) struct Serving(Arc<Mutex<Phase>>);

impl Serving {
    pub(super) fn set(&self, phase: Phase) {
        *self.0.hold() = phase;
    }

    pub(super) fn phase(&self) -> Phase {
        *self.0.hold()
    }
}
