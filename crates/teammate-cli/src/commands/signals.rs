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

/// Resolves when a program that another one has started is to end: by Ctrl-C, by a signal, or because its terminal has gone. Taken
/// from now on.
#[cfg(feature = "acp")]
pub(super) fn asked_to_end() -> std::io::Result<impl Future<Output = ()>> {
    let mut signals = Signals::new()?;
    let mut hangup = signal(SignalKind::hangup())?;
    Ok(async move {
        tokio::select! {
            _ = signals.interrupt.recv() => {}
            _ = signals.terminate.recv() => {}
            _ = hangup.recv() => {}
        }
    })
}
