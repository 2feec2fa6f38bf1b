//! A prompt, and the next one in its place when the user goes on with another team or another conversation.

use teammate::{Conversation, UserMessage};

// Without a full screen the prompt is plain lines.
#[cfg(feature = "tui")]
use super::face;
#[cfg(not(feature = "tui"))]
use super::repl as face;
use super::{
    CliContext, CliResult,
    next_talk::{NextTalk, TalkEnd},
    setup,
};

/// Talks until the user leaves, and goes on with nothing else. `first` is said to the lead before anything is typed.
pub(super) async fn run(
    place: CliContext,
    conversation: Conversation,
    first: Option<UserMessage>,
) -> CliResult {
    setup::offer(&place).await?;
    let end = face::run(place.clone(), conversation, first).await?;
    go_on(place, end).await
}

/// Goes on with what the user chose when a talk ended, until they leave.
pub(super) async fn go_on(mut place: CliContext, mut end: TalkEnd) -> CliResult {
    loop {
        let conversation = match end {
            TalkEnd::GoesOn(NextTalk::Team(team)) => {
                place = place.of_other(&team)?;
                Conversation::Last
            }
            TalkEnd::GoesOn(NextTalk::Conversation(conversation)) => conversation,
            TalkEnd::Left(code) => return Ok(code),
        };
        end = face::run(place.clone(), conversation, None).await?;
    }
}
