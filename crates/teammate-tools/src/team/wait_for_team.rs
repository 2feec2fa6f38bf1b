//! `wait_for_team`: waits until no teammate works, or mail has come.

use teammate_core::{
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome, ToolInput},
};

use crate::typed_tool::{NoInput, Reply, TypedTool, done, team_action};

pub(super) struct WaitForTeam;

impl TypedTool for WaitForTeam {
    type Input = NoInput;
    const NAME: &'static str = "wait_for_team";
    const DESCRIPTION: &'static str =
        "Wait until no teammate is working or you have mail. Costs nothing.";
    const CLASS: EffectClass = EffectClass::Team;

    fn input(_: &ToolInput) -> Result<NoInput, Outcome> {
        Ok(NoInput {})
    }

    fn action(&self, _: &NoInput, _: &ToolContext) -> Result<Action, Outcome> {
        Ok(team_action(
            "wait until the team is idle or mail arrives",
            "for the team",
        ))
    }

    async fn run(&self, _: NoInput, context: &ToolContext) -> Reply {
        context.team.wait_for_team().await;
        match context.team.unread_mail().await? {
            0 => done("No teammate is working, and you have no mail."),
            1 => done("You have mail: 1 new message, shown below"),
            count => done(format!("You have mail: {count} new messages, shown below")),
        }
    }
}
