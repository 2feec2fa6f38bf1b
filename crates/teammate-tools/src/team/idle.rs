//! `idle`: ends the caller's turn although its work goes on, and says what it waits for.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, refused};
use crate::spec::{one_line, spec};

/// The most characters of what is waited for: it stands on the roster and goes to the lead.
const SHOWN_MAX: usize = 200;

/// The tool.
pub struct Idle {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "reason", alias = "for")]
    waits_for: String,
}

impl Input {
    fn waits_for(&self) -> Result<String, Outcome> {
        let what = one_line(self.waits_for.trim().trim_end_matches('.'), SHOWN_MAX);
        if what.is_empty() {
            return Err(Outcome::error(
                "Error: say what you wait for. If your work is done, end your turn with its result instead.",
            ));
        }
        Ok(what)
    }
}

impl Idle {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("idle", EffectClass::Team),
        }
    }
}

impl Default for Idle {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for Idle {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let what = call.input.parse::<Input>()?.waits_for()?;
        Ok(action(format!("wait for {what}"), what))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let what = match call
                .input
                .parse::<Input>()
                .and_then(|input| input.waits_for())
            {
                Ok(what) => what,
                Err(outcome) => return outcome,
            };
            match context.office.pause(&context.caller, what).await {
                Ok(()) => Outcome::ok("Your turn ends here; mail wakes you."),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
