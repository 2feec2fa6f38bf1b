//! `task_output`: how a background job stands and what it has printed; waits for its end if asked to, or ends it. Without a
//! job, which there are.

use std::time::Duration;

use schemars::JsonSchema;
use serde::Deserialize;
use teammate_core::{
    port::{Action, ToolContext},
    tool::{EffectClass, Outcome},
};

use super::{job_text, listed, task_stop};
use crate::{
    arguments::{Milliseconds, shorter},
    typed_tool::{Reply, TypedTool, done, team_action},
};

const WAIT_SECONDS: u64 = 30;
const WAIT_SECONDS_MAX: u64 = 600;

pub(super) struct TaskOutput;

#[derive(Deserialize, JsonSchema)]
pub(super) struct Input {
    /// Without: list jobs.
    #[serde(
        alias = "task_id",
        alias = "job",
        alias = "id",
        alias = "bash_id",
        alias = "shell_id"
    )]
    job_id: Option<String>,
    /// false: do not wait.
    #[serde(default)]
    block: Option<bool>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
    #[serde(default)]
    #[schemars(skip)]
    timeout: Option<Milliseconds>,
    #[serde(default)]
    stop: bool,
}

impl Input {
    fn wait(&self) -> Duration {
        if self.block == Some(false) {
            return Duration::ZERO;
        }
        let seconds = shorter(self.timeout_seconds, self.timeout).unwrap_or(WAIT_SECONDS);
        Duration::from_secs(seconds.min(WAIT_SECONDS_MAX))
    }

    /// The job to be stopped.
    fn stopped(&self) -> Result<&str, Outcome> {
        let job = self.job_id.as_deref();
        job.ok_or_else(|| Outcome::error("Error: say which job to stop: give job_id."))
    }
}

impl TypedTool for TaskOutput {
    type Input = Input;
    const NAME: &'static str = "task_output";
    const DESCRIPTION: &'static str = "Show a background job and the end of its output, or stop it; waits for its \
        end. You are notified anyway.";
    const CLASS: EffectClass = EffectClass::Team;

    fn action(&self, input: &Input, _: &ToolContext) -> Result<Action, Outcome> {
        if input.stop {
            return Ok(task_stop::action(input.stopped()?));
        }
        let what = input.job_id.as_deref().unwrap_or("all");
        Ok(team_action(
            format!("look at background jobs: {what}"),
            what,
        ))
    }

    async fn run(&self, input: Input, context: &ToolContext) -> Reply {
        if input.stop {
            return task_stop::stop(input.stopped()?, context).await;
        }
        let wait = input.wait();
        match input.job_id {
            None => done(listed(&context.team.jobs())),
            Some(job) => done(job_text(&context.team.job(job, wait).await?, context).await),
        }
    }
}
