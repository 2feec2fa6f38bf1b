//! Orders of the user that stand in the journal: carries each out once, by the members that run here, and records how it ended.
//! Where several processes run the team, one about a member is carried out where that member runs, and all others where the lead
//! runs.
//! Which there are and what they mean is core's (`team::Orders`).

use std::{
    collections::BTreeSet,
    sync::{Arc, Mutex, PoisonError},
};

use teammate_core::{
    MemberName,
    port::Refusal,
    team::{Command, GivenOrder, MemberPhase, OrderEnd, OrderId, TeamState, UserOrder},
    transcript::EndReason,
};

use crate::{
    base::{Base, Runner},
    ledger::LedgerError,
    members::{Members, Order},
};

/// Carries out orders.
pub(crate) struct UserOrders {
    base: Arc<Base>,
    members: Arc<Members>,
    /// Begun here and not ended: at most as many as may be open.
    begun: Mutex<BTreeSet<OrderId>>,
}

impl UserOrders {
    pub(crate) fn new(base: Arc<Base>, members: Arc<Members>) -> Self {
        Self {
            base,
            members,
            begun: Mutex::default(),
        }
    }

    /// Ends what was ordered of an earlier run: nobody expects it any more. Returns a sentence about each. To be called before
    /// anybody can order something of this run. Where several processes run the team its run goes on, and nothing is dropped.
    pub(crate) async fn drop_earlier(base: &Base) -> Result<Vec<String>, LedgerError> {
        if base.ports.worker.is_some() {
            return Ok(Vec::new());
        }
        let team = base.ledger.team();
        let mut told = Vec::new();
        for given in team.orders().open() {
            let (id, end) = (given.id, OrderEnd::Dropped);
            base.ledger.decide(Command::EndOrder { id, end }).await?;
            let what = given.order.describe();
            told.push(format!(
                "an order to {what} came too late for the run before and is dropped; give it again if you still want it"
            ));
        }
        Ok(told)
    }

    /// Begins all that is open, as soon as there are members that could do it. Does not wait: a member may be busy.
    pub(crate) fn carry_out(self: &Arc<Self>) {
        let team = self.base.ledger.team();
        for given in team.orders().open() {
            if self.may_begin(&team, &given.order) && self.lock().insert(given.id) {
                let (orders, given) = (self.clone(), given.clone());
                drop(tokio::spawn(async move { orders.run(given).await }));
            }
        }
    }

    /// Whether it is for this process to carry out, and now.
    fn may_begin(&self, team: &TeamState, order: &UserOrder) -> bool {
        let lead = MemberName::lead();
        let whom = order.member().unwrap_or(&lead);
        match self.base.runner(whom) {
            Runner::Worker(_) => false,
            // The order is refused: who waits for a worker can do nothing.
            Runner::Nobody => self.base.is_team_mine() && self.members.has(&lead),
            Runner::Here if self.base.ports.worker.is_none() => self.members.has(&lead),
            // One that was placed here a moment ago begins soon.
            Runner::Here => self.members.has(whom) || has_failed(team, whom),
        }
    }

    async fn run(&self, given: GivenOrder) {
        let id = given.id;
        let end = match self.act(&given).await {
            Ok(()) => OrderEnd::Done,
            Err(refusal) => OrderEnd::Refused {
                why: refusal.to_string(),
            },
        };
        if let Err(error) = self.base.ledger.decide(Command::EndOrder { id, end }).await {
            let text = format!("the end of the order {id} was not recorded: {error}");
            self.base.feed.note(&MemberName::lead(), text);
        }
        self.lock().remove(&id);
    }

    async fn act(&self, given: &GivenOrder) -> Result<(), Refusal> {
        let id = given.id;
        match given.order.clone() {
            UserOrder::Interrupt { member: Some(name) } => {
                self.must_run(&name)?;
                self.members.send_order(&name, Order::Interrupt).await;
                Ok(())
            }
            UserOrder::Interrupt { member: None } => {
                for name in self.members.names() {
                    self.members.send_order(&name, Order::Interrupt).await;
                }
                self.pass_on_interrupt(given).await
            }
            UserOrder::Compact { member, focus } => self.members.compact(&member, focus).await,
            UserOrder::Recall { mail, member } => {
                let recall = |known| Order::Recall { id, mail, known };
                self.members.order_and_wait(&member, recall).await?;
                // The member has ended it itself, in the same step in which it would have heard the mail.
                Err(Refusal::Rule(format!(
                    "{member} ended before it could be taken back"
                )))
            }
            UserOrder::Mode { mode } => self.base.choose_mode(mode).await,
            UserOrder::Clear => {
                let lead = MemberName::lead();
                let clear = |known| Order::Clear { id, known };
                self.members.order_and_wait(&lead, clear).await?;
                // As above.
                Err(Refusal::Rule(
                    "the lead ended before a new conversation could begin".to_owned(),
                ))
            }
        }
    }

    /// Everybody is interrupted: each member that another worker runs, by an order of its own.
    async fn pass_on_interrupt(&self, given: &GivenOrder) -> Result<(), Refusal> {
        let elsewhere: Vec<MemberName> = {
            let team = self.base.ledger.team();
            let names = team.members().map(|member| member.name.clone());
            let is_elsewhere =
                |name: &MemberName| matches!(self.base.runner(name), Runner::Worker(_));
            names.filter(is_elsewhere).collect()
        };
        for name in elsewhere {
            let call = given.call.part(&name);
            let member = Some(name);
            let order = UserOrder::Interrupt { member };
            self.base
                .ledger
                .decide(Command::Order { order, call })
                .await?;
        }
        Ok(())
    }

    fn must_run(&self, name: &MemberName) -> Result<(), Refusal> {
        match self.members.is_running(name) {
            true => Ok(()),
            false => Err(Refusal::Rule(format!("'{name}' is not running"))),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, BTreeSet<OrderId>> {
        self.begun.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a member has no loop because it could not begin.
fn has_failed(team: &TeamState, name: &MemberName) -> bool {
    let phase = team.member(name).map(|member| &member.phase);
    let Some(MemberPhase::Idle { why, .. }) = phase else {
        return false;
    };
    matches!(why, EndReason::Failed { .. })
}
