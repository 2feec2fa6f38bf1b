//! `read_inbox`: whether mail waits. Mail is heard right after the outcome, so this never shows it itself.

use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::{action, refused};
use crate::spec::spec;

/// The tool.
pub struct ReadInbox {
    spec: ToolSpec,
}

impl ReadInbox {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("read_inbox", EffectClass::Team),
        }
    }
}

impl Default for ReadInbox {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for ReadInbox {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, _call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        Ok(action("read the inbox", "look for mail"))
    }

    fn run<'a>(&'a self, _call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            match context.office.waiting_mail(&context.caller).await {
                Ok(0) => Outcome::ok("(inbox empty)"),
                Ok(1) => Outcome::ok("1 new message, shown below"),
                Ok(count) => Outcome::ok(format!("{count} new messages, shown below")),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
