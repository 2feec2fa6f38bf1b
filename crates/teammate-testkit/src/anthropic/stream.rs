//! What the Messages API streams.

use serde_json::{Value, json};
use teammate_core::{
    block::{Block, BlockView},
    model::{Reply, StopReason},
    tool::ToolInput,
};

/// A reply as the stream that the API would send.
pub fn stream(reply: &Reply) -> String {
    let usage = reply.usage;
    let mut out = String::new();
    let mut event = |data: Value| {
        let kind = data["type"].as_str().unwrap_or_default();
        out.push_str(&format!("event: {kind}\ndata: {data}\n\n"));
    };
    event(json!({"type": "message_start", "message": {
        "id": "msg_1", "type": "message", "role": "assistant", "model": reply.model, "content": [],
        "stop_reason": null, "stop_sequence": null,
        "usage": {"input_tokens": usage.input, "output_tokens": 1, "cache_read_input_tokens": usage.cache_read,
            "cache_creation_input_tokens": usage.cache_write},
    }}));
    for (index, block) in reply.blocks.iter().enumerate() {
        let (start, deltas) = taken_apart(block);
        event(json!({"type": "content_block_start", "index": index, "content_block": start}));
        event(json!({"type": "ping"}));
        for delta in deltas {
            event(json!({"type": "content_block_delta", "index": index, "delta": delta}));
        }
        event(json!({"type": "content_block_stop", "index": index}));
    }
    let stop = match &reply.stop {
        StopReason::EndTurn => "end_turn",
        StopReason::ToolUse => "tool_use",
        StopReason::MaxTokens => "max_tokens",
        StopReason::Pause => "pause_turn",
        StopReason::Refusal => "refusal",
        StopReason::ContextFull => "model_context_window_exceeded",
        StopReason::Other(name) => name,
    };
    event(
        json!({"type": "message_delta", "delta": {"stop_reason": stop, "stop_sequence": null},
        "usage": {"output_tokens": usage.output}}),
    );
    event(json!({"type": "message_stop"}));
    out
}

/// A block's start and its deltas.
fn taken_apart(block: &Block) -> (Value, Vec<Value>) {
    let whole: Value = serde_json::from_str(block.json()).unwrap_or_default();
    match block.view() {
        BlockView::Text(text) => {
            let deltas = pieces(&text).map(|piece| json!({"type": "text_delta", "text": piece}));
            (json!({"type": "text", "text": ""}), deltas.collect())
        }
        BlockView::Thinking(text) => {
            let deltas =
                pieces(&text).map(|piece| json!({"type": "thinking_delta", "thinking": piece}));
            let signature = json!({"type": "signature_delta", "signature": whole["signature"].as_str().unwrap_or("")});
            let start = json!({"type": "thinking", "thinking": "", "signature": ""});
            (start, deltas.chain([signature]).collect())
        }
        BlockView::ToolUse(call) => {
            let input = match &call.input {
                ToolInput::Json(raw) => raw.get(),
                ToolInput::Damaged(text) => text,
            };
            let deltas = pieces(input)
                .map(|piece| json!({"type": "input_json_delta", "partial_json": piece}));
            let start =
                json!({"type": "tool_use", "id": call.id.as_str(), "name": call.name, "input": {}});
            (start, deltas.collect())
        }
        BlockView::Other => (whole, Vec::new()),
    }
}

/// A text in a few pieces, as a stream brings it.
pub(crate) fn pieces(text: &str) -> impl Iterator<Item = String> {
    let chars: Vec<char> = text.chars().collect();
    let size = (chars.len() / 4).max(3);
    let pieces: Vec<String> = chars
        .chunks(size)
        .map(|piece| piece.iter().collect())
        .collect();
    pieces.into_iter()
}
