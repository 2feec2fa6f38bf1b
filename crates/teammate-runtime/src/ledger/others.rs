//! A worker's ledger and the other workers: it has the steward decide (`asking`), decides for others as the steward
//! (`answering`), and serves the machine of its own worker (`places`).

mod answering;
mod asking;
mod places;

use std::{collections::VecDeque, sync::Arc};

use teammate_core::{
    port::{Clock, FleetReply, Journal, JournalError, JournalRead},
    secrets::Secrets,
    team::{Placements, StewardTerm, TeamEvent},
};
use tokio::sync::mpsc;

pub(super) use self::answering::Asker;
pub(crate) use self::places::{PlaceLine, PlaceNews, PlaceOrders};
use self::{
    asking::StewardAsking,
    places::{Follower, ORDERS_MAX, PlaceOrder},
};
use super::{JournalDamage, Ledger, LedgerTask, NewsReceiver, Submission};
use crate::worker_role::WorkerRole;

/// The other workers of the team, as this worker's ledger knows them.
pub(crate) struct LedgerPeers {
    asking: StewardAsking,
    places: mpsc::Receiver<PlaceOrder>,
    /// The worker's machine, once it follows placements.
    follower: Option<Follower>,
}

/// Something that comes from others.
pub(super) enum FromOthers {
    Order(PlaceOrder),
    Reply(FleetReply),
}

impl LedgerPeers {
    /// Those of a worker, and where its machine gives orders.
    pub(crate) fn of(role: &WorkerRole) -> (Self, PlaceOrders) {
        let (orders, places) = mpsc::channel(ORDERS_MAX);
        let others = Self {
            asking: StewardAsking::of(role),
            places,
            follower: None,
        };
        (others, PlaceOrders(orders))
    }

    /// The next news from others; never, where there are none. May be given up and called again.
    pub(super) async fn next(others: &mut Option<Self>) -> FromOthers {
        let Some(others) = others else {
            return std::future::pending().await;
        };
        tokio::select! {
            biased;
            Some(order) = others.places.recv() => FromOthers::Order(order),
            reply = others.asking.reply() => FromOthers::Reply(reply),
        }
    }

    /// Whether something was asked and is not answered.
    pub(super) fn has_question(&self) -> bool {
        self.asking.has_question()
    }

    /// The steward, if it is another worker that can be asked.
    pub(super) fn decider(&self, places: &Placements) -> Option<StewardTerm> {
        self.asking.decider(places)
    }

    /// Asks the steward for what waits, as much as one question holds. A command that no question holds is given back.
    pub(super) fn ask(
        &mut self,
        steward: StewardTerm,
        journal: u64,
        waiting: &mut VecDeque<Submission>,
    ) -> Option<Submission> {
        self.asking.ask(steward, journal, waiting)
    }

    /// Hands what these records change of placements to the machine, before readers see it. `own` are the events of the last
    /// record of a journal of this length, if it is this process's.
    pub(super) fn publish(
        &mut self,
        read: &JournalRead,
        (journal, length): (&dyn Journal, u64),
        own: &[&TeamEvent],
    ) {
        if let Some(follower) = &mut self.follower {
            follower.publish(read, (journal, length), own);
        }
    }

    /// Answers callers whose commands these records list; whether there are any.
    pub(super) fn read(&mut self, read: &JournalRead) -> bool {
        self.asking.read(&read.records)
    }
}

impl LedgerTask {
    /// Takes what has come from others.
    pub(super) async fn hear_others(&mut self, said: FromOthers) {
        match said {
            FromOthers::Order(order) => self.place(order).await,
            FromOthers::Reply(reply) => self.settle(reply).await,
        }
    }

    fn asking(&mut self) -> Option<&mut StewardAsking> {
        self.others.as_mut().map(|others| &mut others.asking)
    }
}

impl Ledger {
    /// Opens the ledger of one of several workers: it has the steward decide. What is decided for this process holds none of
    /// these secrets.
    pub async fn open_as(
        journal: Arc<dyn Journal>,
        clock: Arc<dyn Clock>,
        role: &WorkerRole,
        secrets: Arc<Secrets>,
    ) -> Result<(Self, NewsReceiver, JournalDamage), JournalError> {
        let (others, _) = LedgerPeers::of(role);
        Self::open_with(journal, clock, secrets, Some(others)).await
    }
}
