//! `submit_plan`: submits the caller's plan for approval.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Submitted, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use crate::{
    spec::{one_line, spec},
    team::{action, refused},
};

/// The tool.
pub struct SubmitPlan {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "content", alias = "text")]
    plan: String,
}

impl SubmitPlan {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("submit_plan", EffectClass::Team),
        }
    }
}

impl Default for SubmitPlan {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for SubmitPlan {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let Input { plan } = call.input.parse()?;
        let summary = one_line(&plan, 60);
        Ok(action(format!("submit a plan:\n{plan}"), summary))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input: Input = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            match context
                .requests
                .submit_plan(&context.caller, input.plan)
                .await
            {
                Ok(Submitted { request, to }) => Outcome::ok(format!(
                    "Plan submitted to {to} ({request}). You may read, nothing else, until it is answered. End your turn now: the \
                     answer wakes you"
                )),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
