//! One governor for all requests that share rate limits: one queue for each endpoint and key. A member that wants to ask a
//! model takes a place in the queue and waits for its turn.
//!
//! [`queue`] decides, without waiting and without a clock: [`health`] knows whether the server answers, [`rate_limit`] how much
//! it takes. This file waits. Nothing polls: the first in the queue sleeps until its turn or until it is woken, all others
//! sleep until they are first.

mod health;
mod in_flight;
mod queue;
mod rate_limit;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

pub(crate) use self::{
    health::Failure,
    queue::{GaveUp, Rank},
};
use self::{
    in_flight::{Pause, Stamp},
    queue::{Queue, Ticket, Tried, Turn},
};
use crate::config::RetryLimits;

/// All queues.
pub(crate) struct Governor {
    limits: RetryLimits,
    queues: Mutex<HashMap<String, SharedQueue>>,
}

/// A queue, and how to wake those in it.
struct SharedQueue {
    queue: Queue,
    wakers: HashMap<Ticket, Arc<Notify>>,
}

/// A place in a queue, for all tries of one request. Dropped when there is an answer, or none is wanted any more.
pub(crate) struct Place<'a> {
    governor: &'a Governor,
    key: &'a str,
    ticket: Ticket,
    waker: Arc<Notify>,
    rests_until: Option<Instant>,
}

/// Leave to ask once. Ended by [`Permit::answered`], [`Permit::failed`] or [`Permit::refused`]; dropping it (the request was
/// cancelled) says nothing about the server.
pub(crate) struct Permit<'a> {
    governor: &'a Governor,
    key: &'a str,
    began: Stamp,
    is_accepted: bool,
}

impl Governor {
    pub(crate) fn new(limits: RetryLimits) -> Self {
        Self {
            limits,
            queues: Mutex::default(),
        }
    }

    /// Takes a place in the queue of this endpoint and key.
    /// `within`: for so long at most, if that is less than the settings say.
    pub(crate) fn place<'a>(
        &'a self,
        key: &'a str,
        rank: Rank,
        within: Option<Duration>,
    ) -> Place<'a> {
        let waker = Arc::<Notify>::default();
        let ticket = self.with(key, |shared| {
            let ticket = shared.queue.enter(rank, within, Instant::now());
            shared.wakers.insert(ticket, waker.clone());
            ticket
        });
        Place {
            governor: self,
            key,
            ticket,
            waker,
            rests_until: None,
        }
    }

    /// Changes a queue, and wakes the one that is first in it then.
    fn change<T>(&self, key: &str, act: impl FnOnce(&mut Queue) -> T) -> T {
        self.with(key, |shared| {
            let done = act(&mut shared.queue);
            shared.wake_first();
            done
        })
    }

    fn with<T>(&self, key: &str, act: impl FnOnce(&mut SharedQueue) -> T) -> T {
        let mut queues = self.queues.lock().unwrap_or_else(PoisonError::into_inner);
        act(queues.entry(key.to_owned()).or_insert_with(|| SharedQueue {
            queue: Queue::new(self.limits),
            wakers: HashMap::new(),
        }))
    }
}

impl SharedQueue {
    fn wake_first(&self) {
        let first = self.queue.first();
        if let Some(waker) = first.and_then(|first| self.wakers.get(&first)) {
            waker.notify_one();
        }
    }

    /// Whether this one may ask. If so, the next one is woken.
    fn look(&mut self, ticket: Ticket) -> Turn {
        let turn = self.queue.look(ticket, Instant::now());
        match turn {
            Turn::Ask(_) => self.wake_first(),
            // Nothing has changed; one that gives up drops its place.
            Turn::Wait(_) | Turn::GiveUp(_) => {}
        }
        turn
    }
}

impl<'a> Place<'a> {
    /// Waits for the turn to ask, or until the server has been tried for too long.
    pub(crate) async fn permit(&mut self) -> Result<Permit<'a>, GaveUp> {
        if let Some(moment) = self.rests_until.take() {
            tokio::time::sleep_until(moment).await;
        }
        loop {
            let look = |shared: &mut SharedQueue| shared.look(self.ticket);
            let until = match self.governor.with(self.key, look) {
                Turn::Ask(began) => {
                    return Ok(Permit {
                        governor: self.governor,
                        key: self.key,
                        began,
                        is_accepted: false,
                    });
                }
                Turn::GiveUp(end) => return Err(end),
                Turn::Wait(until) => until,
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

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.governor.with(self.key, |shared| {
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
            self.governor
                .change(self.key, |queue| queue.accepted(Instant::now()));
        }
    }

    /// The server did not answer: `place` tries it again. Returns how long the next try waits at least.
    pub(crate) fn failed(
        self,
        place: &mut Place<'_>,
        failure: &Failure<'_>,
    ) -> Result<Duration, GaveUp> {
        self.try_again(place, failure, Queue::failed)
    }

    /// The server refused the request as one too many: as [`Permit::failed`], at another pace.
    pub(crate) fn refused(
        self,
        place: &mut Place<'_>,
        failure: &Failure<'_>,
    ) -> Result<Duration, GaveUp> {
        self.try_again(place, failure, Queue::refused)
    }

    fn try_again(
        self,
        place: &mut Place<'_>,
        failure: &Failure<'_>,
        act: fn(&mut Queue, &Tried<'_>) -> Result<Pause, GaveUp>,
    ) -> Result<Duration, GaveUp> {
        let tried = Tried {
            ticket: place.ticket,
            began: self.began,
            failure,
            now: Instant::now(),
        };
        let pause = self.governor.change(self.key, |queue| act(queue, &tried))?;
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
        self.governor
            .change(self.key, |queue| queue.ended(self.began));
    }
}
