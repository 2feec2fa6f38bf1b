//! `broadcast`: mail to every other member.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    GroupName,
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use crate::{
    arguments::{Given, require},
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct Broadcast;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "message")]
    content: String,
    /// Only to its members.
    #[serde(default, alias = "team_name")]
    team: Given<GroupName>,
}

impl TypedTool for Broadcast {
    type Input = Input;
    const NAME: &'static str = "broadcast";
    const DESCRIPTION: &'static str = "Mail all other members.";
    const CLASS: EffectClass = EffectClass::Team;
    // `send_message` reaches all as well.
    const IS_OFFERED: bool = false;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        require(&input.content, super::EMPTY)?;
        let summary = one_line(&input.content, 80);
        let shows = format!("to everybody:\n{}", input.content);
        Ok(team_action(shows, summary))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        match context.team.broadcast(input.team.0, input.content).await? {
            0 => done("Broadcast to 0 teammates: there are none."),
            count => done(format!("Broadcast to {count} teammates")),
        }
    }
}
