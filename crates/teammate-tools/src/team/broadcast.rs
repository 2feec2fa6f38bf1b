//! `broadcast`: mail to every other member.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, refused, said};
use crate::spec::{one_line, spec};

/// The tool.
pub struct Broadcast {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "message")]
    content: String,
}

impl Broadcast {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("broadcast", EffectClass::Team),
        }
    }
}

impl Default for Broadcast {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for Broadcast {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let input: Input = call.input.parse()?;
        let summary = one_line(&input.content, 80);
        Ok(action(format!("to everybody:\n{}", input.content), summary))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let said = call
                .input
                .parse()
                .and_then(|input: Input| said(input.content));
            let content = match said {
                Ok(content) => content,
                Err(outcome) => return outcome,
            };
            match context.office.broadcast(&context.caller, content).await {
                Ok(0) => Outcome::ok("Broadcast to 0 teammates: there are none."),
                Ok(count) => Outcome::ok(format!("Broadcast to {count} teammates")),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
