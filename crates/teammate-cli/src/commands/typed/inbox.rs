//! `/inbox`: a member's unread mail, which stays unread.

use super::{TypedCall, TypedCommand, in_lines, member_and_rest};
use crate::screen::clean;

pub(super) const INBOX: TypedCommand = TypedCommand {
    word: "/inbox",
    usage: "[NAME]",
    about: "unread mail (it stays unread)",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let (name, _) = member_and_rest(call.words);
    let client = call.team.look().await?;
    let owner = client.member(name)?;
    let mail = client.inbox(&owner).await?;
    if mail.is_empty() {
        return Ok(format!("{}'s inbox is empty", clean(name)));
    }
    let lines = mail.iter().map(|message| {
        let from = message.from.to_string();
        let (from, content) = (clean(&from), clean(&message.content));
        format!("  {from} ({}): {content}", message.kind)
    });
    Ok(lines.collect::<Vec<_>>().join("\n"))
}
