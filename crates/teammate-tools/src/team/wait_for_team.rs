//! `wait_for_team`: waits until nobody works any more, or mail has come.

use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, refused};
use crate::spec::spec;

/// The tool.
pub struct WaitForTeam {
    spec: ToolSpec,
}

impl WaitForTeam {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("wait_for_team", EffectClass::Team),
        }
    }
}

impl Default for WaitForTeam {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for WaitForTeam {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, _call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        Ok(action(
            "wait until the team is at rest or mail has come",
            "for the team",
        ))
    }

    fn run<'a>(&'a self, _call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            context.office.team_at_rest(&context.caller).await;
            match context.office.waiting_mail(&context.caller).await {
                Ok(0) => Outcome::ok("No teammate is working any more, and no mail waits."),
                Ok(1) => Outcome::ok("Mail has come: 1 new message, shown below"),
                Ok(count) => {
                    Outcome::ok(format!("Mail has come: {count} new messages, shown below"))
                }
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
