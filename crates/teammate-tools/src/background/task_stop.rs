//! `task_stop`: ends a job in the background, with everything it has started.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::describe;
use crate::{
    spec::spec,
    team::{action, refused},
};

/// The tool.
pub struct TaskStop {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "task_id", alias = "job", alias = "id")]
    job_id: String,
}

impl TaskStop {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("task_stop", EffectClass::Team),
        }
    }
}

impl Default for TaskStop {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for TaskStop {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let input: Input = call.input.parse()?;
        Ok(action(
            format!("end the background job {}", input.job_id),
            input.job_id,
        ))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input: Input = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            let stopped = context.background.stop(&context.caller, &input.job_id);
            match stopped.await {
                Ok(view) => Outcome::ok(describe(&view, context).await),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
