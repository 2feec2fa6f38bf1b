//! Signals that end a program without a screen.

use tokio::signal::unix::{Signal, SignalKind, signal};

/// Signals that end the program from outside, and Ctrl-C where the terminal makes a signal of it. Made before a team is open:
/// one that nobody takes kills.
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
}
