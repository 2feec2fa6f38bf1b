//! How much the server takes, learned from the requests that its rate limit refuses (429).
//!
//! ```text
//!           refused               refused, with none other in flight
//!   Free ────────────▶ AtOnce(n) ────────────────────────────────────▶ Spaced(gap)
//!                      │  ▲   ▲                                         │  ▲
//!      fewer: the rest └──┘   └──────── when the gap is 20 ms ──────────┘──┘ longer or shorter
//!      or one more
//! ```
//!
//! Until the server refuses something, everything begins at once. A refusal shows how many it takes: those that are left
//! in flight, and at the first of several 15 % fewer. A limit on requests in a time can be below one at a time: then the gap
//! between two beginnings does the same. If nothing at all is accepted, the pauses double as in an outage.
//!
//! More is tried only after `trial_after` requests were accepted at the present pace: twice as many after a trial that was
//! refused; half as many, and a larger step, after several that were not. So a steady limit is tried ever more rarely, and one
//! that was lifted, or only met by a burst, is left quickly.

use std::time::Duration;

use tokio::time::Instant;

use super::{
    health::UnansweredRequest,
    in_flight::{Admission, BeginStamp, RequestsInFlight},
};
use crate::config::RetryLimits;

/// The share of the requests in flight that a first refusal leaves.
const LESS: f64 = 0.85;

/// So many requests are accepted before more is tried: at first, at least and at most.
const TRIAL_FIRST: u32 = 20;
const TRIAL_MIN: u32 = 3;
const TRIAL_MAX: u32 = 80;

/// How often the number that is tried in addition doubles: 1, 2, 4, 8.
const STEPS_MAX: u32 = 3;

/// The factor of the gap after a trial and a refusal; a refusal shortens it more.
const GAP_SHORTER: f64 = 0.9;
const GAP_LONGER: f64 = 1.33;

/// The shortest and the longest gap.
const GAP_MIN: Duration = Duration::from_millis(20);
const GAP_MAX: Duration = Duration::from_secs(60);

/// How far apart several in flight begin, as long as nothing was measured; and at most.
const APART_FIRST: Duration = Duration::from_millis(100);
const APART_MAX: Duration = Duration::from_millis(250);

#[derive(Debug, Clone, Copy, PartialEq)]
enum RequestPace {
    /// Nothing was refused yet.
    Free,
    /// So many requests in flight, at least one.
    AtOnce {
        most: usize,
        /// So long from the beginning of one to that of the next: they do not all come in one burst for ever.
        apart: Duration,
    },
    /// So long from the beginning of one request to that of the next.
    Spaced(Duration),
}

/// The pace, and what is needed to change it.
#[derive(Debug)]
pub(super) struct RateLimit {
    pace: RequestPace,
    /// The last refusal that counted. What began before it belongs to it.
    refused_at: BeginStamp,
    /// Since when the pace is what it is, and how many requests were accepted at it.
    since: Option<Instant>,
    accepted: u32,
    trial_after: u32,
    /// So many times in a row more was tried and taken, and the present pace is one more trial; 0 after a refusal.
    trials: u32,
    /// Refusals since the last request that was accepted.
    in_a_row: u32,
    /// The server asked for it, or the gap wants it.
    not_before: Option<Instant>,
}

impl Default for RateLimit {
    fn default() -> Self {
        Self {
            pace: RequestPace::Free,
            refused_at: BeginStamp::default(),
            since: None,
            accepted: 0,
            trial_after: TRIAL_FIRST,
            trials: 0,
            in_a_row: 0,
            not_before: None,
        }
    }
}

impl RateLimit {
    /// Whether one more request may begin.
    pub(super) fn may_begin(&self, in_flight: &RequestsInFlight, now: Instant) -> Admission {
        let room = match self.pace {
            RequestPace::AtOnce { most, .. } if in_flight.count() >= most => Admission::WhenOneEnds,
            RequestPace::AtOnce { .. } | RequestPace::Free | RequestPace::Spaced(_) => {
                Admission::Now
            }
        };
        let moment = match self.not_before {
            Some(moment) if moment > now => Admission::At(moment),
            Some(_) | None => Admission::Now,
        };
        room.max(moment)
    }

    /// A request begins.
    pub(super) fn begun(&mut self, now: Instant) {
        self.not_before = match self.pace {
            RequestPace::Spaced(gap) | RequestPace::AtOnce { apart: gap, .. } => Some(now + gap),
            RequestPace::Free => None,
        };
    }

    /// The server accepted a request; so many are in flight, with it, and perhaps nobody waits.
    pub(super) fn accepted(&mut self, in_flight: usize, is_last: bool, now: Instant) {
        self.in_a_row = 0;
        match self.pace {
            RequestPace::Free => {}
            // That the server takes fewer shows nothing.
            RequestPace::AtOnce { most, .. } if is_last && in_flight < most => {}
            RequestPace::AtOnce { .. } | RequestPace::Spaced(_) => self.accepted += 1,
        }
        if self.accepted < self.trial_after {
            return;
        }
        // One alone shows little: a server may have saved up some for a burst.
        if self.trials > 1 {
            self.trial_after = (self.trial_after / 2).max(TRIAL_MIN);
        }
        let step = 1 << self.trials.min(STEPS_MAX);
        self.trials += 1;
        let pace = match self.pace {
            RequestPace::Free => RequestPace::Free,
            RequestPace::AtOnce { most, .. } => self.at_once(most + step, now),
            RequestPace::Spaced(gap) if gap.mul_f64(GAP_SHORTER) < GAP_MIN => {
                self.at_once(in_flight, now)
            }
            RequestPace::Spaced(gap) => RequestPace::Spaced(gap.mul_f64(GAP_SHORTER)),
        };
        self.change(pace, now);
    }

    /// The server refused a request that began at `began`; so many others are left in flight. Returns until when nobody is to ask, if
    /// the server said so or takes nothing just now.
    pub(super) fn refused(
        &mut self,
        (began, stamp): (BeginStamp, BeginStamp),
        left: usize,
        failure: &UnansweredRequest<'_>,
        limits: RetryLimits,
        now: Instant,
    ) -> Option<Instant> {
        let mut until = failure.after.map(|after| now + after);
        self.wait_until(until);
        if began < self.refused_at {
            // The server keeps no more than those that are left.
            if let RequestPace::AtOnce { most, .. } = &mut self.pace {
                *most = (*most).min(left).max(1);
            }
            return until;
        }
        self.refused_at = stamp;
        self.in_a_row += 1;
        if left == 0 && (self.in_a_row > 1 || !matches!(self.pace, RequestPace::Spaced(_))) {
            until = until.max(Some(now + failure.pause(limits, self.in_a_row)));
            self.wait_until(until);
        }
        if left == 0 && self.in_a_row > 1 {
            // Just now it takes nothing, which says nothing about the pace.
            return until;
        }
        if self.trials > 0 {
            self.trial_after = (self.trial_after * 2).min(TRIAL_MAX);
        }
        self.trials = 0;
        let pace = match self.pace {
            RequestPace::Spaced(gap) => RequestPace::Spaced(self.longer(gap, now)),
            RequestPace::Free | RequestPace::AtOnce { .. } if left == 0 => {
                RequestPace::Spaced(self.longer(GAP_MIN, now))
            }
            RequestPace::Free | RequestPace::AtOnce { .. } => self.at_once(fewer(left), now),
        };
        self.change(pace, now);
        if let RequestPace::Spaced(gap) = pace {
            self.wait_until(Some(now + gap));
        }
        until
    }

    /// The gap at which as many begin as were taken lately: somewhat longer than it was, and at most four times.
    fn longer(&self, gap: Duration, now: Instant) -> Duration {
        let apart = self.apart(now);
        apart.clamp(gap.mul_f64(GAP_LONGER), gap * 4).min(GAP_MAX)
    }

    fn at_once(&self, most: usize, now: Instant) -> RequestPace {
        RequestPace::AtOnce {
            most: most.max(1),
            apart: match self.accepted {
                0 => APART_FIRST,
                _ => (self.apart(now) / 2).min(APART_MAX),
            },
        }
    }

    /// How far apart those were that were accepted at the present pace.
    fn apart(&self, now: Instant) -> Duration {
        let time = self.since.map_or(Duration::ZERO, |since| now - since);
        time / self.accepted.max(1)
    }

    fn change(&mut self, pace: RequestPace, now: Instant) {
        self.pace = pace;
        self.since = Some(now);
        self.accepted = 0;
    }

    /// Nothing begins before that moment.
    pub(super) fn wait_until(&mut self, moment: Option<Instant>) {
        self.not_before = self.not_before.max(moment);
    }
}

/// The number that is tried after one of `left + 1` requests was refused.
fn fewer(left: usize) -> usize {
    let most = (left + 1) as f64 * LESS;
    (most as usize).clamp(1, left.max(1))
}
