//! What the Responses API streams.

use serde_json::{Value, json};
use teammate_core::{
    block::{Block, BlockView},
    model::{Reply, StopReason},
    tool::ToolInput,
};

use crate::anthropic::pieces;

/// A reply as the stream that the API would send.
pub fn stream(reply: &Reply) -> String {
    let mut events = Events::default();
    let response = |status: &str, output: Value, usage: Value| {
        json!({"id": "resp_1", "object": "response", "created_at": 1_700_000_000, "model": reply.model,
            "status": status, "output": output, "usage": usage, "error": null, "incomplete_details": null,
            "instructions": null, "metadata": {}, "parallel_tool_calls": true, "temperature": null,
            "tool_choice": "auto", "tools": [], "top_p": null})
    };
    let begun = response("in_progress", json!([]), Value::Null);
    events.push("response.created", json!({"response": begun.clone()}));
    events.push("response.in_progress", json!({"response": begun}));
    let is_refusal = reply.stop == StopReason::Refusal;
    let output: Vec<Value> = reply
        .blocks
        .iter()
        .enumerate()
        .map(|(at, block)| item(&mut events, at, block, is_refusal))
        .collect();
    let usage = reply.usage;
    let input = usage.input + usage.cache_read + usage.cache_write;
    let usage = json!({"input_tokens": input, "output_tokens": usage.output, "total_tokens": input + usage.output,
        "input_tokens_details": {"cached_tokens": usage.cache_read, "cache_write_tokens": usage.cache_write},
        "output_tokens_details": {"reasoning_tokens": usage.reasoning}});
    let reason = match &reply.stop {
        StopReason::MaxTokens | StopReason::ContextFull => Some("max_output_tokens"),
        StopReason::Other(reason) => Some(reason.as_str()),
        StopReason::EndTurn | StopReason::ToolUse | StopReason::Pause | StopReason::Refusal => None,
    };
    let (kind, status) = match reason {
        Some(_) => ("response.incomplete", "incomplete"),
        None => ("response.completed", "completed"),
    };
    let mut last = response(status, output.into(), usage);
    if let Some(reason) = reason {
        last["incomplete_details"] = json!({"reason": reason});
    }
    events.push(kind, json!({"response": last}));
    events.out
}

#[derive(Default)]
struct Events {
    out: String,
    count: u64,
}

impl Events {
    fn push(&mut self, kind: &str, mut data: Value) {
        data["type"] = kind.into();
        data["sequence_number"] = self.count.into();
        self.count += 1;
        self.out
            .push_str(&format!("event: {kind}\ndata: {data}\n\n"));
    }
}

/// Streams an item; returns it as it is when it is done.
fn item(events: &mut Events, at: usize, block: &Block, is_refusal: bool) -> Value {
    let (start, done) = match block.view() {
        BlockView::Text(text) => return message(events, at, &text, is_refusal),
        BlockView::ToolUse(call) => {
            let input = match &call.input {
                ToolInput::Json(raw) => raw.get().to_owned(),
                ToolInput::Damaged(text) => text.clone(),
            };
            let whole = |status: &str, arguments: &str| {
                json!({"id": format!("fc_{at}"), "type": "function_call", "status": status,
                    "call_id": call.id.as_str(), "name": call.name, "arguments": arguments})
            };
            let (start, done) = (whole("in_progress", ""), whole("completed", &input));
            events.push(
                "response.output_item.added",
                json!({"output_index": at, "item": start}),
            );
            let of_item = json!({"output_index": at, "item_id": format!("fc_{at}")});
            for piece in pieces(&input) {
                let delta = with(&of_item, json!({"delta": piece}));
                events.push("response.function_call_arguments.delta", delta);
            }
            let whole = with(&of_item, json!({"arguments": input, "name": call.name}));
            events.push("response.function_call_arguments.done", whole);
            events.push(
                "response.output_item.done",
                json!({"output_index": at, "item": done}),
            );
            return done;
        }
        BlockView::Thinking(text) => {
            let start = json!({"id": format!("rs_{at}"), "type": "reasoning", "summary": []});
            let blob = format!("enc-{}", text.len());
            let summary = json!([{"type": "summary_text", "text": text}]);
            let done = with(
                &start,
                json!({"summary": summary, "encrypted_content": blob}),
            );
            (start, done)
        }
        BlockView::Other => {
            let whole: Value = serde_json::from_str(block.json()).unwrap_or_default();
            (whole.clone(), whole)
        }
    };
    events.push(
        "response.output_item.added",
        json!({"output_index": at, "item": start}),
    );
    if let BlockView::Thinking(text) = block.view() {
        let of_part =
            json!({"output_index": at, "item_id": format!("rs_{at}"), "summary_index": 0});
        let part = json!({"part": {"type": "summary_text", "text": ""}});
        events.push(
            "response.reasoning_summary_part.added",
            with(&of_part, part),
        );
        for piece in pieces(&text) {
            let delta = with(&of_part, json!({"delta": piece}));
            events.push("response.reasoning_summary_text.delta", delta);
        }
        let whole = with(&of_part, json!({"text": text}));
        events.push("response.reasoning_summary_text.done", whole);
        let part = json!({"part": {"type": "summary_text", "text": text}});
        events.push("response.reasoning_summary_part.done", with(&of_part, part));
    }
    events.push(
        "response.output_item.done",
        json!({"output_index": at, "item": done}),
    );
    done
}

fn message(events: &mut Events, at: usize, text: &str, is_refusal: bool) -> Value {
    let id = format!("msg_{at}");
    let part = |text: &str| match is_refusal {
        true => json!({"type": "refusal", "refusal": text}),
        false => json!({"type": "output_text", "text": text, "annotations": [], "logprobs": []}),
    };
    let whole = |status: &str, content: Value| {
        json!({"id": id, "type": "message", "status": status, "role": "assistant", "content": content,
            "phase": "final_answer"})
    };
    let start = whole("in_progress", json!([]));
    events.push(
        "response.output_item.added",
        json!({"output_index": at, "item": start}),
    );
    let of_part = json!({"output_index": at, "item_id": id, "content_index": 0});
    events.push(
        "response.content_part.added",
        with(&of_part, json!({"part": part("")})),
    );
    let (kind, field) = match is_refusal {
        true => ("refusal", "refusal"),
        false => ("output_text", "text"),
    };
    for piece in pieces(text) {
        let mut delta = with(&of_part, json!({"delta": piece}));
        if !is_refusal {
            delta["logprobs"] = json!([]);
        }
        events.push(&format!("response.{kind}.delta"), delta);
    }
    let mut end = with(&of_part, json!({}));
    end[field] = text.into();
    if !is_refusal {
        end["logprobs"] = json!([]);
    }
    events.push(&format!("response.{kind}.done"), end);
    events.push(
        "response.content_part.done",
        with(&of_part, json!({"part": part(text)})),
    );
    let done = whole("completed", json!([part(text)]));
    events.push(
        "response.output_item.done",
        json!({"output_index": at, "item": done}),
    );
    done
}

/// These fields and more.
fn with(fields: &Value, more: Value) -> Value {
    let mut all = fields.clone();
    if let (Some(all), Value::Object(more)) = (all.as_object_mut(), more) {
        all.extend(more);
    }
    all
}
