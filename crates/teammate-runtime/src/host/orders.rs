//! Orders of the user to members: here at once, and what others must see or do through the journal.

use std::sync::Arc;

use teammate_core::{
    MemberName, Message, MessageId, Sender,
    permission::Mode,
    port::Refusal,
    team::{Command, OrderEnd, TeamState, UserOrder},
};

use super::Host;
use crate::{members::Order, recall::unheard_words};

impl Host {
    /// Ends a member's turn; what it has done stays in its transcript. The worker that runs it does it; if none does, that is
    /// noted.
    pub async fn interrupt(&self, member: &MemberName) {
        if self.base.is_mine(member) {
            return self.members.send_order(member, Order::Interrupt).await;
        }
        let order = UserOrder::Interrupt {
            member: Some(member.clone()),
        };
        if let Err(refusal) = self.order(order).await {
            let text = format!("it was not interrupted: {refusal}");
            self.base.feed.note(member, text);
        }
    }

    /// The user interrupted only to leave: turns that the last interrupt ended are unfinished again, as if the team had been
    /// closed in their middle. Members end their loops; to be called just before [`Host::close`].
    pub async fn take_back_interrupt(&self) {
        for line in self.roster() {
            self.members.send_order(&line.name, Order::TakeBack).await;
        }
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
        let call = self.cause();
        let command = Command::Order {
            order,
            call: call.clone(),
        };
        let mut changes = self.team_changes();
        self.base.ledger.decide(command).await?;
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
}
