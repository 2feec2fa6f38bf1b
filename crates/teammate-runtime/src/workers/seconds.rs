//! Seconds that have passed, those counted in which the machine slept: a laptop that was suspended wakes up alone.

use std::{sync::Arc, time::Duration};

use teammate_core::port::Clock;
use tokio::time::Instant;

/// Timers may be this much early.
const SLACK: Duration = Duration::from_millis(100);

/// Counts.
pub(super) struct Seconds {
    clock: Arc<dyn Clock>,
    since: Instant,
    since_boot: Option<Duration>,
}

impl Seconds {
    pub(super) fn of(clock: Arc<dyn Clock>) -> Self {
        Self {
            since: Instant::now(),
            since_boot: clock.since_boot(),
            clock,
        }
    }

    /// How many have passed since the last time; none before it is one.
    pub(super) fn take(&mut self) -> Option<u8> {
        let now = self.clock.since_boot();
        let with_sleep = now.zip(self.since_boot);
        let with_sleep = with_sleep.map(|(now, before)| now.saturating_sub(before));
        let passed = self.since.elapsed().max(with_sleep.unwrap_or_default());
        let seconds = (passed + SLACK).as_secs();
        if seconds == 0 {
            return None;
        }
        (self.since, self.since_boot) = (Instant::now(), now);
        Some(u8::try_from(seconds).unwrap_or(u8::MAX))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use teammate_core::Timestamp;

    use super::*;

    struct Suspended(Mutex<u64>);

    impl Clock for Suspended {
        fn now(&self) -> Timestamp {
            Timestamp(0)
        }

        fn since_boot(&self) -> Option<Duration> {
            Some(Duration::from_secs(*self.0.lock().unwrap()))
        }
    }

    #[tokio::test(start_paused = true)]
    async fn sleep_of_the_machine_counts_and_timers_do() {
        let clock = Arc::new(Suspended(Mutex::new(10)));
        let mut seconds = Seconds::of(clock.clone());
        assert_eq!(seconds.take(), None);
        tokio::time::sleep(Duration::from_secs(2)).await;
        assert_eq!(seconds.take(), Some(2));
        *clock.0.lock().unwrap() += 50;
        assert_eq!(seconds.take(), Some(50));
        assert_eq!(seconds.take(), None);
        *clock.0.lock().unwrap() += 100_000;
        assert_eq!(seconds.take(), Some(u8::MAX));
    }
}
