//! Orders from another process to the one that runs the team: written to the journal here, carried out there, and waited for.

use std::time::{Duration, Instant};

use teammate_core::{
    Message, MessageId,
    cause::Cause,
    port::{Ids as _, LockHolder, Refusal},
    team::{Command, OrderEnd, UserOrder},
};
use teammate_runtime::unheard_words;
use teammate_store::clock::UuidV7Ids;

use super::TeamClient;
use crate::TeamError;

/// How long the host may take. It does little but tell a member; the member may be writing.
const ACT_TIMEOUT: Duration = Duration::from_secs(30);

/// How long a hook may take that judges what the user says, before it is said that it was sent. It is judged all the same.
const JUDGED_WITHIN: Duration = Duration::from_secs(60);

/// After this time the journal is read again, even without a hint of the kernel, and the host's lock is checked.
const RECHECK_EVERY: Duration = Duration::from_secs(1);

impl TeamClient {
    /// Takes back mail of the user that no member has heard: this one, or the last. Returns it.
    pub(crate) async fn recall(&mut self, mail: Option<&MessageId>) -> Result<Message, TeamError> {
        let store = &self.store.store;
        let found = unheard_words(self.team(), &*store.mailbox, &*store.transcripts, mail).await?;
        let order = UserOrder::Recall {
            mail: found.id.clone(),
            member: found.to.clone(),
        };
        self.order(order).await?;
        Ok(found)
    }

    /// Sends mail that the hooks of the process that runs the team judge first, if there are any. Where no process runs it they do
    /// when it is opened.
    ///
    /// Errors: a hook refuses it, and why.
    pub(super) async fn send_judged(&mut self, mail: Message) -> Result<(), TeamError> {
        if !(self.team().judges_prompts() && self.look_for_host().await?) {
            return self.put(mail).await;
        }
        // Before the mail: the verdict may be there in no time.
        let order = UserOrder::Judge {
            mail: mail.id.clone(),
            member: mail.to.clone(),
        };
        let _listening = self.store.doorbells.listen();
        let call = self.give(order).await?;
        self.put(mail).await?;
        match self.end_of_order(&call, JUDGED_WITHIN).await? {
            OrderWait::Ended(OrderEnd::Refused { why }) => Err(Refusal::Rule(why).into()),
            // What is not judged yet is judged before it is heard.
            OrderWait::Ended(OrderEnd::Done | OrderEnd::Dropped)
            | OrderWait::Closed
            | OrderWait::Silent(_) => Ok(()),
        }
    }

    /// Whether one process runs the team now, and not workers.
    pub(super) async fn look_for_host(&mut self) -> Result<bool, TeamError> {
        self.holder = self.store.presence.holder().await?;
        Ok(self.holder.is_some() && !self.is_on_workers())
    }

    /// Has an order carried out by the process that runs the team. Returns when it has been.
    ///
    /// Errors: the team does not run, its process refuses it, or does not act on it.
    pub(crate) async fn order(&mut self, order: UserOrder) -> Result<(), TeamError> {
        self.order_within(order, ACT_TIMEOUT).await
    }

    pub(super) async fn order_within(
        &mut self,
        order: UserOrder,
        within: Duration,
    ) -> Result<(), TeamError> {
        self.require_user()?;
        self.holder = self.store.presence.holder().await?;
        if self.holder.is_none() {
            return Err(TeamError::NotRunning);
        }
        let _listening = self.store.doorbells.listen();
        let call = self.give(order).await?;
        match self.end_of_order(&call, within).await? {
            OrderWait::Ended(OrderEnd::Done) => Ok(()),
            OrderWait::Ended(OrderEnd::Refused { why }) => Err(Refusal::Rule(why).into()),
            OrderWait::Ended(OrderEnd::Dropped) | OrderWait::Closed => Err(closed_before()),
            OrderWait::Silent(holder) => {
                let text = format!(
                    "not done yet: {holder}, which runs the team, did not act on it. It will when it goes on, if it is not closed first"
                );
                Err(Refusal::Rule(text).into())
            }
        }
    }

    /// Writes an order; its cause.
    async fn give(&mut self, order: UserOrder) -> Result<Cause, TeamError> {
        let call = Cause::user(UuidV7Ids.new_id());
        let command = Command::Order {
            order,
            call: call.clone(),
        };
        self.decide(&command).await?;
        Ok(call)
    }

    /// Follows the journal until the order has ended.
    async fn end_of_order(
        &mut self,
        call: &Cause,
        within: Duration,
    ) -> Result<OrderWait, TeamError> {
        let begun = Instant::now();
        loop {
            // Asked for first: what the host wrote before it ended is read then.
            let holder = self.store.presence.holder().await?;
            self.catch_up().await?;
            let given = self.team().orders().given_by(call);
            if let Some(end) = given.and_then(|given| given.end.clone()) {
                return Ok(OrderWait::Ended(end));
            }
            let Some(holder) = holder else {
                return Ok(OrderWait::Closed);
            };
            if begun.elapsed() > within {
                return Ok(OrderWait::Silent(holder));
            }
            // Heard or not, it is looked again.
            let _ = tokio::time::timeout(RECHECK_EVERY, self.store.store.journal.grew()).await;
        }
    }
}

/// The end of waiting for an order.
enum OrderWait {
    Ended(OrderEnd),
    /// The team was closed first.
    Closed,
    /// The process that runs the team did not act in time.
    Silent(LockHolder),
}

fn closed_before() -> TeamError {
    let text = "the team was closed before it could act on that; it is not done later";
    Refusal::Rule(text.to_owned()).into()
}
