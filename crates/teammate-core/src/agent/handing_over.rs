//! Hands mail that a member heard over to the external agent that answers in its turn.

use super::Agent;
use crate::transcript::{Entry, Handover};

/// The part of a conversation that an agent gets after it was opened.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum HandingOver {
    /// All that was heard since the last handover.
    News,
    /// The content of the last handover, too: it has not reached the agent.
    Again,
    /// It has all of that, but was stopped in its turn: this text, and what was heard since.
    GoOn(String),
}

impl Agent {
    /// Hands over what was heard. The entries have to be in the transcript before the agent gets
    /// [`handed_over`](crate::transcript::Conversation::handed_over).
    pub fn hand_over(&mut self, session: String, how: HandingOver) -> Vec<Entry> {
        let again = how == HandingOver::Again;
        let prompt = match how {
            HandingOver::GoOn(text) => Some(Entry::Prompted(text)),
            HandingOver::News | HandingOver::Again => None,
        };
        let handover = Entry::HandedOver(Handover { session, again });
        let entries: Vec<Entry> = prompt.into_iter().chain([handover]).collect();
        for entry in &entries {
            self.conversation.push(entry);
        }
        entries
    }
}
