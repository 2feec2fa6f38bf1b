//! `team_status`: who is there, and what each does.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::mcp::{
    shown,
    standing::Standing,
    tool::{Call, Effect, Refused, ServedTool},
};

pub(in crate::mcp) struct TeamStatus;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {}

impl ServedTool for TeamStatus {
    type Input = Input;

    const NAME: &'static str = "team_status";
    const DESCRIPTION: &'static str =
        "Show the team: its state, its members and what each one is doing. Does not wait.";
    const EFFECT: Effect = Effect::Looks;

    async fn run(_: Input, call: &Call) -> Result<Value, Refused> {
        let Some(client) = call.team.find().await? else {
            return Ok(json!({
                "state": "no_team",
                "directory": std::path::absolute(call.team.place().workspace()).ok(),
                "next": "start_team makes one",
            }));
        };
        let standing = Standing::of(&client).await?;
        Ok(shown::team(&call.team, &client, standing).await?.into())
    }
}
