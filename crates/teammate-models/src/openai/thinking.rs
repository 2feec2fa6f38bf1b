//! The fields of a chat request that ask for reasoning, by the form of the model's family.

use std::fmt::Write as _;

use teammate_core::model::{Effort, ModelRequest, Wire};

use crate::{
    catalogue::{Level, ThinkingForm},
    json::quoted,
    settings::ModelSettings,
};

/// Adds what this request says about reasoning; false if it says nothing.
pub(super) fn push(body: &mut String, settings: &ModelSettings, request: &ModelRequest) -> bool {
    let effort = request.options.effort;
    let Some((thinking, level)) = settings.level(Wire::OpenAi, effort) else {
        return false;
    };
    let is_on = effort != Effort::Off;
    let word = match level {
        Level::Word(word) => quoted(word),
        Level::Budget(tokens) => tokens.to_string(),
    };
    // Writing to a string cannot fail.
    let _ = match thinking.form {
        ThinkingForm::ReasoningEffort => write!(body, r#","reasoning_effort":{word}"#),
        ThinkingForm::ReasoningObject => write!(body, r#","reasoning":{{"effort":{word}}}"#),
        // The word for `off` is the type; others are efforts beside it.
        ThinkingForm::ThinkingType if is_on => write!(
            body,
            r#","thinking":{{"type":"enabled"}},"reasoning_effort":{word}"#
        ),
        ThinkingForm::ThinkingType => write!(body, r#","thinking":{{"type":{word}}}"#),
        ThinkingForm::EnableThinking if is_on => {
            write!(body, r#","enable_thinking":true,"thinking_budget":{word}"#)
        }
        ThinkingForm::EnableThinking => write!(body, r#","enable_thinking":false"#),
        ThinkingForm::Adaptive | ThinkingForm::Budget => return false,
    };
    true
}
