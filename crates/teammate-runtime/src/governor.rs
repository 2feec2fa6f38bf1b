//! One governor for all requests that share rate limits: one queue for each endpoint and key. A member that wants to ask a
//! model takes a place in the queue and waits for its turn.
//!
//! [`queue`] decides, without waiting and without a clock: [`health`] knows whether the server answers, [`rate_limit`] how much
//! it takes, [`probing`] which worker tries it while it is away. [`others`] is the way to other workers. This file waits. Nothing polls: the first in the queue sleeps until its turn or until it is woken, all others
//! sleep until they are first.

mod health;
mod in_flight;
mod others;
mod probing;
mod queue;
mod queues;
mod rate_limit;

use std::{sync::Arc, time::Duration};

use teammate_core::port::{Governors, ServerKey};
use tokio::{
    sync::{Notify, mpsc},
    time::Instant,
};

pub(crate) use self::{
    health::UnansweredRequest,
    queue::{GaveUp, Rank},
};
use self::{
    in_flight::{BeginStamp, Pause},
    others::OtherGovernors,
    queue::{Queue, QueueStep, Ticket, Tried},
    queues::{Queues, SharedQueue},
};
use crate::config::RetryLimits;

/// How many news for other workers may wait to be sent. More are lost: each worker finds out by itself what it was not told.
const NEWS_MAX: usize = 256;

/// Decides which request goes next to a model server, for all that share a key: all queues, and the way to other workers where there are any.
pub(crate) struct Governor {
    queues: Arc<Queues>,
    others: Option<OtherGovernors>,
}

/// A place in a queue, for all tries of one request. Dropped when there is an answer, or none is wanted any more.
pub(crate) struct QueuePlace<'a> {
    governor: &'a Governor,
    key: &'a ServerKey,
    ticket: Ticket,
    waker: Arc<Notify>,
    rests_until: Option<Instant>,
}

/// Leave to ask once. Ended by [`Permit::answered`], [`Permit::failed`] or [`Permit::refused`]; dropping it (the request was
/// cancelled) says nothing about the server.
pub(crate) struct Permit<'a> {
    queues: &'a Queues,
    key: &'a ServerKey,
    began: BeginStamp,
    is_accepted: bool,
}

impl Governor {
    /// `wire`: to the other workers, if there are any.
    pub(crate) fn new(limits: RetryLimits, wire: Option<Arc<dyn Governors>>) -> Self {
        let (told, to_send) = mpsc::channel(NEWS_MAX);
        let queues = Arc::new(Queues::new(limits, wire.is_some().then_some(told)));
        let others = wire.map(|wire| OtherGovernors::begin(wire, queues.clone(), to_send));
        Self { queues, others }
    }

    /// The name of the queue of this endpoint and key.
    pub(crate) fn server_key(&self, rate_limit_key: &str) -> ServerKey {
        match &self.others {
            Some(others) => others.server_key(rate_limit_key),
            None => ServerKey::new(rate_limit_key),
        }
    }

    /// Takes a place in the queue of this endpoint and key.
    /// `within`: for so long at most, if that is less than the settings say.
    pub(crate) fn place<'a>(
        &'a self,
        key: &'a ServerKey,
        rank: Rank,
        within: Option<Duration>,
    ) -> QueuePlace<'a> {
        let waker = Arc::<Notify>::default();
        let ticket = self.queues.with(key, |shared| {
            let ticket = shared.queue.enter(rank, within, Instant::now());
            shared.wakers.insert(ticket, waker.clone());
            ticket
        });
        QueuePlace {
            governor: self,
            key,
            ticket,
            waker,
            rests_until: None,
        }
    }
}

impl<'a> QueuePlace<'a> {
    /// Waits for the turn to ask, or until the server has been tried for too long.
    pub(crate) async fn permit(&mut self) -> Result<Permit<'a>, GaveUp> {
        if let Some(moment) = self.rests_until.take() {
            tokio::time::sleep_until(moment).await;
        }
        loop {
            let look = |shared: &mut SharedQueue| shared.look(self.ticket);
            let until = match self.governor.queues.with(self.key, look) {
                QueueStep::Ask(began) => {
                    return Ok(Permit {
                        queues: &self.governor.queues,
                        key: self.key,
                        began,
                        is_accepted: false,
                    });
                }
                QueueStep::GiveUp(end) => return Err(end),
                QueueStep::Wait(until) => until,
                QueueStep::Claim => {
                    if let Some(others) = &self.governor.others {
                        others.claim(self.key);
                    }
                    None
                }
            };
            let alarm = async {
                match until {
                    Some(moment) => tokio::time::sleep_until(moment).await,
                    None => std::future::pending().await,
                }
            };
            tokio::select! {
                () = alarm => {}
                () = self.waker.notified() => {}
            }
        }
    }
}

impl Drop for QueuePlace<'_> {
    fn drop(&mut self) {
        self.governor.queues.with(self.key, |shared| {
            shared.queue.leave(self.ticket);
            shared.wakers.remove(&self.ticket);
            shared.wake_first();
        });
    }
}

impl Permit<'_> {
    /// The server accepted the request: its answer begins.
    pub(crate) fn accepted(&mut self) {
        if !std::mem::replace(&mut self.is_accepted, true) {
            self.queues
                .change(self.key, |queue| queue.accepted(Instant::now()));
        }
    }

    /// The server did not answer: `place` tries it again. Returns how long the next try waits at least.
    pub(crate) fn failed(
        self,
        place: &mut QueuePlace<'_>,
        failure: &UnansweredRequest<'_>,
    ) -> Result<Duration, GaveUp> {
        self.try_again(place, failure, Queue::failed)
    }

    /// The server refused the request as one too many: as [`Permit::failed`], at another pace.
    pub(crate) fn refused(
        self,
        place: &mut QueuePlace<'_>,
        failure: &UnansweredRequest<'_>,
    ) -> Result<Duration, GaveUp> {
        self.try_again(place, failure, Queue::refused)
    }

    fn try_again(
        self,
        place: &mut QueuePlace<'_>,
        failure: &UnansweredRequest<'_>,
        act: fn(&mut Queue, &Tried<'_>) -> Result<Pause, GaveUp>,
    ) -> Result<Duration, GaveUp> {
        let tried = Tried {
            ticket: place.ticket,
            began: self.began,
            failure,
            now: Instant::now(),
        };
        let pause = self.queues.change(self.key, |queue| act(queue, &tried))?;
        if let Pause::ForItself(pause) = pause {
            place.rests_until = Some(tried.now + pause);
        }
        Ok(pause.time())
    }

    /// The server answered, be it that it cannot do what was asked.
    pub(crate) fn answered(mut self) {
        self.accepted();
    }
}

impl Drop for Permit<'_> {
    fn drop(&mut self) {
        self.queues
            .change(self.key, |queue| queue.ended(self.began));
    }
}
