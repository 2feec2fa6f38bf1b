//! Words for a member, with the pictures and documents that they name.

use teammate::{
    MemberName, MemberPhase, TeamHandle, TeamState, UserMessage,
    attachments::{AttachmentNote, read_attachments},
    handle::{Say, find_member},
};

use super::named_files::named_files;

/// The facts about words when they are sent.
pub(in crate::commands) struct SentWords {
    /// The files that came with them.
    pub(in crate::commands) files: Vec<AttachmentNote>,
    /// The member that has a turn to go on with first, if they are not heard at once.
    pub(in crate::commands) queued_for: Option<MemberName>,
}

/// Sends a text with the files that it names by `@FILE`. Relative paths begin in the workspace; `state` is the team just before.
///
/// Errors: a sentence for the user.
pub(in crate::commands) async fn say(
    team: &TeamHandle,
    state: &TeamState,
    to: &str,
    text: &str,
) -> Result<SentWords, String> {
    let workspace = team.workspace();
    let attachments = read_attachments(workspace, named_files(text, workspace)).await;
    let attachments = attachments.map_err(|error| error.to_string())?;
    let files = attachments.notes();
    let text = text.to_owned();
    // Before it is sent: that begins the turn of an idle member.
    let to_name = find_member(state, to).ok();
    let queued_for = to_name.filter(|name| is_in_turn(state, name));
    let sent = team.ask(Say {
        to: to.to_owned(),
        message: UserMessage { text, attachments },
    });
    let said = SentWords { files, queued_for };
    sent.await.map(|_| said).map_err(|error| error.to_string())
}

/// Whether a member works, or waits for something in the middle of it.
fn is_in_turn(state: &TeamState, name: &MemberName) -> bool {
    let phase = state.member(name).map(|member| &member.phase);
    phase.is_some_and(|phase| match phase {
        MemberPhase::Working | MemberPhase::Waiting(_) => true,
        MemberPhase::Starting | MemberPhase::Idle { .. } | MemberPhase::Stopped => false,
    })
}
