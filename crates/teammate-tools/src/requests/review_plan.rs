//! `review_plan`: answers a teammate's plan.

use serde::Deserialize;
use teammate_core::{
    permission::Mode,
    port::{Action, BoxFuture, Review, Tool, ToolContext},
    tool::{EffectClass, Outcome, ToolCall, ToolSpec},
};

use super::parsed;
use crate::{
    spec::{one_line, spec},
    team::{action, refused, unknown_mode},
};

/// The tool.
pub struct ReviewPlan {
    spec: ToolSpec,
}

#[derive(Deserialize)]
struct Input {
    #[serde(alias = "requestId", alias = "id")]
    request_id: String,
    approve: bool,
    #[serde(default)]
    feedback: String,
    #[serde(default, alias = "permissionMode", alias = "mode")]
    permission_mode: Option<String>,
}

impl Input {
    fn mode(&self) -> Result<Option<Mode>, Outcome> {
        let word = self
            .permission_mode
            .as_deref()
            .filter(|word| !word.is_empty());
        word.map(|word| Mode::parse(word).ok_or_else(|| unknown_mode(word, "Nothing was answered")))
            .transpose()
    }
}

impl ReviewPlan {
    /// The tool; it has no state.
    pub fn new() -> Self {
        Self {
            spec: spec!("review_plan", EffectClass::Team),
        }
    }
}

impl Default for ReviewPlan {
    fn default() -> Self {
        Self::new()
    }
}

impl Tool for ReviewPlan {
    fn spec(&self) -> &ToolSpec {
        &self.spec
    }

    fn action(&self, call: &ToolCall, _context: &ToolContext) -> Result<Action, Outcome> {
        let Input {
            request_id,
            approve,
            feedback,
            ..
        } = call.input.parse()?;
        let word = if approve { "approve" } else { "reject" };
        Ok(action(
            format!("{word} {request_id}: {feedback}"),
            format!("{word} {}", one_line(&request_id, 20)),
        ))
    }

    fn run<'a>(&'a self, call: &'a ToolCall, context: &'a ToolContext) -> BoxFuture<'a, Outcome> {
        Box::pin(async move {
            let input: Input = match call.input.parse() {
                Ok(input) => input,
                Err(outcome) => return outcome,
            };
            let (id, mode) = match parsed(&input.request_id).and_then(|id| Ok((id, input.mode()?)))
            {
                Ok(parsed) => parsed,
                Err(outcome) => return outcome,
            };
            let review = Review {
                approve: input.approve,
                feedback: input.feedback,
                mode,
            };
            let word = if review.approve {
                "approved"
            } else {
                "rejected"
            };
            match context
                .requests
                .review_plan(&context.caller, id, review)
                .await
            {
                Ok(name) => Outcome::ok(format!("Plan {word} ({id}); '{name}' is told")),
                Err(refusal) => refused(&refusal),
            }
        })
    }
}
