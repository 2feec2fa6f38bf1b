//! The lead's conversations, in its own task: a new one begins between two turns, so nothing is said that would be in neither, and
//! the transcript is pointed at the one that the team is in.

use teammate_core::{
    MemberName,
    port::{OpenTranscript, TranscriptError},
    team::{Command, ConversationId, OrderEnd, OrderId, TeamRefusal},
    transcript::{Entry, last_conversation},
};

use super::Driver;
use crate::{base::Base, ledger::LedgerError, members::MemberError};

impl Driver {
    /// Carries out an order to begin a new conversation, and records its end with it. True if the lead has to begin anew.
    pub(super) async fn clear(&mut self, order: OrderId) -> Result<bool, MemberError> {
        let old = self.base.ledger.team().conversation();
        let begun = match self.agent.is_idle() {
            true => {
                let highest = highest_conversation(&self.base).await;
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

/// The lead's transcript continues in the current conversation.
pub(super) async fn turn_to_current(
    base: &Base,
    opened: &mut OpenTranscript,
) -> Result<(), TranscriptError> {
    let current = base.ledger.team().conversation();
    if last_conversation(&opened.entries) != current {
        let entry = Entry::Conversation(current);
        opened.log.append(&entry).await?;
        opened.entries.push(entry);
    }
    Ok(())
}

/// The highest number of a conversation in the lead's transcript. It may hold one whose record the journal has lost: its number
/// is not given again.
pub(crate) async fn highest_conversation(base: &Base) -> ConversationId {
    let lead = MemberName::lead();
    let entries = base.ports.transcripts.peek(&lead).await.unwrap_or_default();
    let marks = entries.iter().filter_map(Entry::conversation);
    marks.max().unwrap_or_default()
}
