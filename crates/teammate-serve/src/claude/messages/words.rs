//! What the Messages API calls it.

use serde_json::{Value, json};
use teammate::model::{StopReason, Usage};

/// Why an answer stopped.
pub(crate) fn stop_word(stop: &StopReason) -> String {
    let word = match stop {
        StopReason::EndTurn => "end_turn",
        StopReason::ToolUse => "tool_use",
        StopReason::MaxTokens => "max_tokens",
        StopReason::Pause => "pause_turn",
        StopReason::Refusal => "refusal",
        StopReason::ContextFull => "model_context_window_exceeded",
        StopReason::Other(word) => word,
    };
    word.to_owned()
}

/// The tokens of answers.
pub(crate) fn usage(usage: Usage) -> Value {
    json!({
        "input_tokens": usage.input,
        "output_tokens": usage.output,
        "cache_creation_input_tokens": usage.cache_write,
        "cache_read_input_tokens": usage.cache_read,
        "server_tool_use": { "web_search_requests": 0, "web_fetch_requests": 0 },
        "service_tier": "standard",
    })
}
