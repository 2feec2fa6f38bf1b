//! Orders of the user that only the process can carry out that runs the team, as a fold over the journal. Any process of the
//! user may give one. The host carries it out once and records how it ended; one that it finds when it opens the team is of a
//! run that has ended, and is dropped.

use std::collections::{BTreeMap, BTreeSet};

use super::order::ORDERS_OPEN_MAX;
use crate::{
    MessageId,
    cause::Cause,
    id::OrderId,
    team::{Decision, Durability, OrderEnd, TeamEvent, TeamRefusal, TeamState, UserOrder},
};

/// How many orders that have ended are remembered, for those who gave them.
const ENDED_KEPT: usize = 64;

/// An order, as of some length of the journal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GivenOrder {
    pub id: OrderId,
    pub order: UserOrder,
    /// By which act of the user.
    pub call: Cause,
    /// How it ended, if it has.
    pub end: Option<OrderEnd>,
}

/// All orders that are open, the last that have ended, and the mail that was taken back.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Orders {
    last: u32,
    given: BTreeMap<OrderId, GivenOrder>,
    /// Has no bound: one id for each mail that a person took back.
    recalled: BTreeSet<MessageId>,
}

impl Orders {
    /// An order by its id.
    pub fn get(&self, id: OrderId) -> Option<&GivenOrder> {
        self.given.get(&id)
    }

    /// The order that this act gave.
    pub fn given_by(&self, call: &Cause) -> Option<&GivenOrder> {
        self.given.values().find(|given| given.call == *call)
    }

    /// Those that have not ended, in the order in which they were given.
    pub fn open(&self) -> impl Iterator<Item = &GivenOrder> {
        self.given.values().filter(|given| given.end.is_none())
    }

    /// The open order to judge this mail.
    pub fn judging(&self, mail: &MessageId) -> Option<OrderId> {
        let is_it = |given: &&GivenOrder| match &given.order {
            UserOrder::Judge { mail: judged, .. } => judged == mail,
            UserOrder::Interrupt { .. }
            | UserOrder::Compact { .. }
            | UserOrder::Recall { .. }
            | UserOrder::Mode { .. }
            | UserOrder::Clear
            | UserOrder::Complete { .. } => false,
        };
        self.open().find(is_it).map(|given| given.id)
    }

    /// Whether the user has taken back this mail: no member hears it.
    pub fn is_recalled(&self, mail: &MessageId) -> bool {
        self.recalled.contains(mail)
    }

    pub(super) fn give(&mut self, id: OrderId, order: &UserOrder, call: &Cause) {
        self.last = self.last.max(id.number());
        let given = GivenOrder {
            id,
            order: order.clone(),
            call: call.clone(),
            end: None,
        };
        self.given.insert(id, given);
    }

    /// Ends an order; one that has ended stays as it is.
    pub(super) fn end(&mut self, id: OrderId, end: &OrderEnd) {
        let Some(given) = self.given.get_mut(&id).filter(|given| given.end.is_none()) else {
            return;
        };
        given.end = Some(end.clone());
        if let (UserOrder::Recall { mail, .. }, OrderEnd::Done) = (&given.order, end) {
            self.recalled.insert(mail.clone());
        }
        let ended = || self.given.values().filter(|given| given.end.is_some());
        let oldest = ended().map(|given| given.id).next();
        if let Some(oldest) = oldest.filter(|_| ended().count() > ENDED_KEPT) {
            self.given.remove(&oldest);
        }
    }
}

impl TeamState {
    /// The user's orders to the process that runs the team.
    pub fn orders(&self) -> &Orders {
        &self.orders
    }

    pub(super) fn give_order(
        &self,
        order: &UserOrder,
        call: &Cause,
    ) -> Result<Decision, TeamRefusal> {
        if self.orders.given_by(call).is_some() {
            return Ok(decided(None));
        }
        if let Some(name) = order.member() {
            let member = self.member(name);
            let member = member.ok_or_else(|| TeamRefusal::Unknown(name.clone()))?;
            member.must_run()?;
        }
        if self.orders.open().count() >= ORDERS_OPEN_MAX {
            return Err(TeamRefusal::TooManyOrders);
        }
        Ok(decided(Some(TeamEvent::Ordered {
            id: OrderId::new(self.orders.last + 1),
            order: order.clone(),
            call: call.clone(),
        })))
    }

    pub(super) fn end_order(&self, id: OrderId, end: &OrderEnd) -> Decision {
        let known = self.orders.get(id);
        let is_open = known.is_some_and(|given| given.end.is_none());
        let ended = TeamEvent::OrderEnded {
            id,
            end: end.clone(),
        };
        decided(is_open.then_some(ended))
    }
}

/// Synced: an id must not be used twice, and what was carried out is not carried out again.
fn decided(event: Option<TeamEvent>) -> Decision {
    Decision {
        events: event.into_iter().collect(),
        durability: Durability::Synced,
    }
}

#[cfg(test)]
mod tests;
