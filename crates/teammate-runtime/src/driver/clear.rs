//! Begins a new conversation with the lead, in its own task: between two turns nothing is said that would be in neither.

use teammate_core::team::{Command, OrderEnd, OrderId, TeamRefusal};

use super::{Driver, current};
use crate::{ledger::LedgerError, members::MemberError};

impl Driver {
    /// Carries out an order to begin a new conversation, and records its end with it. True if the lead has to begin anew.
    pub(super) async fn clear(&mut self, order: OrderId) -> Result<bool, MemberError> {
        let old = self.base.ledger.team().conversation();
        let begun = match self.agent.is_idle() {
            true => {
                let highest = current::highest_conversation(&self.base).await;
                let anew = Command::BeginAnew { order, highest };
                self.base.ledger.decide(anew).await
            }
            false => Err(LedgerError::Refused(TeamRefusal::LeadWorks)),
        };
        if let Err(error) = begun {
            let why = error.to_string();
            let end = OrderEnd::Refused { why };
            let refuse = Command::EndOrder { id: order, end };
            if let Err(error) = self.base.ledger.decide(refuse).await {
                let text = format!("the end of the order {order} was not recorded: {error}");
                self.base.feed.note(&self.name, text);
            }
            return Ok(false);
        }
        if self.base.ledger.team().conversation() == old {
            return Ok(false);
        }
        self.flush_last_usage().await;
        let text = format!(
            "a new conversation with the lead begins. The one before has the number {old}, and is kept"
        );
        self.base.feed.note(&self.name, text);
        Ok(true)
    }
}
