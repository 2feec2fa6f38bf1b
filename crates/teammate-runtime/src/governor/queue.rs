//! Which request goes next to one server. A pure function of what happened; time comes with each event.
//!
//! Two things hold requests back, each in a file: [`health`](super::health), whether the server answers, and
//! [`rate_limit`](super::rate_limit), how much it takes. The request that has waited longest goes first. Those of the lead go
//! before those of its teammates, but not twice in a row while others wait.
//!
//! A failure says something about the server only if the server has accepted nothing since that request began, and nothing
//! since it failed first. Otherwise only that request waits: a broken stream, or a conversation that breaks the server, holds
//! no other request back. For the same reason a request that failed goes to the end of the queue, so that another one probes
//! next. One that was refused by a rate limit keeps its place.
//!
//! [`retries`] says when a request is not tried any more; [`heard`] has what goes to other workers with the same key and what comes from them.

mod heard;
mod retries;

use std::{
    collections::{BTreeMap, BTreeSet},
    time::Duration,
};

use teammate_core::port::ServerNews;
use tokio::time::Instant;

use super::{
    health::{Health, UnansweredRequest},
    in_flight::{Admission, BeginStamp, Pause, RequestsInFlight},
    probing::{OWN_FAILURES, Probe, Probing},
    rate_limit::RateLimit,
};
use crate::config::RetryLimits;

/// Names a request, from the first try to the last.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct Ticket(u64);

/// The rank of the asker.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Rank {
    /// The lead, for whom the user waits.
    Lead,
    Teammate,
}

/// A request is not tried any more.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct GaveUp {
    /// The last failure: of this request, or in an outage of the last probe.
    pub(crate) why: String,
    /// How long the server was tried.
    pub(crate) within: Duration,
    /// Whether the server has answered anything in this run.
    pub(crate) has_answered: bool,
}

/// The next step of a waiting request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum QueueStep {
    /// It begins.
    Ask(BeginStamp),
    /// Looks again at this time, or when woken.
    Wait(Option<Instant>),
    /// Its worker asks whether it probes; then it looks again.
    Claim,
    GiveUp(GaveUp),
}

/// A try that brought no answer.
pub(super) struct Tried<'a> {
    pub(super) ticket: Ticket,
    pub(super) began: BeginStamp,
    pub(super) failure: &'a UnansweredRequest<'a>,
    pub(super) now: Instant,
}

/// A request that waits or is under way.
#[derive(Debug)]
struct QueuedRequest {
    rank: Rank,
    /// For how long it is tried, if that is less than the settings say.
    within: Option<Duration>,
    since: Instant,
    /// Its place in the queue: lower ones go first.
    place: BeginStamp,
    /// Its first try that failed or was refused.
    trouble: Option<ServerTrouble>,
    /// Its failures that said nothing about the server.
    failures: u32,
}

#[derive(Debug, Clone, Copy)]
struct ServerTrouble {
    stamp: BeginStamp,
    since: Instant,
}

/// The requests to one server with one key.
#[derive(Debug)]
pub(super) struct Queue {
    limits: RetryLimits,
    stamps: u64,
    callers: BTreeMap<Ticket, QueuedRequest>,
    waiting_leads: BTreeSet<(BeginStamp, Ticket)>,
    waiting_teammates: BTreeSet<(BeginStamp, Ticket)>,
    lead_was_last: bool,
    in_flight: RequestsInFlight,
    health: Health,
    rate_limit: RateLimit,
    probing: Probing,
    accepted_at: Option<(BeginStamp, Instant)>,
    /// News that other workers do not know yet.
    news: Option<ServerNews>,
}

impl Queue {
    pub(super) fn new(limits: RetryLimits, probing: Probing) -> Self {
        Self {
            limits,
            stamps: 0,
            callers: BTreeMap::new(),
            waiting_leads: BTreeSet::new(),
            waiting_teammates: BTreeSet::new(),
            lead_was_last: false,
            in_flight: RequestsInFlight::default(),
            health: Health::default(),
            rate_limit: RateLimit::default(),
            probing,
            accepted_at: None,
            news: None,
        }
    }

    /// A request is to be made.
    pub(super) fn enter(&mut self, rank: Rank, within: Option<Duration>, now: Instant) -> Ticket {
        let place = self.stamp();
        let ticket = Ticket(place.0);
        let caller = QueuedRequest {
            rank,
            within,
            since: now,
            place,
            trouble: None,
            failures: 0,
        };
        self.callers.insert(ticket, caller);
        ticket
    }

    /// A request has its answer, failed or was cancelled.
    pub(super) fn leave(&mut self, ticket: Ticket) {
        self.stop_waiting(ticket);
        self.callers.remove(&ticket);
    }

    /// The request that goes next.
    pub(super) fn first(&self) -> Option<Ticket> {
        let lead = self.waiting_leads.first();
        let teammate = self.waiting_teammates.first();
        let first = match self.lead_was_last {
            true => teammate.or(lead),
            false => lead.or(teammate),
        };
        first.map(|(_, ticket)| *ticket)
    }

    /// Whether this request begins. If not, it waits from now on, until it begins or leaves.
    pub(super) fn look(&mut self, ticket: Ticket, now: Instant) -> QueueStep {
        let Some(caller) = self.callers.get(&ticket) else {
            return QueueStep::Wait(None);
        };
        let (rank, place) = (caller.rank, caller.place);
        if let Some(end) = self.end_of_retries(caller, now) {
            self.stop_waiting(ticket);
            return QueueStep::GiveUp(end);
        }
        match rank {
            Rank::Lead => self.waiting_leads.insert((place, ticket)),
            Rank::Teammate => self.waiting_teammates.insert((place, ticket)),
        };
        if self.first() != Some(ticket) {
            return QueueStep::Wait(None);
        }
        match self.may_begin(now) {
            Admission::WhenOneEnds => return QueueStep::Wait(None),
            Admission::At(moment) => return QueueStep::Wait(Some(moment)),
            Admission::Now => {}
        }
        match self.probe(now) {
            Probe::Begins => {}
            Probe::Asks => return QueueStep::Claim,
            Probe::Waits(until) => return QueueStep::Wait(until),
        }
        self.stop_waiting(ticket);
        self.lead_was_last = rank == Rank::Lead;
        self.rate_limit.begun(now);
        let began = self.stamp();
        self.in_flight.add(began);
        QueueStep::Ask(began)
    }

    /// Whether a request that may begin does so: probing is one worker's.
    fn probe(&mut self, now: Instant) -> Probe {
        match self.health.has_failed(OWN_FAILURES) {
            true => self.probing.look(now),
            false => Probe::Begins,
        }
    }

    /// The server accepted a request: its answer comes, or it said why there is none.
    pub(super) fn accepted(&mut self, now: Instant) {
        self.accepted_at = Some((self.stamp(), now));
        let (in_flight, is_last) = (self.in_flight.count(), self.nobody_waits());
        let before = self.health.away_until();
        self.health.accepted(in_flight, is_last);
        self.publish_health(before, now);
        self.rate_limit.accepted(in_flight, is_last, now);
    }

    /// A try has ended.
    pub(super) fn ended(&mut self, began: BeginStamp) {
        self.in_flight.remove(began);
    }

    /// The server did not answer. Returns how long the next try waits at least, or that there is none.
    pub(super) fn failed(&mut self, tried: &Tried<'_>) -> Result<Pause, GaveUp> {
        let (began, now, stamp) = (tried.began, tried.now, self.stamp());
        self.in_flight.remove(began);
        let (limits, accepted_at) = (self.limits, self.accepted_at);
        let Some(caller) = self.callers.get_mut(&tried.ticket) else {
            return Ok(Pause::ForServer(Duration::ZERO));
        };
        let before = caller.trouble.map_or(began, |trouble| trouble.stamp);
        let is_own = accepted_at.is_some_and(|(at, _)| at > before);
        caller.meets_trouble(stamp, now);
        caller.place = stamp;
        let pause = if is_own {
            caller.failures += 1;
            Pause::ForItself(tried.failure.pause(limits, caller.failures))
        } else {
            let until = self.health.away_until();
            self.health
                .failed((began, stamp), tried.failure, limits, now);
            self.publish_health(until, now);
            Pause::ForServer(self.may_begin(now).pause(now))
        };
        self.unless_over(tried, pause)
    }

    /// A rate limit refused the request. Returns the same.
    pub(super) fn refused(&mut self, tried: &Tried<'_>) -> Result<Pause, GaveUp> {
        let (began, now, stamp) = (tried.began, tried.now, self.stamp());
        self.in_flight.remove(began);
        let left = self.in_flight.count();
        let until = self
            .rate_limit
            .refused((began, stamp), left, tried.failure, self.limits, now);
        self.publish_refused(until, now);
        if let Some(caller) = self.callers.get_mut(&tried.ticket) {
            caller.meets_trouble(stamp, now);
        }
        let pause = Pause::ForServer(self.may_begin(now).pause(now));
        self.unless_over(tried, pause)
    }

    fn may_begin(&self, now: Instant) -> Admission {
        let health = self.health.may_begin(&self.in_flight, now);
        health.max(self.rate_limit.may_begin(&self.in_flight, now))
    }

    fn nobody_waits(&self) -> bool {
        self.waiting_leads.is_empty() && self.waiting_teammates.is_empty()
    }

    fn stop_waiting(&mut self, ticket: Ticket) {
        if let Some(caller) = self.callers.get(&ticket) {
            self.waiting_leads.remove(&(caller.place, ticket));
            self.waiting_teammates.remove(&(caller.place, ticket));
        }
    }

    fn stamp(&mut self) -> BeginStamp {
        self.stamps += 1;
        BeginStamp(self.stamps)
    }
}

impl QueuedRequest {
    fn meets_trouble(&mut self, stamp: BeginStamp, now: Instant) {
        self.trouble
            .get_or_insert(ServerTrouble { stamp, since: now });
    }
}

#[cfg(test)]
mod tests;
