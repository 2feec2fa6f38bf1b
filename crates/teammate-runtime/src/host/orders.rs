//! What the user orders through the journal, and waits for: the same for this process and for others.

use std::sync::Arc;

use teammate_core::{
    Message, MessageId,
    permission::Mode,
    port::Refusal,
    team::{Command, OrderEnd, TeamState, UserOrder},
};

use super::Host;
use crate::recall::unheard_words;

impl Host {
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
    pub(super) async fn order(&self, order: UserOrder) -> Result<(), Refusal> {
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
