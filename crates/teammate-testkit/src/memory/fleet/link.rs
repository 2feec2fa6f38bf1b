//! What is wrong with one worker's wire.

use std::time::Duration;

use tokio::sync::watch;

/// What a test breaks of a worker's wire.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WireFault {
    /// Nothing that it says arrives, and nothing reaches it: not even its own beats.
    CutOff,
    /// Nothing reaches it; what it says arrives.
    Deaf,
    /// Nothing that it says arrives, its answers neither; it hears the others.
    Mute,
    /// It is stopped, as by SIGSTOP: what it says and what it is sent waits until it goes on.
    Paused,
    /// It hears what it is asked, and its answers come so much later.
    Late(Duration),
    /// It hears what it is asked, and its answers are lost.
    AnswersLost,
}

/// The wire of one worker.
pub(super) struct Link(watch::Sender<Option<WireFault>>);

impl Default for Link {
    fn default() -> Self {
        Self(watch::Sender::new(None))
    }
}

impl Link {
    pub(super) fn set(&self, fault: Option<WireFault>) {
        self.0.send_replace(fault);
    }

    fn fault(&self) -> Option<WireFault> {
        *self.0.borrow()
    }

    /// Whether what it says leaves.
    pub(super) fn speaks(&self) -> bool {
        match self.fault() {
            Some(WireFault::CutOff | WireFault::Mute) => false,
            Some(
                WireFault::Deaf | WireFault::Paused | WireFault::Late(_) | WireFault::AnswersLost,
            )
            | None => true,
        }
    }

    /// Whether something reaches it.
    pub(super) fn hears(&self) -> bool {
        match self.fault() {
            Some(WireFault::CutOff | WireFault::Deaf) => false,
            Some(
                WireFault::Mute | WireFault::Paused | WireFault::Late(_) | WireFault::AnswersLost,
            )
            | None => true,
        }
    }

    /// Whether its answers leave.
    pub(super) fn answers(&self) -> bool {
        self.speaks() && self.fault() != Some(WireFault::AnswersLost)
    }

    /// How long its answers take.
    pub(super) fn answers_after(&self) -> Option<Duration> {
        match self.fault() {
            Some(WireFault::Late(after)) => Some(after),
            Some(
                WireFault::CutOff
                | WireFault::Deaf
                | WireFault::Mute
                | WireFault::Paused
                | WireFault::AnswersLost,
            )
            | None => None,
        }
    }

    /// Resolves while its process runs.
    pub(super) async fn runs(&self) {
        let mut fault = self.0.subscribe();
        // The sender lives as long as self.
        let _ = fault
            .wait_for(|fault| *fault != Some(WireFault::Paused))
            .await;
    }
}
