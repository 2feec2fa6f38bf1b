//! When a request is not tried any more.

use std::time::Duration;

use tokio::time::Instant;

use super::{GaveUp, Queue, QueuedRequest, ServerTrouble, Tried};
use crate::governor::{health::Health, in_flight::Pause};

impl Queue {
    /// The pause, unless the request's retries are over by then.
    pub(super) fn unless_over(&self, tried: &Tried<'_>, pause: Pause) -> Result<Pause, GaveUp> {
        let (why, now) = (tried.failure.why, tried.now);
        let caller = self.callers.get(&tried.ticket);
        let trouble = caller.and_then(|caller| caller.trouble);
        let limit = self.retry_limit(caller.and_then(|caller| caller.within));
        let is_over = |since: Instant| (now - since) + pause.time() >= limit;
        match trouble {
            Some(ServerTrouble { since, .. }) if is_over(since) => {
                Err(self.gave_up(why, since, now))
            }
            Some(_) | None => Ok(pause),
        }
    }

    /// In an outage: whether the next probe would come after the end of this request's retries.
    pub(super) fn end_of_retries(&self, caller: &QueuedRequest, now: Instant) -> Option<GaveUp> {
        let Health::Away(outage) = &self.health else {
            return None;
        };
        let waited_since = caller.since.max(outage.since);
        let since = caller.trouble.map_or(waited_since, |trouble| trouble.since);
        let is_over = outage.until.max(now) - since >= self.retry_limit(caller.within);
        is_over.then(|| self.gave_up(&outage.why, since, now))
    }

    /// How long a request is retried.
    fn retry_limit(&self, within: Option<Duration>) -> Duration {
        let limit = match self.accepted_at {
            Some(_) => self.limits.total,
            None => self.limits.unanswered.min(self.limits.total),
        };
        within.map_or(limit, |within| within.min(limit))
    }

    fn gave_up(&self, why: &str, since: Instant, now: Instant) -> GaveUp {
        GaveUp {
            why: why.to_owned(),
            within: now - since,
            has_answered: self.accepted_at.is_some(),
        }
    }
}
