//! `send_message`: mail to one member.

use serde::Deserialize;
use teammate_core::{
    port::{Action, BoxFuture, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolNames, ToolSpec},
};

use super::{action, refused, said};
use crate::spec::{one_line, spec};

/// The tool.
pub struct SendMessage {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "recipient")]
    to: String,
    #[serde(default, alias = "message")]
    content: String,
    /// Other programs send their protocols' frames by this tool; here a frame is nobody's to write.
    #[serde(default, rename = "type", alias = "msg_type")]
    kind: Option<String>,
}

impl Input {
    /// Recipient and text; or where to go with what is no message.
    fn letter(self, names: &ToolNames) -> Result<(String, String), Outcome> {
        let tool = match self.kind.as_deref() {
            Some("shutdown_request") => "request_shutdown",
            Some("shutdown_response" | "shutdown_approved" | "shutdown_rejected") => {
                "respond_shutdown"
            }
            Some("plan_approval_request") => "submit_plan",
            Some("plan_approval_response") => "review_plan",
            Some("permission_response") => "answer_permission",
            Some(_) | None => return Ok((self.to, said(self.content)?)),
        };
        Err(Outcome::error(format!(
            "Error: that is no message but a step of a protocol; call {} for it. Nothing was sent.",
            names.of(tool)
        )))
    }
}

impl SendMessage {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("send_message", EffectClass::Team),
        }
    }
}

impl Default for SendMessage {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for SendMessage {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let input: Input = call.input.parse()?;
        let summary = format!("{}: {}", input.to, one_line(&input.content, 80));
        Ok(action(
            format!("to {}:\n{}", input.to, input.content),
            summary,
        ))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input = call.input.parse::<Input>();
            let (to, content) = match input.and_then(|input| input.letter(&context.tool_names)) {
                Ok(said) => said,
                Err(outcome) => return outcome,
            };
            if to == "all" {
                return to_all(context, content).await;
            }
            match context.office.send(&context.caller, &to, content).await {
                Ok(name) => Outcome::ok(format!("Sent message to {name}")),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}

/// The lead may write to everybody at once; others write to those it concerns.
async fn to_all(context: &ToolContext, content: String) -> Outcome {
    if !context.caller.name.is_lead() {
        return Outcome::error(
            "Error: only the lead can write to all; write to those it concerns by name, or to the lead. Nothing was sent.",
        );
    }
    match context.office.broadcast(&context.caller, content).await {
        Ok(0) => Outcome::error("Error: there are no teammates; nothing was sent."),
        Ok(count) => Outcome::ok(format!("Broadcast to {count} teammates")),
        Err(refusal) => refused(&refusal),
    }
}
