//! A stopwatch that is read and emptied while it runs.

use tokio::time::Instant;

#[derive(Debug, Default)]
pub(super) struct Stopwatch {
    since: Option<Instant>,
    banked: u64,
}

impl Stopwatch {
    pub(super) fn is_running(&self) -> bool {
        self.since.is_some()
    }

    pub(super) fn set_running(&mut self, runs: bool) {
        self.banked = self.read();
        self.since = runs.then(Instant::now);
    }

    /// Milliseconds since it was emptied.
    pub(super) fn read(&self) -> u64 {
        let elapsed = self.since.map_or(0, |since| since.elapsed().as_millis());
        self.banked + u64::try_from(elapsed).unwrap_or(u64::MAX)
    }

    pub(super) fn take(&mut self) -> u64 {
        let read = self.read();
        self.banked = 0;
        self.since = self.since.map(|_| Instant::now());
        read
    }
}
