//! `read_result`: what a member said at the end of its last turn.

use schemars::JsonSchema;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::mcp::{
    shown,
    tool::{Call, Effect, Refused, ServedTool},
};

pub(in crate::mcp) struct ReadResult;

#[derive(Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub(in crate::mcp) struct Input {
    /// The member; the lead by default.
    #[serde(default)]
    member: Option<String>,
    /// From which character on; next_offset of the answer before.
    #[serde(default)]
    offset: Option<usize>,
}

impl ServedTool for ReadResult {
    type Input = Input;

    const NAME: &'static str = "read_result";
    const DESCRIPTION: &'static str = "Read the final text of a member's last turn: of the lead, the result of the job. \
        is_working says that a new turn is under way.";
    const EFFECT: Effect = Effect::Looks;

    async fn run(input: Input, call: &Call) -> Result<Value, Refused> {
        let client = call.team.look().await?;
        let name = client.member(input.member.as_deref().unwrap_or("lead"))?;
        let is_working = client.host().is_some()
            && client
                .team()
                .member(&name)
                .is_some_and(|one| one.phase.is_busy());
        let mut shown = match client.last_result(&name).await? {
            Some(result) => shown::result(&name, &result, input.offset.unwrap_or(0)),
            None => json!({ "member": name, "text": null }),
        };
        shown["is_working"] = is_working.into();
        Ok(shown)
    }
}
