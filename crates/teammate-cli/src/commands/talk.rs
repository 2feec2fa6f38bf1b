//! A prompt, and the next one in its place when the user goes on with another team or another conversation.

use teammate::{Conversation, UserMessage};

// Without a full screen the prompt is plain lines.
#[cfg(feature = "tui")]
use super::face;
#[cfg(not(feature = "tui"))]
use super::repl as face;
use super::{
    CliContext, CliResult,
    next_talk::{Next, TalkEnd},
};

/// Talks until the user leaves, and goes on with nothing else. `first` is said to the lead before anything is typed.
pub(super) async fn run(
    mut place: CliContext,
    mut conversation: Conversation,
    mut first: Option<UserMessage>,
) -> CliResult {
    loop {
        let end = face::run(place.clone(), conversation, first.take()).await?;
        conversation = match end {
            TalkEnd::GoesOn(Next::Team(team)) => {
                place = place.of_other(&team)?;
                Conversation::Last
            }
            TalkEnd::GoesOn(Next::Conversation(conversation)) => conversation,
            TalkEnd::Left(code) => return Ok(code),
        };
    }
}
