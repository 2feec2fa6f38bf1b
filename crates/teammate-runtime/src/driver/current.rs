//! Which conversation the lead's transcript is in, and points it at the one that the team is in.

use teammate_core::{
    MemberName,
    port::{OpenTranscript, TranscriptError},
    team::ConversationId,
    transcript::{Entry, last_conversation},
};

use crate::base::Base;

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
