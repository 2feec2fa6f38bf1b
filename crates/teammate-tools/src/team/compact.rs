//! `compact`: the member's conversation is summed up after this round.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, refused};
use crate::spec::{one_line, spec};

/// The tool.
pub struct Compact {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(default)]
    focus: Option<String>,
}

impl Compact {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("compact", EffectClass::Team),
        }
    }
}

impl Default for Compact {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for Compact {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let focus = call.input.parse::<Input>()?.focus.unwrap_or_default();
        let summary = match focus.trim() {
            "" => "the conversation so far".to_owned(),
            focus => format!(
                "the conversation so far, above all: {}",
                one_line(focus, 60)
            ),
        };
        Ok(action(format!("sum up {summary}"), summary))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let Input { focus } = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            let focus = focus.filter(|focus| !focus.trim().is_empty());
            match context.office.compact(&context.caller, focus).await {
                Ok(()) => Outcome::ok("The conversation is summed up right after this."),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
