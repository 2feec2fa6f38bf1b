//! Signals while the prompt is open.

use std::time::Duration;

use tokio::{
    signal::unix::{Signal, SignalKind, signal},
    time::timeout,
};

use super::shell::ShellEnd;

/// How late a signal may be heard.
const SIGNAL_DELAY: Duration = Duration::from_secs(2);

/// What ends this from outside, or Ctrl-C where the terminal makes a signal of it. Made before the prompt comes: one that nobody
/// takes kills.
pub(super) struct Signals {
    pub(super) interrupt: Signal,
    pub(super) terminate: Signal,
}

impl Signals {
    pub(super) fn new() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
        })
    }

    /// Ctrl-C was for the program that had the terminal, not for the team.
    pub(super) async fn forget_interrupt(&mut self, end: ShellEnd) {
        let delay = match end {
            ShellEnd::Interrupted => SIGNAL_DELAY,
            ShellEnd::Other => Duration::ZERO,
        };
        let _ = timeout(delay, self.interrupt.recv()).await;
    }
}
