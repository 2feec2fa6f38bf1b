//! `task_output`: how a job in the background stands and what it has printed; waits for its end if asked to. Without a
//! job, which there are.

use std::time::Duration;

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{describe, listed};
use crate::{
    spec::spec,
    team::{action, refused},
};

const WAIT_SECONDS: u64 = 30;
const WAIT_SECONDS_MAX: u64 = 600;

/// The tool.
pub struct TaskOutput {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "task_id", alias = "job", alias = "id")]
    job_id: Option<String>,
    #[serde(default)]
    block: Option<bool>,
    #[serde(default)]
    timeout_seconds: Option<u64>,
}

impl TaskOutput {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("task_output", EffectClass::Team),
        }
    }
}

impl Default for TaskOutput {
    fn default() -> Self {
        Self::new()
    }
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

impl Tool for TaskOutput {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let input: Input = call.input.parse()?;
        let what = input.job_id.unwrap_or_else(|| "all".to_owned());
        Ok(action(format!("look at background jobs: {what}"), what))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input: Input = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            let background = &context.background;
            let Some(job) = &input.job_id else {
                return Outcome::ok(listed(&background.list(&context.caller).await));
            };
            let looked = background.output(&context.caller, job, input.wait());
            match looked.await {
                Ok(view) => Outcome::ok(describe(&view, context).await),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
