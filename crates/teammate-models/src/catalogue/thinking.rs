//! How a family is asked to think.

use std::collections::BTreeMap;

use serde::Deserialize;
use teammate_core::model::{Effort, Wire};

/// How a family is asked to think.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Thinking {
    /// The fields that say it.
    pub form: ThinkingForm,
    /// The levels that the family takes, each with the vendor's word or number for it. `off` is among them where the family
    /// thinks unless a request says otherwise.
    pub levels: BTreeMap<Effort, EffortLevel>,
    /// The level unless one is configured; `off` where thinking would surprise.
    pub default: Effort,
    /// Whether it thinks in any case: `off` cannot keep it from thinking.
    #[serde(default)]
    pub always: bool,
    /// Whether it can think between calls, if a header asks for it.
    #[serde(default)]
    pub interleaved: bool,
    /// Whether answers with calls go back with an empty `reasoning_content` where they have none.
    #[serde(default)]
    pub echo: bool,
    /// Whether its signed thinking is bound to everything before it, byte for byte.
    #[serde(default)]
    pub bound: bool,
}

/// A level in the vendor's own terms.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum EffortLevel {
    /// Tokens to think.
    Budget(u32),
    Word(String),
}

/// The fields of a request that ask for thinking.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ThinkingForm {
    /// Messages: `thinking: {type: adaptive}`, and the level in `output_config.effort`.
    Adaptive,
    /// Messages: `thinking: {type: enabled, budget_tokens: N}`.
    Budget,
    /// Responses: `reasoning.effort`; chat completions: `reasoning_effort`.
    ReasoningEffort,
    /// Chat completions: `reasoning: {effort: WORD}`, as gateways have it.
    ReasoningObject,
    /// Chat completions: `thinking: {type: enabled}` with `reasoning_effort`; a level whose word is a type (`enabled`,
    /// `adaptive`) is sent as that type alone.
    ThinkingType,
    /// Chat completions: `enable_thinking: true`, with `thinking_budget`.
    EnableThinking,
}

impl ThinkingForm {
    /// Whether requests of this wire have such fields.
    pub fn fits(self, wire: Wire) -> bool {
        match self {
            Self::Adaptive | Self::Budget => wire == Wire::Anthropic,
            Self::ReasoningEffort => matches!(wire, Wire::OpenAi | Wire::Responses),
            Self::ReasoningObject | Self::ThinkingType | Self::EnableThinking => {
                wire == Wire::OpenAi
            }
        }
    }
}

impl Thinking {
    /// Takes the form of a server that passes requests on, with its own words for our levels.
    pub(super) fn via(&mut self, form: ThinkingForm) {
        if self.form.fits(Wire::Anthropic) {
            // A gateway may offer the Messages API as well: there the family's own form is right.
            return;
        }
        self.form = form;
        for (effort, level) in &mut self.levels {
            *level = EffortLevel::Word(gateway_word(*effort).to_owned());
        }
    }
}

/// The word of a gateway for a level, whatever the vendor's is (OpenRouter, page "Reasoning tokens", 2026-11).
fn gateway_word(effort: Effort) -> &'static str {
    match effort {
        Effort::Off => "none",
        Effort::Low => "low",
        Effort::Medium => "medium",
        Effort::High => "high",
        Effort::Max => "xhigh",
    }
}
