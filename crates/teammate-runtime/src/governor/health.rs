//! Whether the server is there.
//!
//! ```text
//!              a request fails, and none was accepted since it began
//!   Answers ───────────────────────────────────────────────────────▶ Away ◀─┐ the probe fails:
//!      ▲                                                              │  └──┘ a longer pause
//!      │ nobody waits any more                  a request is accepted │
//!      └──────────────────────────── Returning ◀──────────────────────┘
//! ```
//!
//! An outage is one event, however many requests it breaks. While the server is away one request at a time probes it,
//! after a pause. The first that it accepts ends the outage, and each that it accepts then lets four more begin: 1, 4,
//! 16, 64. The pause doubles with each probe that fails, and is what the server asked for if it did.

use std::time::Duration;

use tokio::time::Instant;

use super::in_flight::{Admission, BeginStamp, RequestsInFlight};
use crate::config::RetryLimits;

/// How many more may begin for each request that a returning server accepts.
const RAMP: usize = 4;

/// The longest pause that a server may ask for.
pub(super) const AFTER_MAX: Duration = Duration::from_secs(600);

/// Why nobody asks a server that another worker cannot reach.
const AWAY_FOR_OTHERS: &str = "another worker says that the model's server does not answer";

/// The least pause, also if the server asks for less.
const PAUSE_MIN: Duration = Duration::from_millis(100);

/// The known health of the server.
#[derive(Debug, Default)]
pub(super) enum Health {
    /// It answers, for all that is known.
    #[default]
    Answers,
    /// It has accepted nothing since a request failed.
    Away(Outage),
    /// It accepts requests again.
    Returning {
        /// So many may be in flight.
        room: usize,
        /// The probes that had failed: the pause goes on from there if the server goes away again.
        failures: u32,
    },
}

/// A time without the server.
#[derive(Debug)]
pub(super) struct Outage {
    pub(super) since: Instant,
    /// The last failure that counted. What began before it belongs to it.
    stamp: BeginStamp,
    /// Of requests of this process.
    failures: u32,
    /// The next probe begins no sooner.
    pub(super) until: Instant,
    /// The failure of the last probe.
    pub(super) why: String,
}

/// A request that the server did not answer.
pub(crate) struct UnansweredRequest<'a> {
    pub(super) why: &'a str,
    /// How long the server asked to wait.
    pub(super) after: Option<Duration>,
    /// A random number in 0..=1.
    pub(super) chance: f64,
}

impl Health {
    /// Whether one more request may begin.
    pub(super) fn may_begin(&self, in_flight: &RequestsInFlight, now: Instant) -> Admission {
        match self {
            Self::Answers => Admission::Now,
            Self::Away(outage) if in_flight.began_after(outage.stamp) => Admission::WhenOneEnds,
            Self::Away(outage) if outage.until > now => Admission::At(outage.until),
            Self::Away(_) => Admission::Now,
            Self::Returning { room, .. } if in_flight.count() >= *room => Admission::WhenOneEnds,
            Self::Returning { .. } => Admission::Now,
        }
    }

    /// Until when nobody is to ask it, if it is away.
    pub(super) fn away_until(&self) -> Option<Instant> {
        match self {
            Self::Away(outage) => Some(outage.until),
            Self::Answers | Self::Returning { .. } => None,
        }
    }

    /// Whether it is away, and so many requests of this process have shown it.
    pub(super) fn has_failed(&self, times: u32) -> bool {
        matches!(self, Self::Away(outage) if outage.failures >= times)
    }

    /// Another worker says that it is away.
    pub(super) fn heard_away(&mut self, stamp: BeginStamp, now: Instant, until: Instant) {
        match self {
            Self::Away(outage) => outage.until = outage.until.max(until),
            Self::Answers | Self::Returning { .. } => {
                *self = Self::Away(Outage {
                    since: now,
                    stamp,
                    failures: 0,
                    until,
                    why: AWAY_FOR_OTHERS.to_owned(),
                });
            }
        }
    }

    /// Another worker's request was accepted, after it was away.
    pub(super) fn heard_back(&mut self, in_flight: usize, is_last: bool) {
        if self.away_until().is_some() {
            self.accepted(in_flight, is_last);
        }
    }

    /// A request that began at `began` failed at `stamp`, and none was accepted since it began.
    pub(super) fn failed(
        &mut self,
        (began, stamp): (BeginStamp, BeginStamp),
        failure: &UnansweredRequest<'_>,
        limits: RetryLimits,
        now: Instant,
    ) {
        let (since, failures) = match self {
            // Another one that the same outage broke.
            Self::Away(outage) if began < outage.stamp => {
                let asked = failure.after.map_or(now, |after| now + after);
                outage.until = outage.until.max(asked);
                return;
            }
            Self::Away(outage) => (outage.since, outage.failures + 1),
            Self::Returning { failures, .. } => (now, *failures + 1),
            Self::Answers => (now, 1),
        };
        *self = Self::Away(Outage {
            since,
            stamp,
            failures,
            until: now + failure.pause(limits, failures),
            why: failure.why.to_owned(),
        });
    }

    /// The server accepted a request.
    pub(super) fn accepted(&mut self, in_flight: usize, is_last: bool) {
        *self = match self {
            _ if is_last => Self::Answers,
            Self::Answers => Self::Answers,
            Self::Away(outage) => Self::Returning {
                room: in_flight + RAMP,
                failures: outage.failures,
            },
            Self::Returning { room, failures } => Self::Returning {
                room: *room + RAMP,
                failures: *failures,
            },
        };
    }
}

impl<'a> UnansweredRequest<'a> {
    pub(crate) fn new(why: &'a str, after: Option<Duration>, chance: f64) -> Self {
        let after = after.map(|after| after.min(AFTER_MAX));
        Self { why, after, chance }
    }

    /// The pause after so many failures in a row: what the server asked for; else half of a bound that doubles, and up to as
    /// much again by chance.
    pub(super) fn pause(&self, limits: RetryLimits, failures: u32) -> Duration {
        let doubled = 1_u32
            .checked_shl(failures.saturating_sub(1))
            .unwrap_or(u32::MAX);
        let bound = limits
            .backoff_first
            .saturating_mul(doubled)
            .min(limits.backoff_max);
        let pause = || bound.mul_f64(0.5 + self.chance.clamp(0.0, 1.0) / 2.0);
        self.after.map_or_else(pause, |after| after.max(PAUSE_MIN))
    }
}
