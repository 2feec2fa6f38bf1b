//! The queues of all servers, each under the lock for as long as it decides.

use std::{
    collections::HashMap,
    sync::{Arc, Mutex},
};

use teammate_core::{
    lock::Hold,
    port::{HeardNews, ServerKey, ServerNews},
};
use tokio::{
    sync::{Notify, mpsc},
    time::Instant,
};

use super::{
    probing::Probing,
    queue::{Queue, QueueStep, Ticket},
};
use crate::config::RetryLimits;

/// The most servers of which is kept what others tell before anybody here asks them.
const HEARD_OF_MAX: usize = 256;

pub(super) struct Queues {
    limits: RetryLimits,
    queues: Mutex<HashMap<ServerKey, SharedQueue>>,
    /// Takes what there is room for: what comes of a decision does not wait.
    told: Option<mpsc::Sender<HeardNews>>,
}

/// A queue, and how to wake those in it.
pub(super) struct SharedQueue {
    pub(super) queue: Queue,
    pub(super) wakers: HashMap<Ticket, Arc<Notify>>,
}

impl Queues {
    /// None yet. `told` takes what other workers are to know, if there are any.
    pub(super) fn new(limits: RetryLimits, told: Option<mpsc::Sender<HeardNews>>) -> Self {
        Self {
            limits,
            queues: Mutex::default(),
            told,
        }
    }

    /// Changes a queue, wakes the one that is first in it then, and tells other workers what they are to know.
    pub(super) fn change<T>(&self, key: &ServerKey, act: impl FnOnce(&mut Queue) -> T) -> T {
        let (done, news) = self.with(key, |shared| {
            let done = act(&mut shared.queue);
            shared.wake_first();
            (done, shared.queue.take_news())
        });
        if let Some((told, news)) = self.told.as_ref().zip(news) {
            let server = key.clone();
            // The way to the others may have ended, or be far behind.
            let _ = told.try_send(HeardNews { server, news });
        }
        done
    }

    /// Takes what another worker tells. It may be of a server that nobody here has asked yet.
    pub(super) fn hear(&self, server: &ServerKey, news: ServerNews) {
        let queues = self.queues.hold();
        let is_for_us = queues.contains_key(server) || queues.len() < HEARD_OF_MAX;
        drop(queues);
        if is_for_us {
            self.change(server, |queue| queue.hear(news, Instant::now()));
        }
    }

    pub(super) fn with<T>(&self, key: &ServerKey, act: impl FnOnce(&mut SharedQueue) -> T) -> T {
        let probing = match self.told {
            Some(_) => Probing::Open,
            None => Probing::Alone,
        };
        let mut queues = self.queues.hold();
        act(queues.entry(key.clone()).or_insert_with(|| SharedQueue {
            queue: Queue::new(self.limits, probing),
            wakers: HashMap::new(),
        }))
    }
}

impl SharedQueue {
    pub(super) fn wake_first(&self) {
        let first = self.queue.first();
        if let Some(waker) = first.and_then(|first| self.wakers.get(&first)) {
            waker.notify_one();
        }
    }

    /// Whether this one may ask. If so, the next one is woken.
    pub(super) fn look(&mut self, ticket: Ticket) -> QueueStep {
        let turn = self.queue.look(ticket, Instant::now());
        match turn {
            QueueStep::Ask(_) => self.wake_first(),
            // Nothing has changed; one that gives up drops its place.
            QueueStep::Wait(_) | QueueStep::Claim | QueueStep::GiveUp(_) => {}
        }
        turn
    }
}
