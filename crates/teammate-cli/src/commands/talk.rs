//! A prompt, and the next one in its place when the user goes on with another team or another conversation.

use teammate::{Conversation, UserMessage};

// Without a full screen the prompt is plain lines.
#[cfg(feature = "tui")]
use super::face;
#[cfg(not(feature = "tui"))]
use super::repl as face;
use super::{
    CliContext, CliResult,
    next_talk::{Next, NextTalk},
};

/// Talks until the user leaves, and goes on with nothing else. `first` is said to the lead before anything is typed.
pub(super) async fn run(
    mut place: CliContext,
    mut conversation: Conversation,
    mut first: Option<UserMessage>,
) -> CliResult {
    loop {
        place.next = NextTalk::default();
        let next = place.next.clone();
        let code = face::run(place.clone(), conversation, first.take()).await?;
        conversation = match next.take() {
            Some(Next::Team(team)) => {
                place = place.of_other(&team)?;
                Conversation::Last
            }
            Some(Next::Conversation(conversation)) => conversation,
            None => return Ok(code),
        };
    }
}
