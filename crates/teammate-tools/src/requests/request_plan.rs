//! `request_plan`: asks a teammate for a plan before it does more than read.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use crate::{
    spec::{one_line, spec},
    team::{action, refused},
};

/// The tool.
pub struct RequestPlan {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "teammate", alias = "member")]
    name: String,
    #[serde(alias = "about")]
    task: String,
}

impl RequestPlan {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("request_plan", EffectClass::Team),
        }
    }
}

impl Default for RequestPlan {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for RequestPlan {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let Input { name, task } = call.input.parse()?;
        Ok(action(
            format!("ask {name} for a plan: {task}"),
            format!("{name}: {}", one_line(&task, 60)),
        ))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input: Input = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            let asked = context
                .requests
                .request_plan(&context.caller, &input.name, input.task);
            match asked.await {
                Ok(name) => Outcome::ok(format!(
                    "Asked '{name}' for a plan; until one is approved it may only read. You will be told when it is submitted"
                )),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
