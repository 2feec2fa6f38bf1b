//! Requests of a worker's machine to the ledger: to append what it decided itself, and to hear what records change of
//! placements.

use teammate_core::{
    port::JournalRead,
    team::{PlaceChange, PlaceEvent, Placements, TeamEvent},
};
use teammate_fleet::AppendOutcome;
use tokio::sync::{mpsc, oneshot};

use super::{Ledger, task::LedgerTask};

/// How many orders of the worker's machine may wait. It is one machine, with an append or two under way; more wait for the
/// ledger, which never waits for the machine.
pub(super) const ORDERS_MAX: usize = 64;

/// A record that changes placements.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct PlaceLine {
    /// Its place in the journal.
    pub(crate) number: u64,
    /// The changes of placements.
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
pub(super) enum PlaceOrder {
    Append {
        expects: u64,
        events: Vec<PlaceEvent>,
        reply: oneshot::Sender<AppendOutcome>,
    },
    Follow(oneshot::Sender<PlaceNews>),
}

impl Ledger {
    /// Appends these events as one record, if the journal has `expects` records, or more of which none changed placements.
    pub(crate) async fn append_places(
        &self,
        expects: u64,
        events: Vec<PlaceEvent>,
    ) -> AppendOutcome {
        let (reply, outcome) = oneshot::channel();
        let append = PlaceOrder::Append {
            expects,
            events,
            reply,
        };
        // A ledger that is closed appends nothing more.
        let _ = self.places.send(append).await;
        outcome.await.unwrap_or(AppendOutcome::Silence)
    }

    /// Follows the news of placements from now on. `None` if the ledger is closed.
    pub(crate) async fn follow_places(&self) -> Option<PlaceNews> {
        let (reply, news) = oneshot::channel();
        self.places.send(PlaceOrder::Follow(reply)).await.ok()?;
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
                self.follower = Some(Follower {
                    lines: sender,
                    changed_at: self.fold.length(),
                });
                let _ = reply.send(PlaceNews {
                    length: self.fold.length(),
                    placements: self.fold.team().places().clone(),
                    lines,
                });
            }
        }
    }

    async fn append_places(&mut self, expects: u64, events: Vec<PlaceEvent>) -> AppendOutcome {
        let events: Vec<TeamEvent> = events.into_iter().map(TeamEvent::Place).collect();
        let changed_at = self.follower.as_ref().map(|follower| follower.changed_at);
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

    /// Hands what these records change to the machine; `own` is the last record, if it is this process's.
    pub(super) fn publish_places(&mut self, others: &JournalRead, own: &[&TeamEvent]) {
        let Some(follower) = &mut self.follower else {
            return;
        };
        let mut publish = |number: u64, changes: Vec<PlaceChange>| {
            if !changes.is_empty() {
                follower.changed_at = number + 1;
                // The machine may have ended.
                let _ = follower.lines.send(PlaceLine { number, changes });
            }
        };
        for record in &others.records {
            let changes = record.events.iter();
            let changes = changes.filter_map(|event| PlaceChange::of(&record.writer, event));
            publish(record.number, changes.collect());
        }
        if !own.is_empty() {
            let writer = self.journal.writer();
            let changes = own
                .iter()
                .filter_map(|event| PlaceChange::of(&writer, event));
            publish(self.fold.length() - 1, changes.collect());
        }
    }
}
