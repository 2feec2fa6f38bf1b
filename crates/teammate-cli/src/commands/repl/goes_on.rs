//! The prompt in the place of a full screen that a bug has ended: the team works on.

use std::sync::Arc;
use teammate_view::t;

use teammate::Team;

use super::{CliContext, HostTalk, LinePrompt, TalkEnd, attach, closing};
use crate::screen::print_warning;

/// The note after the bug of another user interface.
const GOES_ON: &str =
    "The team works on, and this is the plain prompt: /help lists the commands, /quit leaves";

/// Talks on with a team that this process runs, when a bug has ended the face that it had; leaving closes it.
pub(in crate::commands) async fn keep(
    place: &CliContext,
    team: Arc<Team>,
) -> anyhow::Result<TalkEnd> {
    let state = team.changes().borrow().clone();
    let begun = async {
        let prompt = LinePrompt::open(team.workspace(), &state, team.secrets())?;
        prompt.printer.wrapped(t(GOES_ON));
        // What was asked before still waits.
        let open = state.questions();
        open.for_each(|question| prompt.asked.announce(question.id));
        HostTalk::begin(place, prompt, &team).await
    };
    match begun.await {
        Ok(talk) => talk.run(place, team).await,
        Err(error) => {
            closing::close_shared(team).await;
            Err(error)
        }
    }
}

/// Attaches again to the team of another process.
pub(in crate::commands) async fn attach_again(place: &CliContext) -> anyhow::Result<TalkEnd> {
    print_warning(t(GOES_ON));
    let client = place.look_at(place.team()).await??;
    attach(place, client, None).await
}
