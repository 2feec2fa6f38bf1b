//! Whole lines from somewhere that is no prompt of a terminal: a screen, a page, an editor.

use teammate::TeamHandle;

use super::{ShownQuestion, TypedAnswer, TypedCall, VerbCall, run};
use crate::{commands::CliContext, screen::Style};

/// Does what a line with a `/` in front is for.
///
/// Errors: why it was not done.
pub(in crate::commands) async fn run_line(
    line: &str,
    team: &TeamHandle,
    place: &CliContext,
) -> Result<TypedAnswer, String> {
    let (word, words) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let state = team.state().await.map_err(|error| error.to_string())?;
    let call = TypedCall {
        on: VerbCall {
            team,
            state,
            place,
            style: Style::PLAIN,
            width: None,
        },
        asked: &ShownQuestion::default(),
        words: words.trim(),
    };
    run(word, call).await
}
