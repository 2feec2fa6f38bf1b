//! What takes the place of an agent's model: a server on the wires of Anthropic, OpenAI (both) and Gemini, that has the agent call
//! the team's tools, one after the other. It reads in each request how far that is. It knows what the agents do with the tools of a
//! server: show them all, or only their names, to be found by one tool and perhaps called by another.

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

use asked::{Asked, Offered};

/// What the model says at the end.
pub(super) const FINAL_WORDS: &str = "The team has written: Snow on the roof";

/// The team's tools that are called, as an agent finds them by name.
const FOUND: &str = "select:mcp__team__start_team,mcp__team__wait_for_team,mcp__team__send_mail,mcp__team__read_result";

/// The server, and the calls that it has the agent make.
pub(super) struct Model {
    server: Server,
    calls: Arc<Mutex<Vec<String>>>,
}

impl Model {
    pub(super) async fn start(wait_seconds: u64) -> Result<Self, String> {
        let calls = Arc::new(Mutex::new(Vec::new()));
        let made = calls.clone();
        let server = Server::for_others(move |request| {
            let mut made = made.lock().unwrap_or_else(PoisonError::into_inner);
            answer(request, &mut made, wait_seconds)
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
enum Next {
    Says(&'static str),
    Calls(Offered, Value),
}

/// The next call of the team's tools, by what the conversation has of their answers; none at the end.
fn step(conversation: &str, wait_seconds: u64) -> Option<(&'static str, Value)> {
    let has = |text: &str| conversation.contains(text);
    let wait = || Some(("wait_for_team", json!({ "timeout_seconds": wait_seconds })));
    // The tool's description names the field, too.
    let has_result = conversation.matches("is_working").count()
        > conversation.matches("is_working says").count();
    match () {
        () if !has("runs_in") => Some(("start_team", json!({ "job": "A haiku" }))),
        () if !has("ada says: Rain on the roof") => wait(),
        () if !has("sent_to") => Some(("send_mail", json!({ "to": "ada", "text": "again" }))),
        () if !has("ada says: Snow on the roof") => wait(),
        () if !has_result => Some(("read_result", json!({ "member": "ada" }))),
        () => None,
    }
}

fn next(asked: &Asked, wait_seconds: u64) -> Next {
    let step = step(&asked.text, wait_seconds);
    let Some((tool, input)) = step else {
        return Next::Says(FINAL_WORDS);
    };
    if let Some(offered) = asked.offered(tool) {
        return Next::Calls(offered, input);
    }
    if !asked.text.contains("mcp__team__start_team") {
        // A title, say: it is not about the team.
        return Next::Says("ok");
    }
    let finds = asked.offered("ToolSearch").or(asked.offered("tool_search"));
    match (finds, asked.offered("tool_call")) {
        (Some(finds), _) if !asked.text.contains("select:mcp__team") => {
            Next::Calls(finds, json!({ "query": FOUND, "max_results": 8 }))
        }
        (_, Some(calls)) => {
            let name = format!("mcp__team__{tool}");
            Next::Calls(calls, json!({ "name": name, "arguments": input }))
        }
        _ => Next::Says("ok"),
    }
}

fn answer(request: &RecordedRequest, made: &mut Vec<String>, wait_seconds: u64) -> Answer {
    let Some(asked) = Asked::of(request) else {
        // Lists of models, counts of tokens, and what agents ask besides.
        let counts = json!({ "data": [], "models": [], "input_tokens": 10, "totalTokens": 10 });
        return Answer::body(200, "application/json", counts.to_string());
    };
    let next = next(&asked, wait_seconds);
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
        Wire::Anthropic | Wire::Scripted => anthropic_stream(reply),
    }
}
