//! An answer that comes whole although a stream was asked for: the events that would have brought it.

use serde_json::{Value, json};
use teammate_core::model::Wire;

use crate::sse::SseEvent;

/// The events of a whole answer on this wire, or those that stand one in a line; `None` if the body is neither.
pub(crate) fn events(wire: Wire, body: &str) -> Option<Vec<SseEvent>> {
    let Ok(answer) = serde_json::from_str::<Value>(body) else {
        return lines(body);
    };
    let events = match wire {
        Wire::OpenAi => chat(&answer)?,
        Wire::Responses => {
            answer["output"].as_array()?;
            let kind = match answer["status"].as_str() {
                Some("failed") => "response.failed",
                Some("incomplete") => "response.incomplete",
                Some(_) | None => "response.completed",
            };
            vec![json!({ "type": kind, "response": answer })]
        }
        Wire::Anthropic | Wire::Plain => message(&answer)?,
    };
    let events = events.into_iter().map(|data| event(data.to_string()));
    Some(events.collect())
}

/// Objects, one in a line.
fn lines(body: &str) -> Option<Vec<SseEvent>> {
    let lines = body.lines().map(str::trim).filter(|line| !line.is_empty());
    let events = lines.map(|line| {
        let object: Value = serde_json::from_str(line).ok()?;
        object.is_object().then(|| event(line.to_owned()))
    });
    events.collect()
}

fn event(data: String) -> SseEvent {
    SseEvent {
        name: String::new(),
        data,
    }
}

/// One chunk, whose delta is the message.
fn chat(answer: &Value) -> Option<Vec<Value>> {
    let choice = answer["choices"].as_array()?.first()?;
    let mut delta = choice["message"].clone();
    // Their places distinguish calls.
    if let Some(calls) = delta["tool_calls"].as_array_mut() {
        for (index, call) in calls.iter_mut().enumerate() {
            call["index"] = index.into();
        }
    }
    let reason = choice["finish_reason"].as_str().unwrap_or("stop");
    Some(vec![json!({
        "model": answer["model"].as_str(),
        "choices": [{ "index": 0, "delta": delta.as_object()?, "finish_reason": reason }],
        "usage": answer["usage"],
    })])
}

/// Each block opened with all that is in it, and closed.
fn message(answer: &Value) -> Option<Vec<Value>> {
    let blocks = answer["content"].as_array()?;
    let started =
        json!({ "model": answer["model"].as_str().unwrap_or_default(), "usage": answer["usage"] });
    let mut events = vec![json!({ "type": "message_start", "message": started })];
    for (index, block) in blocks.iter().enumerate() {
        events
            .push(json!({ "type": "content_block_start", "index": index, "content_block": block }));
        events.push(json!({ "type": "content_block_stop", "index": index }));
    }
    let delta = json!({ "stop_reason": answer["stop_reason"] });
    events.push(json!({ "type": "message_delta", "delta": delta, "usage": answer["usage"] }));
    events.push(json!({ "type": "message_stop" }));
    Some(events)
}
