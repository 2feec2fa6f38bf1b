//! The lead's conversations, seen from outside.

use std::collections::BTreeMap;

use teammate_core::{
    MemberName, Message, Sender, Timestamp,
    team::{ConversationId, TeamState, Unfinished},
    transcript::Entry,
};

use super::TeamClient;
use crate::TeamError;

/// One of the lead's conversations.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub struct ConversationLine {
    /// Its number.
    pub id: ConversationId,
    /// When it began.
    pub began: Timestamp,
    /// Whether the lead is in it, or was last.
    pub is_current: bool,
    /// The user's first message, if any; not cut.
    pub prompt: Option<String>,
    /// Whether the user dropped it and has not returned to it since.
    pub is_dropped: bool,
    /// The work that it has left to do. Of the current one in a team that runs: what is being done.
    pub unfinished: Unfinished,
}

impl TeamClient {
    /// All conversations of the lead, oldest first.
    pub async fn conversations(&self) -> Result<Vec<ConversationLine>, TeamError> {
        let team = self.team();
        let lead = MemberName::lead();
        let unread = self.inbox(&lead).await?;
        let mut prompts = prompts(&self.transcript(&lead).await?);
        for mail in unread.iter().filter(|mail| mail.from == Sender::User) {
            if let Some(id) = TeamState::conversation_of(mail) {
                prompts.entry(id).or_insert_with(|| mail.content.clone());
            }
        }
        let line = |(id, began)| {
            let mut unfinished = team.unfinished(id);
            unfinished.lead |= unread.iter().any(|mail| waits(mail, id));
            ConversationLine {
                id,
                began,
                is_current: id == team.conversation(),
                is_dropped: team.is_dropped(id),
                prompt: prompts.remove(&id),
                unfinished,
            }
        };
        Ok(team.conversations().all().map(line).collect())
    }

    /// A member's transcript, as far as it is proven.
    pub(super) async fn transcript(&self, member: &MemberName) -> Result<Vec<Entry>, TeamError> {
        let entries = self.store.store.transcripts.peek(member).await;
        entries.map_err(|error| TeamError::Storage(error.to_string()))
    }
}

fn waits(mail: &Message, id: ConversationId) -> bool {
    mail.wakes() && TeamState::conversation_of(mail) == Some(id)
}

/// The user's first message in each conversation.
fn prompts(entries: &[Entry]) -> BTreeMap<ConversationId, String> {
    let mut prompts = BTreeMap::new();
    let mut at = ConversationId::FIRST;
    for entry in entries {
        at = entry.conversation().unwrap_or(at);
        let Entry::Heard(mail) = entry else { continue };
        if let Some(said) = mail.iter().find(|mail| mail.from == Sender::User) {
            prompts.entry(at).or_insert_with(|| said.content.clone());
        }
    }
    prompts
}
