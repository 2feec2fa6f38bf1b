//! `/compact`: summarizes a member's conversation.

use anyhow::Context as _;
use teammate::handle::Compact;

use super::{TypedCall, TypedCommand, in_lines, member_and_rest};

pub(super) const COMPACT: TypedCommand = TypedCommand {
    word: "/compact",
    usage: "[NAME] [FOCUS]",
    about: "summarize a member's conversation, to free context",
    run: |call| in_lines(run(call)),
};

async fn run(call: TypedCall<'_>) -> anyhow::Result<String> {
    let (name, focus) = member_and_rest(call.words);
    let focus = Some(focus.to_owned()).filter(|focus| !focus.is_empty());
    let done = async {
        let member = call.member(name)?;
        call.team.ask(Compact { member, focus }).await
    };
    done.await.context("Not compacted")?;
    Ok(String::new())
}
