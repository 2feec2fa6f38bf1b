//! The holder of a member whose work is carried, and the port that carries it.

use std::sync::Arc;

use teammate_core::{
    MemberName,
    port::{WorkOf, WorkTransfer},
    team::{Delivery, Holding},
};

use crate::base::Base;

/// By what right a member's work is carried, and by what.
pub(super) struct Carried {
    pub(super) transfer: Arc<dyn WorkTransfer>,
    pub(super) holding: Holding,
    pub(super) delivered: Option<Delivery>,
}

impl Carried {
    /// Nothing where no worker holds the member.
    pub(super) fn of(base: &Base, member: &MemberName) -> Option<Self> {
        let transfer = base.ports.transfer.clone()?;
        let team = base.ledger.team();
        let placement = team.places().placement(member)?;
        let holding = Holding {
            member: member.clone(),
            worker: placement.worker.clone()?,
            term: placement.term,
        };
        Some(Self {
            transfer,
            holding,
            delivered: placement.delivered.clone(),
        })
    }

    pub(super) fn work(&self) -> WorkOf {
        WorkOf {
            member: self.holding.member.clone(),
            term: self.holding.term,
        }
    }
}
