//! The state that the queue, health and rate limit of a server share: the requests under way, whether one more may begin, and
//! how long one waits.

use std::{collections::BTreeSet, time::Duration};

use tokio::time::Instant;

/// The order in which things happened: of two that came at the same time, too, one was first.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct BeginStamp(pub(super) u64);

/// The requests that have begun and are not over.
#[derive(Debug, Default)]
pub(super) struct RequestsInFlight(BTreeSet<BeginStamp>);

impl RequestsInFlight {
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Whether one of them began after that.
    pub(super) fn began_after(&self, stamp: BeginStamp) -> bool {
        self.0.last().is_some_and(|last| *last > stamp)
    }

    pub(super) fn add(&mut self, began: BeginStamp) {
        self.0.insert(began);
    }

    pub(super) fn remove(&mut self, began: BeginStamp) {
        self.0.remove(&began);
    }
}

/// Whether one more request may begin. What is greater holds back longer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Admission {
    Now,
    At(Instant),
    /// When one that is in flight is accepted or over.
    WhenOneEnds,
}

impl Admission {
    /// How long until then; nothing, if that cannot be known.
    pub(super) fn pause(self, now: Instant) -> Duration {
        match self {
            Self::At(moment) => moment.saturating_duration_since(now),
            Self::Now | Self::WhenOneEnds => Duration::ZERO,
        }
    }
}

/// How long a request that failed waits at least.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Pause {
    /// In the queue, as all requests to this server do.
    ForServer(Duration),
    /// By itself, and then in the queue.
    ForItself(Duration),
}

impl Pause {
    pub(super) fn time(self) -> Duration {
        match self {
            Self::ForServer(time) | Self::ForItself(time) => time,
        }
    }
}
