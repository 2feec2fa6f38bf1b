//! Points the lead's transcript at the conversation that the team is open with.

use teammate_core::{
    port::{OpenTranscript, TranscriptError},
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
