//! `claim_task`: takes a task, so that nobody else does it.

use teammate_core::{
    board::TaskAsk,
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, one_task, refused};
use crate::spec::spec;

/// The tool.
pub struct ClaimTask {
    spec: ToolSpec,
}

impl ClaimTask {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("claim_task", EffectClass::Team),
        }
    }
}

impl Default for ClaimTask {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for ClaimTask {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let id = one_task(call)?;
        Ok(action(format!("claim {id}"), id.to_string()))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let id = match one_task(call) {
                Ok(id) => id,
                Err(outcome) => return outcome,
            };
            match context.tasks.ask(&context.caller, TaskAsk::Claim(id)).await {
                Ok(done) => Outcome::ok(format!(
                    "Claimed {id} ({}) for {}.\n{}",
                    done.task.subject, context.caller.name, done.task.description
                )),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
