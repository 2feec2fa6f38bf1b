//! `answer_permission`: answers a teammate's permission question, within the ceiling that the user set.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    request::Answer,
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::parsed;
use crate::{
    spec::{one_line, spec},
    team::{action, refused},
};

/// The tool.
pub struct AnswerPermission {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "requestId", alias = "id")]
    request_id: String,
    #[serde(alias = "approve")]
    allow: bool,
    #[serde(default, alias = "reason")]
    because: String,
}

impl AnswerPermission {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("answer_permission", EffectClass::Team),
        }
    }
}

impl Default for AnswerPermission {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for AnswerPermission {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let Input {
            request_id, allow, ..
        } = call.input.parse()?;
        let word = if allow { "allow" } else { "deny" };
        Ok(action(
            format!("{word} {request_id}"),
            format!("{word} {}", one_line(&request_id, 20)),
        ))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input: Input = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            let id = match parsed(&input.request_id) {
                Ok(id) => id,
                Err(outcome) => return outcome,
            };
            let answer = if input.allow {
                Answer::yes()
            } else {
                Answer::no(input.because)
            };
            let word = if input.allow { "allowed" } else { "denied" };
            let answered = context
                .requests
                .answer_permission(&context.caller, id, answer);
            match answered.await {
                Ok(name) => Outcome::ok(format!("{id} {word}; '{name}' goes on")),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
