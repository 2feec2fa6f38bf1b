//! One governor for everything that shares rate limits: an endpoint and key. After a few failures in a row the circuit
//! opens: one request at a time probes, at growing pauses, and the others wait for what it finds.

use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::watch, time::Instant};

use crate::config::RetryLimits;

/// Failures in a row that open the circuit.
const OPEN_AFTER_FAILURES: u32 = 3;

/// All circuits.
pub(crate) struct Governor {
    limits: RetryLimits,
    circuits: Mutex<HashMap<String, Circuit>>,
    changes: watch::Sender<u64>,
}

#[derive(Default)]
struct Circuit {
    failures: u32,
    not_before: Option<Instant>,
    is_probing: bool,
}

/// Leave to ask. Must be given back by [`Permit::succeeded`] or [`Permit::failed`]; dropping it (the request was
/// cancelled) says nothing about the server.
pub(crate) struct Permit<'a> {
    governor: &'a Governor,
    key: &'a str,
    is_probe: bool,
}

impl Governor {
    pub(crate) fn new(limits: RetryLimits) -> Self {
        Self {
            limits,
            circuits: Mutex::default(),
            changes: watch::Sender::new(0),
        }
    }

    /// Waits until asking is allowed.
    pub(crate) async fn permit<'a>(&'a self, key: &'a str) -> Permit<'a> {
        let mut changes = self.changes.subscribe();
        loop {
            let pause = match self.try_permit(key) {
                Ok(is_probe) => {
                    return Permit {
                        governor: self,
                        key,
                        is_probe,
                    };
                }
                Err(pause) => pause,
            };
            tokio::select! {
                () = tokio::time::sleep(pause.unwrap_or(self.limits.backoff_max)) => {}
                _ = changes.changed() => {}
            }
        }
    }

    /// `Ok(is it a probe)`, or how long to wait at most.
    fn try_permit(&self, key: &str) -> Result<bool, Option<Duration>> {
        self.with(key, |circuit| {
            if circuit.failures < OPEN_AFTER_FAILURES {
                return Ok(false);
            }
            let pause = circuit
                .not_before
                .map(|moment| moment.saturating_duration_since(Instant::now()))
                .filter(|pause| !pause.is_zero());
            if circuit.is_probing || pause.is_some() {
                return Err(pause);
            }
            circuit.is_probing = true;
            Ok(true)
        })
    }

    fn with<T>(&self, key: &str, act: impl FnOnce(&mut Circuit) -> T) -> T {
        let mut circuits = self.circuits.lock().unwrap_or_else(PoisonError::into_inner);
        act(circuits.entry(key.to_owned()).or_default())
    }
}

impl Permit<'_> {
    /// The server answered.
    pub(crate) fn succeeded(self) {
        self.governor.with(self.key, |circuit| {
            circuit.failures = 0;
            circuit.not_before = None;
        });
    }

    /// The server did not answer; `after` is what it asked for and `chance` a random number in 0..=1. Returns the pause
    /// before this request may be tried again: full jitter under a doubling bound, never less than the server asked.
    pub(crate) fn failed(self, after: Option<Duration>, chance: f64) -> Duration {
        let limits = self.governor.limits;
        self.governor.with(self.key, |circuit| {
            let bound = limits
                .backoff_first
                .saturating_mul(
                    1_u32
                        .checked_shl(circuit.failures.min(16))
                        .unwrap_or(u32::MAX),
                )
                .min(limits.backoff_max);
            circuit.failures = circuit.failures.saturating_add(1);
            let pause = bound
                .mul_f64(chance.clamp(0.0, 1.0))
                .max(after.unwrap_or_default());
            circuit.not_before = Some(Instant::now() + pause);
            pause
        })
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        if self.is_probe {
            self.governor
                .with(self.key, |circuit| circuit.is_probing = false);
        }
        self.governor.changes.send_modify(|count| *count += 1);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> RetryLimits {
        RetryLimits::default()
    }

    #[tokio::test(start_paused = true)]
    async fn an_outage_is_probed_by_one_at_a_time() {
        let governor = Governor::new(limits());
        for _ in 0..OPEN_AFTER_FAILURES {
            governor.permit("k").await.failed(None, 1.0);
        }
        let before = Instant::now();
        let probe = governor.permit("k").await;
        assert!(
            before.elapsed() >= Duration::from_secs(2),
            "the probe waits its pause"
        );
        let second = async {
            governor.permit("k").await;
        };
        tokio::select! {
            biased;
            () = second => panic!("two probes at once"),
            () = tokio::time::sleep(Duration::from_millis(100)) => {}
        }
        probe.succeeded();
        governor.permit("k").await;
        governor.permit("k").await;
    }

    #[tokio::test(start_paused = true)]
    async fn the_server_is_obeyed_and_pauses_are_bounded() {
        let governor = Governor::new(limits());
        let asked = Duration::from_secs(40);
        assert_eq!(governor.permit("a").await.failed(Some(asked), 0.0), asked);
        for _ in 0..30 {
            let pause = governor.permit("b").await.failed(None, 1.0);
            assert!(pause <= limits().backoff_max);
        }
        // Another key is not held back.
        assert!(governor.try_permit("c").is_ok());
    }

    #[tokio::test(start_paused = true)]
    async fn a_cancelled_probe_lets_the_next_one_go() {
        let governor = Governor::new(limits());
        for _ in 0..OPEN_AFTER_FAILURES {
            governor.permit("k").await.failed(None, 0.0);
        }
        drop(governor.permit("k").await);
        governor.permit("k").await.succeeded();
        assert_eq!(governor.try_permit("k"), Ok(false));
    }
}
