//! What takes the place of an agent's model: a server on the wires of Anthropic, OpenAI (both) and Gemini. What it has the agent do
//! next is decided by who starts it, from each request alone.

mod asked;
mod gemini;

use std::sync::{Arc, Mutex, PoisonError};

use serde_json::{Value, json};
use teammate_core::{
    block::Block,
    model::{Reply, StopReason, Wire},
    tool::{CallId, ToolCall, ToolInput},
};
use teammate_testkit::{
    Answer, RecordedRequest, Server, anthropic_stream, openai_stream, reply, responses_stream,
};

pub(super) use asked::{Asked, Offered};

/// The server, and the calls that it has the agent make.
pub(super) struct Model {
    server: Server,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Model {
    /// A model that decides so.
    pub(super) async fn start(
        mut decide: impl FnMut(&Asked) -> Next + Send + 'static,
    ) -> Result<Self, String> {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let made = calls.clone();
        let server = Server::for_others(move |request| {
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            answer(request, &mut made, &mut decide)
        });
        let server = server.await.map_err(|error| error.to_string())?;
        Ok(Self { server, calls })
    }

    pub(super) fn url(&self) -> String {
        self.server.url()
    }

    pub(super) fn calls(&self) -> Vec<String> {
        self.calls
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// What the model does next.
pub(super) enum Next {
    Says(&'static str),
    Calls(Offered, Value),
}

fn answer(
    request: &RecordedRequest,
    made: &mut Vec<String>,
    decide: &mut impl FnMut(&Asked) -> Next,
) -> Answer {
    let Some(asked) = Asked::of(request) else {
        // Lists of models, counts of tokens, and what agents ask besides.
        let counts = json!({ "data": [], "models": [], "input_tokens": 10, "totalTokens": 10 });
        return Answer::body(200, "application/json", counts.to_string());
    };
    let next = decide(&asked);
    if let Next::Calls(tool, input) = &next {
        let name = input["name"].as_str().unwrap_or(&tool.name);
        made.push(name.trim_start_matches("mcp__team__").to_owned());
    }
    let number = made.len();
    if asked.is_gemini {
        return gemini::answer(&request.path, &next);
    }
    let stream = match (&next, request.wire) {
        (Next::Says(text), wire) => {
            streamed(wire, &reply(vec![Block::text(text)], StopReason::EndTurn))
        }
        (Next::Calls(tool, input), wire) => {
            let call = ToolCall {
                id: CallId::new(format!("call_{number}_{}", request.body.len())),
                name: tool.name.clone(),
                input: ToolInput::from_json(input.to_string()),
            };
            let reply = reply(vec![Block::tool_use(&call)], StopReason::ToolUse);
            let stream = streamed(wire, &reply);
            match &tool.namespace {
                // The Responses API names it beside the tool.
                Some(namespace) => stream.replace(
                    &format!("\"name\":\"{}\"", tool.name),
                    &format!("\"name\":\"{}\",\"namespace\":\"{namespace}\"", tool.name),
                ),
                None => stream,
            }
        }
    };
    // Agents take what has the same id for the same.
    let stream = stream
        .replace("msg_1", &format!("msg_{number}"))
        .replace("resp_1", &format!("resp_{number}"));
    Answer::stream(stream)
}

fn streamed(wire: Wire, reply: &Reply) -> String {
    match wire {
        Wire::OpenAi => openai_stream(reply),
        Wire::Responses => responses_stream(reply),
        Wire::Anthropic | Wire::Plain => anthropic_stream(reply),
    }
}
