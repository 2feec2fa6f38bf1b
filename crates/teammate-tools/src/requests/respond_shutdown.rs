//! `respond_shutdown`: answers the shutdown that the caller is asked for.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    request::Answer,
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::parsed;
use crate::{
    spec::spec,
    team::{action, refused},
};

/// The tool.
pub struct RespondShutdown {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "requestId", alias = "id")]
    request_id: String,
    approve: bool,
    #[serde(default)]
    reason: String,
}

impl RespondShutdown {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("respond_shutdown", EffectClass::Team),
        }
    }
}

impl Default for RespondShutdown {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for RespondShutdown {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let Input {
            request_id,
            approve,
            ..
        } = call.input.parse()?;
        let word = if approve { "agree" } else { "refuse" };
        Ok(action(format!("{word} to shut down ({request_id})"), word))
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
            let answer = if input.approve {
                Answer::Approve {
                    note: input.reason,
                    mode: None,
                    always: false,
                }
            } else {
                Answer::no(input.reason)
            };
            let answered = context
                .requests
                .respond_shutdown(&context.caller, id, answer);
            match answered.await {
                Ok(()) if input.approve => {
                    Outcome::ok(format!("Agreed to {id}; you are stopped now"))
                }
                Ok(()) => Outcome::ok(format!("Refused {id}; go on")),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
