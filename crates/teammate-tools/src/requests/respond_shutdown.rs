//! `respond_shutdown`: answers a shutdown request to the caller.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, ToolContext},
    request::{Answer, RequestId, RequestKind},
    tool::{EffectClass, Outcome},
};

use crate::{
    arguments::Parsed,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct RespondShutdown;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "requestId", alias = "id")]
    request_id: Parsed<RequestId>,
    approve: bool,
    // Needed to refuse; the error says so.
    #[serde(default)]
    reason: String,
}

impl TypedTool for RespondShutdown {
    type Input = Input;
    const NAME: &'static str = "respond_shutdown";
    const DESCRIPTION: &'static str = "Answer a shutdown request. Approving ends you at once. The user cannot be \
        refused.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let word = if input.approve { "agree" } else { "refuse" };
        let shows = format!("{word} to shut down ({})", input.request_id.0);
        Ok(team_action(shows, word))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let id = input.request_id.0;
        let (told, answer) = if input.approve {
            let answer = Answer::Approve {
                note: input.reason,
                mode: None,
                always: None,
            };
            (format!("Agreed to {id}; you are stopped now"), answer)
        } else {
            (
                format!("Refused {id}; continue your work"),
                Answer::no(input.reason),
            )
        };
        context
            .team
            .answer(id, RequestKind::Shutdown, answer)
            .await?;
        done(told)
    }
}
