//! What the user orders of members: at once where they run in this process, else through the journal, and waited for. The same for
//! this process and for others.

use std::sync::Arc;

use teammate_core::{
    MemberName, Message, MessageId, Sender,
    cause::Cause,
    permission::Mode,
    port::Refusal,
    team::{Command, OrderEnd, TeamState, UserOrder},
};

use super::Host;
use crate::{base::Base, members::Order, recall::unheard_words};

impl Host {
    /// Ends a member's turn; what it has done stays in its transcript. The user hears if a worker that runs it refuses.
    pub async fn interrupt(&self, member: &MemberName) {
        if self.base.is_mine(member) {
            return self.members.send_order(member, Order::Interrupt).await;
        }
        let (base, call, member) = (self.base.clone(), self.cause(), member.clone());
        // Not waited for: its worker may be lost, and another one carries it out.
        drop(tokio::spawn(async move {
            let order = UserOrder::Interrupt {
                member: Some(member.clone()),
            };
            if let Err(why) = carried_out(&base, call, order).await {
                let text = format!("it was not interrupted: {why}");
                base.feed.note(&member, text);
            }
        }));
    }

    /// Has a member's conversation summarized as soon as there is a moment for it: between two rounds, or at once if it
    /// is idle. Returns when the member has the notice.
    pub async fn compact(
        &self,
        member: &str,
        focus: Option<String>,
    ) -> Result<MemberName, Refusal> {
        let member = self.mailer.resolve_recipient(&Sender::User, member)?;
        if self.base.is_mine(&member) {
            self.members.compact(&member, focus).await?;
        } else {
            let member = member.clone();
            self.order(UserOrder::Compact { member, focus }).await?;
        }
        Ok(member)
    }

    /// Takes back mail of the user that no member has heard: this one, or the last. Returns it, so that its words are not lost.
    ///
    /// Errors: who has heard it, or that there is none.
    pub async fn recall(&self, mail: Option<&MessageId>) -> Result<Message, Refusal> {
        let ports = &self.base.ports;
        let team = self.team();
        let found = unheard_words(&team, &*ports.mailbox, &*ports.transcripts, mail).await?;
        drop(team);
        self.order(UserOrder::Recall {
            mail: found.id.clone(),
            member: found.to.clone(),
        })
        .await?;
        Ok(found)
    }

    /// Chooses another permission mode for the team, until it is closed: from the next call of any member on.
    ///
    /// Errors: the machine's administrator forbids it, or it cannot be recorded.
    pub async fn choose_mode(&self, mode: Mode) -> Result<(), Refusal> {
        self.order(UserOrder::Mode { mode }).await
    }

    /// Begins a new conversation with the lead, which rests; the team, its board and its mail stay, and so does what was said.
    ///
    /// Errors: the lead works.
    pub async fn clear(&self) -> Result<(), Refusal> {
        self.order(UserOrder::Clear).await
    }

    /// Gives an order and waits until it has ended.
    async fn order(&self, order: UserOrder) -> Result<(), Refusal> {
        carried_out(&self.base, self.cause(), order).await
    }
}

/// Gives an order and waits until it has ended.
async fn carried_out(base: &Base, call: Cause, order: UserOrder) -> Result<(), Refusal> {
    let command = Command::Order {
        order,
        call: call.clone(),
    };
    let mut changes = base.ledger.changes();
    base.ledger.decide(command).await?;
    let end_of = |team: &Arc<TeamState>| {
        let given = team.orders().given_by(&call)?;
        given.end.clone()
    };
    let ended = changes.wait_for(|team| end_of(team).is_some()).await;
    let end = ended.ok().and_then(|team| end_of(&team));
    match end {
        Some(OrderEnd::Done) => Ok(()),
        Some(OrderEnd::Refused { why }) => Err(Refusal::Rule(why)),
        Some(OrderEnd::Dropped) | None => {
            Err(Refusal::Broken("the team was closed before".to_owned()))
        }
    }
}
