//! `task_output`: how a background job stands and what it has printed; waits for its end if asked to. Without a job, which
//! there are.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::{job_text, listed};
use crate::typed_tool::{Reply, TypedTool, done, team_action};

const WAIT_SECONDS: u64 = 30;
const WAIT_SECONDS_MAX: u64 = 600;

pub(super) struct TaskOutput;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    /// Like b1; without: list jobs.
    #[serde(alias = "task_id", alias = "job", alias = "id")]
    job_id: Option<String>,
    /// false: do not wait.
    #[serde(default)]
    block: Option<bool>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

impl Input {
    fn wait(&self) -> Duration {
        if self.block == Some(false) {
            return Duration::ZERO;
        }
        let seconds = self.timeout_seconds.unwrap_or(WAIT_SECONDS);
        Duration::from_secs(seconds.min(WAIT_SECONDS_MAX))
    }
}

impl TypedTool for TaskOutput {
    type Input = Input;
    const NAME: &'static str = "task_output";
    const DESCRIPTION: &'static str = "Show how a background job stands and the end of its output; waits for its end. You are notified \
        anyway: wait only if nothing else is left to do.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        let what = input.job_id.as_deref().unwrap_or("all");
        Ok(team_action(
            format!("look at background jobs: {what}"),
            what,
        ))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        let wait = input.wait();
        match input.job_id {
            None => done(listed(&context.team.jobs())),
            Some(job) => done(job_text(&context.team.job(job, wait).await?, context).await),
        }
    }
}
