//! `create_team`: makes a named group of teammates.

use teammate_core::{
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::GroupInput;
use crate::typed_tool::{Reply, TypedTool, done, team_action};

pub(super) struct CreateTeam;

impl TypedTool for CreateTeam {
    type Input = GroupInput;
    const NAME: &'static str = "create_team";
    const DESCRIPTION: &'static str = "Make a named group of teammates: spawn them with team, end it with {tool:delete_team}. A few \
        teammates need none.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &GroupInput, _: &ToolContext) -> Result<Action, Outcome> {
        let team = &input.name;
        Ok(team_action(format!("make team {team}"), team.to_string()))
    }

    async fn run(&self, input: GroupInput, context: &ToolContext) -> Reply {
        context.team.create_group(input.name.clone()).await?;
        done(format!("Team '{}' created", input.name))
    }
}
