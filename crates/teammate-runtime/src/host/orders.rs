//! What the user orders through the journal, and waits for: the same for this process and for others.

use std::sync::Arc;

use teammate_core::{
    Message, MessageId,
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
        let order = UserOrder::Recall {
            mail: found.id.clone(),
            member: found.to.clone(),
        };
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
            Some(OrderEnd::Done) => Ok(found),
            Some(OrderEnd::Refused { why }) => Err(Refusal::Rule(why)),
            Some(OrderEnd::Dropped) | None => {
                Err(Refusal::Broken("the team was closed before".to_owned()))
            }
        }
    }
}
