//! The lead's words as they come, as events of a stream of the Messages API. A piece may be missing where a reader is slow; the
//! message that follows has all of it.

use serde_json::{Value, json};
use uuid::Uuid;

/// The answer that comes.
#[derive(Debug, Default)]
pub(super) struct Pieces {
    has_begun: bool,
    has_block: bool,
}

impl Pieces {
    /// A model is asked.
    pub(super) fn begin(&mut self, model: &str) -> Vec<Value> {
        *self = Self {
            has_begun: true,
            has_block: false,
        };
        let message = json!({
            "id": format!("msg_{}", Uuid::now_v7().simple()),
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [],
            "stop_reason": null,
            "stop_sequence": null,
            "usage": { "input_tokens": 0, "output_tokens": 0 },
        });
        vec![json!({ "type": "message_start", "message": message })]
    }

    /// Some more text.
    pub(super) fn text(&mut self, delta: &str) -> Vec<Value> {
        let mut events = Vec::new();
        if !std::mem::replace(&mut self.has_block, true) {
            let block = json!({ "type": "text", "text": "" });
            events
                .push(json!({ "type": "content_block_start", "index": 0, "content_block": block }));
        }
        let delta = json!({ "type": "text_delta", "text": delta });
        events.push(json!({ "type": "content_block_delta", "index": 0, "delta": delta }));
        events
    }

    /// The answer is whole.
    pub(super) fn end(&mut self, stop: &str, usage: &Value) -> Vec<Value> {
        let Self {
            has_begun,
            has_block,
        } = std::mem::take(self);
        if !has_begun {
            return Vec::new();
        }
        let mut events = Vec::new();
        if has_block {
            events.push(json!({ "type": "content_block_stop", "index": 0 }));
        }
        let delta = json!({ "stop_reason": stop, "stop_sequence": null });
        events.push(json!({ "type": "message_delta", "delta": delta, "usage": usage }));
        events.push(json!({ "type": "message_stop" }));
        events
    }
}
