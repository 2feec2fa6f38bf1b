//! `request_plan`: asks a teammate for a plan before it does more than read.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, PlanRequired, ToolContext},
    team::Job,
    tool::{EffectClass, Outcome},
};

use crate::{
    arguments::require,
    display::one_line,
    typed_tool::{Reply, TypedTool, done, team_action},
};

pub(super) struct RequestPlan;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(alias = "teammate", alias = "member")]
    name: String,
    #[serde(default, alias = "about")]
    task: String,
    #[serde(default)]
    lift: bool,
}

impl TypedTool for RequestPlan {
    type Input = Input;
    const NAME: &'static str = "request_plan";
    const DESCRIPTION: &'static str = "Require plans of a teammate: for each piece of work it may only read until \
        {tool:review_plan}; its background jobs end. lift: no more plans.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let (name, about) = (&input.name, input.task.trim());
        if input.lift {
            return Ok(team_action(
                format!("let {name} work without a plan"),
                format!("{name}: none any more"),
            ));
        }
        require(
            about,
            "Error: 'task' must say what the plan is for. Nothing was asked.",
        )?;
        Ok(team_action(
            format!("ask {name} for a plan: {about}"),
            format!("{name}: {}", one_line(about, 60)),
        ))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        if input.lift {
            let member = context.team.lift_plan(input.name).await?;
            return done(format!("'{member}' no longer needs an approved plan"));
        }
        let about = input.task.trim().to_owned();
        let PlanRequired {
            member,
            ended,
            unseen,
        } = context.team.request_plan(input.name, about).await?;
        let ended = named(". Its background jobs were ended: ", &ended);
        let unseen = named(
            ". Its worker does not answer, so these were not seen to end: ",
            &unseen,
        );
        done(format!(
            "Asked '{member}' for a plan; until one is approved it may only read{ended}{unseen}. You get mail when it submits one"
        ))
    }
}

fn named(words: &str, jobs: &[Job]) -> String {
    let names: Vec<String> = jobs.iter().map(Job::named).collect();
    match names.is_empty() {
        true => String::new(),
        false => format!("{words}{}", names.join(", ")),
    }
}
