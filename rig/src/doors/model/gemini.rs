//! An answer on Gemini's wire.

use serde_json::json;
use teammate_testkit::Answer;

use super::Next;

/// The whole answer, as one event where it is to be streamed.
pub(super) fn answer(path: &str, next: &Next) -> Answer {
    let part = match next {
        Next::Says(text) => json!({ "text": text }),
        Next::Calls(tool, input) => json!({ "functionCall": { "name": tool.name, "args": input } }),
    };
    let answer = json!({
        "candidates": [{
            "content": { "role": "model", "parts": [part] },
            "finishReason": "STOP",
            "index": 0,
        }],
        "usageMetadata": { "promptTokenCount": 5, "candidatesTokenCount": 5, "totalTokenCount": 10 },
    });
    match path.contains("stream") {
        true => Answer::stream(format!("data: {answer}\n\n")),
        false => Answer::body(200, "application/json", answer.to_string()),
    }
}
