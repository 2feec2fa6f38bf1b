//! A member's transcript: the mail, answers and calls of a member, entry by entry, and the conversation made from
//! it.
//!
//! The transcript is the only source of a model request. How entries are kept on disk is the store's business.

mod agent_side;
mod conversation;
mod entry;
mod excerpt;
mod handover;
mod heal;
mod lapse;
mod numbering;
mod render;
mod server_tools;
mod shorten;
mod sources;

use std::collections::HashSet;

pub use conversation::{Conversation, standing::ResumePoint};
pub use entry::{Compacted, EndReason, Entry, Handover};
use handover::HandoverState;
pub use handover::OpenHandover;
pub use heal::Mended;
pub use lapse::{lapse_all, lapsed};
pub use numbering::{Gap, TermError, check_terms, last_term, length, numbers};
pub use shorten::Shortening;
pub use sources::Sources;

use crate::{id::ConversationId, mail::MessageId};

impl Conversation {
    /// Whose words it holds.
    pub fn sources(&self) -> &Sources {
        &self.sources
    }
}

/// The ids of all mail that a transcript holds, whatever the conversation.
pub fn heard_ids(entries: &[Entry]) -> HashSet<&MessageId> {
    let mail = entries.iter().filter_map(|entry| match entry {
        Entry::Heard(mail) => Some(mail),
        _ => None,
    });
    mail.flatten().map(|mail| &mail.id).collect()
}

/// The conversation in which a transcript ends.
pub fn last_conversation(entries: &[Entry]) -> ConversationId {
    last_mark(entries.iter())
}

fn last_mark<'a>(entries: impl DoubleEndedIterator<Item = &'a Entry>) -> ConversationId {
    let mut marks = entries.rev().filter_map(Entry::conversation);
    marks.next().unwrap_or_default()
}

#[cfg(test)]
mod tests;
