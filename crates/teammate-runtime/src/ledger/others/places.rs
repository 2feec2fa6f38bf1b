//! Requests of a worker's machine to the ledger: to append what it decided itself, and to hear what records change of
//! placements.

use teammate_core::{
    port::{Journal, JournalRead},
    team::{PlaceChange, PlaceEvent, Placements, TeamEvent},
};
use teammate_fleet::AppendOutcome;
use tokio::sync::{mpsc, oneshot};

use crate::ledger::LedgerTask;

/// How many orders of the worker's machine may wait. It is one machine, with an append or two under way; more wait for the
/// ledger, which never waits for the machine.
pub(super) const ORDERS_MAX: usize = 64;

/// A record that changes placements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlaceLine {
    /// Its place in the journal.
    pub(crate) number: u64,
    pub(crate) changes: Vec<PlaceChange>,
}

/// The journal as far as it is about placements, from one moment on.
pub(crate) struct PlaceNews {
    /// How many records there were.
    pub(crate) length: u64,
    pub(crate) placements: Placements,
    /// The new lines, in order. A line is here before the ledger's length counts it.
    pub(crate) lines: mpsc::UnboundedReceiver<PlaceLine>,
}

/// A machine that follows placements.
pub(super) struct Follower {
    /// Without a bound: the machine waits for the ledger, so the ledger never waits for it; and a machine that misses a line would
    /// believe that it holds whom it does not. A line is a change of who runs a member, and the machine reads them at each step.
    lines: mpsc::UnboundedSender<PlaceLine>,
    /// How long the journal was with the last record that changed placements.
    changed_at: u64,
}

/// Something that a machine asks.
pub(in crate::ledger) enum PlaceOrder {
    Append {
        expects: u64,
        events: Vec<PlaceEvent>,
        reply: oneshot::Sender<AppendOutcome>,
    },
    Follow(oneshot::Sender<PlaceNews>),
}

/// Where a worker's machine gives its orders.
#[derive(Clone)]
pub(crate) struct PlaceOrders(pub(super) mpsc::Sender<PlaceOrder>);

impl PlaceOrders {
    /// Appends these events as one record, if the journal has `expects` records, or more of which none changed placements.
    pub(crate) async fn append(&self, expects: u64, events: Vec<PlaceEvent>) -> AppendOutcome {
        let (reply, outcome) = oneshot::channel();
        let append = PlaceOrder::Append {
            expects,
            events,
            reply,
        };
        // A ledger that is closed appends nothing more.
        let _ = self.0.send(append).await;
        outcome.await.unwrap_or(AppendOutcome::Silence)
    }

    /// Follows the news of placements from now on. `None` if the ledger is closed.
    pub(crate) async fn follow(&self) -> Option<PlaceNews> {
        let (reply, news) = oneshot::channel();
        self.0.send(PlaceOrder::Follow(reply)).await.ok()?;
        news.await.ok()
    }
}

impl LedgerTask {
    pub(super) async fn place(&mut self, order: PlaceOrder) {
        match order {
            PlaceOrder::Append {
                expects,
                events,
                reply,
            } => {
                let outcome = self.append_places(expects, events).await;
                // The machine may have ended.
                let _ = reply.send(outcome);
            }
            PlaceOrder::Follow(reply) => {
                #[expect(clippy::disallowed_methods, reason = "said at its field")]
                let (sender, lines) = mpsc::unbounded_channel();
                let length = self.fold.length();
                if let Some(others) = &mut self.others {
                    others.follower = Some(Follower {
                        lines: sender,
                        changed_at: length,
                    });
                }
                let _ = reply.send(PlaceNews {
                    length,
                    placements: self.fold.team().places().clone(),
                    lines,
                });
            }
        }
    }

    async fn append_places(&mut self, expects: u64, events: Vec<PlaceEvent>) -> AppendOutcome {
        let events: Vec<TeamEvent> = events.into_iter().map(TeamEvent::Place).collect();
        let follower = self
            .others
            .as_ref()
            .and_then(|others| others.follower.as_ref());
        let changed_at = follower.map(|follower| follower.changed_at);
        // What has come since the machine read is about something else.
        let is_current = changed_at.is_some_and(|changed_at| expects >= changed_at);
        let expects = if is_current {
            expects.max(self.fold.length())
        } else {
            expects
        };
        let append = (expects, events.clone());
        let (others, appended) = self
            .fold
            .append_at(&*self.journal, &*self.clock, append)
            .await;
        let own = match appended {
            Ok(true) => events.iter().collect(),
            Ok(false) | Err(_) => Vec::new(),
        };
        self.show(&others, &own);
        self.publish(own.into_iter());
        match appended {
            Ok(true) => AppendOutcome::Stored { at: expects },
            Ok(false) => AppendOutcome::Conflict,
            Err(_) => AppendOutcome::Silence,
        }
    }
}

impl Follower {
    /// Hands what these records change to the machine; `own` is the last record of a journal of this length, if it is this
    /// process's.
    pub(super) fn publish(
        &mut self,
        others: &JournalRead,
        (journal, length): (&dyn Journal, u64),
        own: &[&TeamEvent],
    ) {
        let mut publish = |number: u64, changes: Vec<PlaceChange>| {
            if !changes.is_empty() {
                self.changed_at = number + 1;
                // The machine may have ended.
                let _ = self.lines.send(PlaceLine { number, changes });
            }
        };
        for record in &others.records {
            let changes = record.events.iter();
            let changes = changes.filter_map(|event| PlaceChange::of(&record.writer, event));
            publish(record.number, changes.collect());
        }
        if !own.is_empty() {
            let writer = journal.writer();
            let changes = own
                .iter()
                .filter_map(|event| PlaceChange::of(&writer, event));
            publish(length - 1, changes.collect());
        }
    }
}
