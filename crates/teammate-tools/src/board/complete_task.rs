//! `complete_task`: says that a task is done, with what came of it.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{
    IdInput, action,
    completing::{Uncommitted, complete, place_told},
    freed, refused,
};
use crate::spec::{one_line, spec};

/// The tool.
pub struct CompleteTask {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "taskId", alias = "id")]
    task_id: IdInput,
    #[serde(default, alias = "summary")]
    result: String,
    #[serde(default)]
    leave_uncommitted: bool,
}

impl CompleteTask {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("complete_task", EffectClass::Team),
        }
    }
}

impl Default for CompleteTask {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for CompleteTask {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let input: Input = call.input.parse()?;
        let id = input.task_id.parse()?;
        let summary = format!("{id}: {}", one_line(&input.result, 80));
        Ok(action(format!("complete {id}:\n{}", input.result), summary))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input: Input = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            let id = match input.task_id.parse() {
                Ok(id) => id,
                Err(outcome) => return outcome,
            };
            let uncommitted = Uncommitted::left_if(input.leave_uncommitted);
            match complete(context, id, input.result, uncommitted).await {
                Ok(done) => Outcome::ok(format!(
                    "Completed {id} ({}).{}{}",
                    done.task.subject,
                    freed(&done),
                    place_told(&done, context)
                )),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
