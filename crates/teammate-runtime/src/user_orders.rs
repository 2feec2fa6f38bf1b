//! Orders of the user that stand in the journal: carries each out once, by the members that run here, and records how it ended.
//! Which there are and what they mean is core's (`team::Orders`).

use std::{
    collections::BTreeSet,
    sync::{Arc, LazyLock, Mutex},
};

use teammate_core::{
    MemberName,
    board::TaskAction,
    cause::Cause,
    lock::Hold,
    port::Refusal,
    team::{Command, OrderEnd, OrderId, UserOrder},
};

use crate::{
    base::Base,
    ledger::LedgerError,
    members::{Members, Order},
    team_service::TeamService,
};

pub(crate) struct UserOrders {
    base: Arc<Base>,
    members: Arc<Members>,
    team_service: TeamService,
    /// Begun here and not ended: at most as many as may be open.
    begun: Mutex<BTreeSet<OrderId>>,
}

impl UserOrders {
    pub(crate) fn new(base: Arc<Base>, members: Arc<Members>, team_service: TeamService) -> Self {
        Self {
            base,
            members,
            team_service,
            begun: Mutex::default(),
        }
    }

    /// Ends what was ordered of an earlier run: nobody expects it any more. Returns a sentence about each. To be called before
    /// anybody can order something of this run.
    pub(crate) async fn drop_earlier(base: &Base) -> Result<Vec<String>, LedgerError> {
        let team = base.ledger.team();
        let mut told = Vec::new();
        for given in team.orders().open() {
            let (id, end) = (given.id, OrderEnd::Dropped);
            base.ledger.decide(Command::EndOrder { id, end }).await?;
            if matches!(given.order, UserOrder::Judge { .. }) {
                // Its mail is judged all the same, if it was written.
                continue;
            }
            let what = given.order.describe();
            told.push(format!(
                "an order to {what} came too late for the run before and is dropped; give it again if you still want it"
            ));
        }
        Ok(told)
    }

    /// Begins all that is open, as soon as there are members that could do it. Does not wait: a member may be busy.
    pub(crate) fn carry_out(self: &Arc<Self>) {
        if self.base.deployment.opens_team() && !self.members.has(&MemberName::lead()) {
            return;
        }
        let team = self.base.ledger.team();
        for given in team.orders().open() {
            if matches!(given.order, UserOrder::Judge { .. }) {
                // The member's driver ends it, when the mail comes.
                continue;
            }
            let member = by_whom(&given.order);
            // Who is just being opened carries it out when it has begun.
            if !self.base.is_duty(member) || self.base.deployment.is_opening(member) {
                continue;
            }
            let is_new = self.begun.hold().insert(given.id);
            if is_new {
                let (orders, id, order) = (self.clone(), given.id, given.order.clone());
                drop(tokio::spawn(async move { orders.run(id, order).await }));
            }
        }
    }

    /// Interrupts the members that run here, if all are to be. The lead's worker ends the order.
    pub(crate) async fn interrupt_all_here(&self, order: &UserOrder) {
        if !self.base.deployment.shares_orders()
            || *order != (UserOrder::Interrupt { member: None })
        {
            return;
        }
        for name in self.members.names() {
            self.members.send_order(&name, Order::Interrupt).await;
        }
    }

    async fn run(&self, id: OrderId, order: UserOrder) {
        let end = match self.act(id, order).await {
            Ok(()) => OrderEnd::Done,
            Err(refusal) => OrderEnd::Refused {
                why: refusal.to_string(),
            },
        };
        if let Err(error) = self.base.ledger.decide(Command::EndOrder { id, end }).await {
            let text = format!("the end of the order {id} was not recorded: {error}");
            self.base.feed.note(&MemberName::lead(), text);
        }
        self.begun.hold().remove(&id);
    }

    async fn act(&self, id: OrderId, order: UserOrder) -> Result<(), Refusal> {
        match order {
            UserOrder::Interrupt { member: Some(name) } => {
                self.must_run(&name)?;
                self.members.send_order(&name, Order::Interrupt).await;
                Ok(())
            }
            // Each worker has interrupted its members when it heard of the order.
            UserOrder::Interrupt { member: None } if self.base.deployment.shares_orders() => Ok(()),
            UserOrder::Interrupt { member: None } => {
                for name in self.members.names() {
                    self.members.send_order(&name, Order::Interrupt).await;
                }
                Ok(())
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
            UserOrder::Judge { mail, .. } => {
                Err(Refusal::Broken(format!("mail {mail} did not come")))
            }
            UserOrder::Complete { task, result } => {
                let call = Cause::user(self.base.ports.ids.new_id());
                let _busy = self.base.activity.begin();
                let action = TaskAction::Complete(task, result);
                let acted = self.team_service.act_as_user(call, action).await;
                acted.map(|_| ())
            }
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

    fn must_run(&self, name: &MemberName) -> Result<(), Refusal> {
        match self.members.is_running(name) {
            true => Ok(()),
            false => Err(Refusal::Rule(format!("'{name}' is not running"))),
        }
    }
}

/// Whose holder carries an order out: the lead's, if it is about the team as a whole.
fn by_whom(order: &UserOrder) -> &MemberName {
    static LEAD: LazyLock<MemberName> = LazyLock::new(MemberName::lead);
    match order {
        UserOrder::Interrupt {
            member: Some(member),
        }
        | UserOrder::Compact { member, .. }
        | UserOrder::Recall { member, .. }
        | UserOrder::Judge { member, .. } => member,
        UserOrder::Interrupt { member: None }
        | UserOrder::Mode { .. }
        | UserOrder::Clear
        | UserOrder::Complete { .. } => &LEAD,
    }
}
