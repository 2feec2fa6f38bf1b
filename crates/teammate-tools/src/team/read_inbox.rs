//! `read_inbox`: whether mail waits. Mail is heard right after the outcome, so this never shows it itself.

use teammate_core::{
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome, ToolInput},
};

use crate::typed_tool::{NoInput, Reply, TypedTool, done, team_action};

pub(super) struct ReadInbox;

impl TypedTool for ReadInbox {
    type Input = NoInput;
    const NAME: &'static str = "read_inbox";
    const DESCRIPTION: &'static str =
        "Check whether mail waits. Mail is shown to you automatically between steps: never poll.";
    const CLASS: EffectClass = EffectClass::Team;
    // Mail is shown without it.
    const IS_OFFERED: bool = false;

    fn input(_: &ToolInput) -> Result<NoInput, Outcome> {
        Ok(NoInput {})
    }

    fn action(&self, _: &NoInput, _: &ToolContext) -> Result<Action, Outcome> {
        Ok(team_action("read the inbox", "look for mail"))
    }

    async fn run(&self, _: NoInput, context: &ToolContext) -> Reply {
        match context.team.unread_mail().await? {
            0 => done("(inbox empty)"),
            1 => done("1 new message, shown below"),
            count => done(format!("{count} new messages, shown below")),
        }
    }
}
