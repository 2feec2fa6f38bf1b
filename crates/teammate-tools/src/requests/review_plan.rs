//! `review_plan`: answers a teammate's plan.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    permission::Mode,
    port::{Action, ToolContext},
    request::{Answer, RequestId, RequestKind},
    tool::{EffectClass, Outcome},
};

use crate::{
    arguments::{Given, Parsed},
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct ReviewPlan;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "requestId", alias = "id")]
    request_id: Parsed<RequestId>,
    approve: bool,
    #[serde(default)]
    feedback: String,
    #[serde(default, alias = "permissionMode", alias = "mode")]
    #[schemars(extend("enum" = Mode::ALL.map(|(_, word)| word)))]
    permission_mode: Given<Mode>,
}

impl TypedTool for ReviewPlan {
    type Input = Input;
    const NAME: &'static str = "review_plan";
    const DESCRIPTION: &'static str = "Approve a plan you have read, or reject it with feedback. permission_mode: its author's \
        from now on, at most yours.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let (id, feedback) = (input.request_id.0, &input.feedback);
        let word = if input.approve { "approve" } else { "reject" };
        Ok(team_action(
            format!("{word} {id}: {feedback}"),
            format!("{word} {id}"),
        ))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let id = input.request_id.0;
        let (word, answer) = if input.approve {
            let answer = Answer::Approve {
                note: input.feedback,
                mode: input.permission_mode.0,
                always: None,
            };
            ("approved", answer)
        } else {
            ("rejected", Answer::no(input.feedback))
        };
        let author = context.team.answer(id, RequestKind::Plan, answer).await?;
        done(format!("Plan {word} ({id}); '{author}' gets the answer"))
    }
}
