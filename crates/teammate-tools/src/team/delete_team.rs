//! `delete_team`: ends a group: its members are stopped, their files archived.

use teammate_core::{
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::GroupInput;
use crate::typed_tool::{Reply, TypedTool, done, team_action};

pub(super) struct DeleteTeam;

impl TypedTool for DeleteTeam {
    type Input = GroupInput;
    const NAME: &'static str = "delete_team";
    const DESCRIPTION: &'static str = "End a team: its members stop within half a minute; tasks return to the board, transcripts are \
        archived.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &GroupInput, _: &ToolContext) -> Result<Action, Outcome> {
        let team = &input.name;
        let shows = format!("end team {team} and stop its members");
        Ok(team_action(shows, team.to_string()))
    }

    async fn run(&self, input: GroupInput, context: &ToolContext) -> Reply {
        let team = input.name;
        let ended = context.team.end_group(team.clone()).await?;
        let members = match ended.members.len() {
            1 => "1 teammate".to_owned(),
            count => format!("{count} teammates"),
        };
        done(format!(
            "Team '{team}' deleted, {members} stopped. Their files are kept in {}",
            ended.kept_in
        ))
    }
}
