//! Words for a member, with the pictures and documents that they name.

use teammate::{
    UserMessage,
    attachments::{AttachmentNote, read_attachments},
};

use super::{TypedTeam, named_files::named_files};

/// Sends a text with the files that it names by `@FILE`; returns these. Relative paths begin in the workspace.
///
/// Errors: a sentence for the user.
pub(in crate::commands) async fn say(
    team: &mut TypedTeam<'_>,
    to: &str,
    text: &str,
) -> Result<Vec<AttachmentNote>, String> {
    let workspace = team.workspace();
    let attachments = read_attachments(workspace, named_files(text, workspace)).await;
    let attachments = attachments.map_err(|error| error.to_string())?;
    let files = attachments.notes();
    let text = text.to_owned();
    let sent = team.send(to, UserMessage { text, attachments }).await;
    sent.map(|()| files).map_err(|error| error.to_string())
}
