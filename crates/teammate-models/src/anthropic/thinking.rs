//! The fields of a request that ask for thinking, by the form of the model's family.

use teammate_core::model::{Effort, ModelRequest, Role, Wire};

use super::message::begins_with_thinking;
use crate::{
    catalogue::{EffortLevel, Thinking, ThinkingForm},
    json::quoted,
    settings::ModelSettings,
};

/// The least budget that the API takes (docs "Extended thinking", 2026-08).
const BUDGET_MIN: u32 = 1_024;

/// Thinking between calls with a budget; with adaptive thinking it needs no header.
const INTERLEAVED: &str = "interleaved-thinking-2025-05-14";
/// Lets the server drop thinking that is bound to another beginning, in place of refusing the request.
const BINDING: &str = "thinking-binding-controls-2026-08-01";

/// The thinking fields of a request. The default says nothing.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct ThinkingFields {
    /// The value of `thinking`.
    pub(super) thinking: Option<String>,
    /// The value of `output_config.effort`.
    pub(super) effort: Option<String>,
    /// Beta features that these need.
    pub(super) beta: Option<&'static str>,
}

impl ThinkingFields {
    /// Whether it says anything.
    pub(super) fn is_empty(&self) -> bool {
        self.thinking.is_none() && self.effort.is_none()
    }

    /// The thinking fields of this request.
    pub(super) fn of(settings: &ModelSettings, request: &ModelRequest) -> Self {
        let effort = request.options.effort;
        let Some((thinking, level)) = settings.level(Wire::Anthropic, effort) else {
            return Self::default();
        };
        match (effort, level) {
            // How this family is kept from thinking.
            (Effort::Off, EffortLevel::Word(word)) => Self {
                thinking: Some(format!(r#"{{"type":{}}}"#, quoted(word))),
                ..Self::default()
            },
            (Effort::Off, EffortLevel::Budget(_)) => Self::default(),
            (_, EffortLevel::Word(word)) => Self::adaptive(thinking, word, request),
            (_, EffortLevel::Budget(budget)) => Self::budget(thinking, *budget, request),
        }
    }

    fn adaptive(thinking: &Thinking, word: &str, request: &ModelRequest) -> Self {
        let binding = match thinking.bound {
            true => r#","block_binding":{"prefix_mismatch_behavior":"drop_block"}"#,
            false => "",
        };
        let shown = display(request);
        Self {
            thinking: Some(format!(r#"{{"type":"adaptive"{shown}{binding}}}"#)),
            effort: Some(quoted(word)),
            beta: thinking.bound.then_some(BINDING),
        }
    }

    /// Nothing is said where the API would refuse it: too little room, or a tool loop that began without thinking.
    fn budget(thinking: &Thinking, budget: u32, request: &ModelRequest) -> Self {
        let budget = budget.min(request.max_tokens / 4 * 3);
        if budget < BUDGET_MIN || is_in_loop_without_thinking(request) {
            return Self::default();
        }
        let shown = display(request);
        Self {
            thinking: Some(format!(
                r#"{{"type":"enabled","budget_tokens":{budget}{shown}}}"#
            )),
            effort: None,
            beta: (thinking.form == ThinkingForm::Budget && thinking.interleaved)
                .then_some(INTERLEAVED),
        }
    }
}

/// Newer families keep their thinking to themselves unless a summary is asked for.
fn display(request: &ModelRequest) -> &'static str {
    match request.options.shows_thinking {
        true => r#","display":"summarized""#,
        false => "",
    }
}

/// Whether the last answer called tools and did not begin with thinking that this model can read: then thinking cannot begin in
/// the middle.
fn is_in_loop_without_thinking(request: &ModelRequest) -> bool {
    let last = request
        .messages
        .iter()
        .rev()
        .find(|message| message.role == Role::Assistant);
    last.is_some_and(|answer| {
        let is_readable = super::is_native(answer, &request.model) && begins_with_thinking(answer);
        !answer.call_ids().is_empty() && !is_readable
    })
}
