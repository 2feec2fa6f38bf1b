//! `submit_plan`: submits the caller's plan for approval.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, SubmittedPlan, ToolContext},
    tool::{EffectClass, Outcome},
};

use crate::{
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct SubmitPlan;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "content", alias = "text")]
    plan: String,
}

impl TypedTool for SubmitPlan {
    type Input = Input;
    const NAME: &'static str = "submit_plan";
    const DESCRIPTION: &'static str = "Submit your plan: steps, files to change, how to check. You may only read \
        until it is approved. Approval ends with the task, or with your turn unless you call {tool:idle}.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let plan = &input.plan;
        Ok(team_action(
            format!("submit a plan:\n{plan}"),
            one_line(plan, 60),
        ))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let SubmittedPlan { request, to } = context.team.submit_plan(input.plan).await?;
        done(format!(
            "Plan submitted to {to} ({request}). Until it is answered you may only read. End your turn now: the answer wakes you"
        ))
    }
}
