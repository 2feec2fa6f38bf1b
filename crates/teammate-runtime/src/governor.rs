//! One governor for everything that shares rate limits: an endpoint and key. Whoever wants to ask takes a place in the line
//! in front of it and waits for its turn.
//!
//! [`line`] decides, without waiting and without a clock: [`health`] knows whether the server is there, [`pace`] how much it
//! takes. Here is what waits. Nothing polls: whoever is first in the line sleeps until its turn or is called, all others sleep
//! until they are first.

mod health;
mod in_flight;
mod line;
mod pace;

use std::{
    collections::HashMap,
    sync::{Arc, Mutex, PoisonError},
    time::Duration,
};

use tokio::{sync::Notify, time::Instant};

pub(crate) use self::line::{GaveUp, Rank};
use self::{
    health::Failure,
    in_flight::Stamp,
    line::{Line, Pause, Ticket, Turn},
};
use crate::config::RetryLimits;

/// All lines.
pub(crate) struct Governor {
    limits: RetryLimits,
    counters: Mutex<HashMap<String, Counter>>,
}

/// A line, and how to call those in it.
struct Counter {
    line: Line,
    bells: HashMap<Ticket, Arc<Notify>>,
}

/// A place in a line, for all tries of one request. Dropped when there is an answer, or none is wanted any more.
pub(crate) struct Place<'a> {
    governor: &'a Governor,
    key: &'a str,
    ticket: Ticket,
    bell: Arc<Notify>,
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
            counters: Mutex::default(),
        }
    }

    /// Takes a place in the line of this endpoint and key.
    pub(crate) fn place<'a>(&'a self, key: &'a str, rank: Rank) -> Place<'a> {
        let bell = Arc::<Notify>::default();
        let ticket = self.with(key, |counter| {
            let ticket = counter.line.enter(rank, Instant::now());
            counter.bells.insert(ticket, bell.clone());
            ticket
        });
        Place {
            governor: self,
            key,
            ticket,
            bell,
            rests_until: None,
        }
    }

    /// Something happens to a line; whoever is first in it then is called to look.
    fn change<T>(&self, key: &str, act: impl FnOnce(&mut Line) -> T) -> T {
        self.with(key, |counter| {
            let done = act(&mut counter.line);
            counter.call_first();
            done
        })
    }

    fn with<T>(&self, key: &str, act: impl FnOnce(&mut Counter) -> T) -> T {
        let mut counters = self.counters.lock().unwrap_or_else(PoisonError::into_inner);
        act(counters.entry(key.to_owned()).or_insert_with(|| Counter {
            line: Line::new(self.limits),
            bells: HashMap::new(),
        }))
    }
}

impl Counter {
    fn call_first(&self) {
        let first = self.line.first();
        if let Some(bell) = first.and_then(|first| self.bells.get(&first)) {
            bell.notify_one();
        }
    }

    /// Looks for one in the line. If it may ask, the next one is called.
    fn look(&mut self, ticket: Ticket) -> Turn {
        let turn = self.line.look(ticket, Instant::now());
        match turn {
            Turn::Ask(_) => self.call_first(),
            // Nothing has changed; whoever gives up leaves the line.
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
            let look = |counter: &mut Counter| counter.look(self.ticket);
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
                () = self.bell.notified() => {}
            }
        }
    }
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.governor.with(self.key, |counter| {
            counter.line.leave(self.ticket);
            counter.bells.remove(&self.ticket);
            counter.call_first();
        });
    }
}

impl Permit<'_> {
    /// The server accepted the request: its answer begins.
    pub(crate) fn accepted(&mut self) {
        if !std::mem::replace(&mut self.is_accepted, true) {
            self.governor
                .change(self.key, |line| line.accepted(Instant::now()));
        }
    }

    /// The server did not answer: `place` tries it again. `after` is what the server asked for, `chance` a random number in
    /// 0..=1. Returns how long the next try waits at least.
    pub(crate) fn failed(
        self,
        place: &mut Place<'_>,
        why: &str,
        after: Option<Duration>,
        chance: f64,
    ) -> Result<Duration, GaveUp> {
        let failure = Failure::new(why, after, chance);
        let (ticket, began) = (place.ticket, self.began);
        let act = |line: &mut Line| line.failed(ticket, began, &failure, Instant::now());
        let pause = self.governor.change(self.key, act)?;
        if let Pause::Alone(pause) = pause {
            place.rests_until = Some(Instant::now() + pause);
        }
        Ok(pause.time())
    }

    /// The server refused the request as one too many: as [`Permit::failed`], at another pace.
    pub(crate) fn refused(
        self,
        place: &mut Place<'_>,
        why: &str,
        after: Option<Duration>,
        chance: f64,
    ) -> Result<Duration, GaveUp> {
        let failure = Failure::new(why, after, chance);
        let (ticket, began) = (place.ticket, self.began);
        let act = |line: &mut Line| line.refused(ticket, began, &failure, Instant::now());
        let pause = self.governor.change(self.key, act)?;
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
            .change(self.key, |line| line.ended(self.began));
    }
}
