//! The news of a queue to other workers, and what it makes of theirs.
//!
//! A pause for a rate limit holds for all that share the key. That a server is away is believed unless it has accepted something here
//! a moment ago: then the other worker's way to it may be broken, and this one sees for itself.

use std::time::Duration;

use teammate_core::port::ServerNews;
use tokio::time::Instant;

use super::Queue;
use crate::governor::health::AFTER_MAX;

/// For how long an accepted request says more than another worker.
const SEEN_FOR: Duration = Duration::from_secs(10);

impl Queue {
    /// The news for other workers now.
    pub(in crate::governor) fn take_news(&mut self) -> Option<ServerNews> {
        self.news.take()
    }

    /// Another worker tells.
    pub(in crate::governor) fn hear(&mut self, news: ServerNews, now: Instant) {
        match news {
            ServerNews::Away { for_ms } => {
                let seen = self.accepted_at.map(|(_, at)| at + SEEN_FOR);
                if seen.is_none_or(|until| until <= now) {
                    let stamp = self.stamp();
                    self.health.heard_away(stamp, now, now + pause(for_ms));
                }
            }
            ServerNews::Refused { for_ms } => self.rate_limit.wait_until(Some(now + pause(for_ms))),
            ServerNews::Back => {
                let (in_flight, is_last) = (self.in_flight.count(), self.nobody_waits());
                self.health.heard_back(in_flight, is_last);
            }
        }
    }

    /// Whether this worker got the claim that it asked for then.
    pub(in crate::governor) fn probe_claimed(&mut self, is_own: bool, asked: Instant) {
        self.probing.answered(is_own, asked);
    }

    /// The health is another one than before: tells it.
    pub(super) fn publish_health(&mut self, before: Option<Instant>, now: Instant) {
        let news = match (before, self.health.away_until()) {
            (Some(_), None) => ServerNews::Back,
            (before, Some(until)) if before.is_none_or(|before| until > before) => {
                ServerNews::away(until - now)
            }
            (None | Some(_), None | Some(_)) => return,
        };
        self.publish(news);
    }

    /// Nobody is to ask before that moment, if there is one.
    pub(super) fn publish_refused(&mut self, until: Option<Instant>, now: Instant) {
        if let Some(until) = until.filter(|until| *until > now) {
            self.publish(ServerNews::refused(until - now));
        }
    }

    fn publish(&mut self, news: ServerNews) {
        if !self.probing.is_alone() {
            self.news = Some(news);
        }
    }
}

fn pause(for_ms: u64) -> Duration {
    Duration::from_millis(for_ms).min(AFTER_MAX)
}
