//! `stop_team`: pauses the team, or stops a teammate.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};
use teammate::{MemberName, StopOutcome};

use crate::mcp::tool::{Call, Effect, Refused, ServedTool};

/// How long a member has to leave its files in a sound state.
const WITHIN: Duration = Duration::from_secs(30);

pub(in crate::mcp) struct StopTeam;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// Only this teammate; the whole team by default.
    #[serde(default)]
    member: Option<String>,
}

impl ServedTool for StopTeam {
    type Input = Input;

    const NAME: &'static str = "stop_team";
    const DESCRIPTION: &'static str = "Pause the team: its process ends, and everything goes on with start_team and continue: \
        true. Or stop one teammate.";
    const EFFECT: Effect = Effect::Changes;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        let mut client = call.team.look().await?;
        let member = match &input.member {
            Some(name) => client.member(name)?,
            None => MemberName::lead(),
        };
        if member.is_lead() && client.host().is_none() {
            return Ok(json!({ "stopped": "team", "how": "the team did not run" }));
        }
        Ok(match client.stop(&member, WITHIN).await? {
            StopOutcome::Team { .. } => json!({ "stopped": "team", "how": "it is paused" }),
            StopOutcome::Member { how, .. } => json!({ "stopped": member, "how": how }),
        })
    }
}
