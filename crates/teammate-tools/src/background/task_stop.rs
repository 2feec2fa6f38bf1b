//! `task_stop`: ends a background job, with everything it has started.

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::job_text;
use crate::typed_tool::{Reply, TypedTool, done, team_action};

pub(super) struct TaskStop;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    #[serde(
        alias = "task_id",
        alias = "job",
        alias = "id",
        alias = "bash_id",
        alias = "shell_id"
    )]
    job_id: String,
}

impl TypedTool for TaskStop {
    type Input = Input;
    const NAME: &'static str = "task_stop";
    const DESCRIPTION: &'static str =
        "End a background job and all it started; returns its output.";
    const CLASS: EffectClass = EffectClass::Team;
    // `task_output` stops as well.
    const IS_OFFERED: bool = false;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        Ok(action(&input.job_id))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        stop(&input.job_id, context).await
    }
}

pub(super) fn action(job: &str) -> Action {
    team_action(format!("end the background job {job}"), job)
}

pub(super) async fn stop(job: &str, context: &ToolContext) -> Reply {
    done(job_text(&context.team.stop_job(job.to_owned()).await?, context).await)
}
