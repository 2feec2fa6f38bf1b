//! Words and texts of attributes.

use serde::Serialize;
use serde_json::{Value, json};
use teammate_core::model::StopReason;

/// How many bytes of a text are sent.
const TEXT_BYTES_MAX: usize = 16 * 1024;

/// The word by which events name a variant.
pub(super) fn word(variant: &impl Serialize) -> String {
    match serde_json::to_value(variant) {
        Ok(Value::String(word)) => word,
        // Of reasons, the kind only: the rest is text.
        Ok(Value::Object(fields)) => match fields.get("why") {
            Some(Value::String(why)) => why.clone(),
            Some(_) | None => "other".to_owned(),
        },
        Ok(_) | Err(_) => "other".to_owned(),
    }
}

/// The provider and the model of `PROVIDER:NAME`.
pub(super) fn provider_and_model(text: &str) -> (&str, &str) {
    text.split_once(':').unwrap_or((text, text))
}

/// Why a model stopped, by the convention's words where it has one.
pub(super) fn finish_reason(stop: &StopReason) -> String {
    match stop {
        StopReason::EndTurn => "stop".to_owned(),
        StopReason::ToolUse => "tool_call".to_owned(),
        StopReason::MaxTokens => "length".to_owned(),
        StopReason::Pause => "pause".to_owned(),
        StopReason::Refusal => "content_filter".to_owned(),
        StopReason::ContextFull => "context_full".to_owned(),
        StopReason::Other(name) => name.clone(),
    }
}

/// An answer, by the convention's schema of messages.
pub(super) fn output_messages(text: &str, stop: &StopReason) -> String {
    let part = json!({ "type": "text", "content": cut(text) });
    let message =
        json!({ "role": "assistant", "parts": [part], "finish_reason": finish_reason(stop) });
    json!([message]).to_string()
}

/// Its beginning, if it is too long.
pub(super) fn cut(text: &str) -> String {
    match text.len() > TEXT_BYTES_MAX {
        false => text.to_owned(),
        true => {
            let end = text.floor_char_boundary(TEXT_BYTES_MAX);
            format!("{}…", &text[..end])
        }
    }
}
