//! Writes the requests of a conversation that has everything in it, as both adapters send them, into a directory.
//!
//! `cargo run -p teammate-testkit --example record -- DIR`: `anthropic-1.json`, `openai-1.json`, and so on. The SDK
//! check reads them.

use std::{fs, io, path::Path, sync::Arc};

use serde_json::value::RawValue;
use teammate_core::{
    block::Block,
    model::{AnswerOptions, ChatMessage, ModelRequest, Origin, Preamble, Role, StopReason},
    port::Model,
    tool::{CallId, EffectClass, Outcome, OutcomePart, ToolCall, ToolInput, ToolSpec},
};
use teammate_models::{Anthropic, Endpoint, Http, OpenAi};
use teammate_testkit::{Answer, Server, reply};

#[tokio::main]
async fn main() -> io::Result<()> {
    let directory = std::env::args().nth(1);
    let directory = directory.ok_or_else(|| io::Error::other("usage: record DIR"))?;
    let http = Http::new();
    for wire in ["anthropic", "openai"] {
        let mut turn = 0;
        let server = Server::start(move |_| {
            turn += 1;
            answer(turn)
        })
        .await?;
        let endpoint = Endpoint::at("local", &server.url());
        let model: Box<dyn Model> = if wire == "anthropic" {
            Box::new(Anthropic::new(&endpoint, "claude", http.clone()).map_err(io::Error::other)?)
        } else {
            Box::new(OpenAi::new(&endpoint, "gpt", http.clone()).map_err(io::Error::other)?)
        };
        talk(&*model).await?;
        for (at, seen) in server.seen().iter().enumerate() {
            if let Some(problem) = &seen.problem {
                return Err(io::Error::other(problem.clone()));
            }
            let name = format!("{wire}-{}.json", at + 1);
            fs::write(Path::new(&directory).join(name), &seen.body)?;
        }
    }
    Ok(())
}

/// Thoughts, text, calls with odd input, a broken one, and at last a word.
fn answer(turn: u32) -> Answer {
    let call = |id: &str, input: &str| {
        Block::tool_use(&ToolCall {
            id: CallId::new(format!("{id}{turn}")),
            name: "look".to_owned(),
            input: ToolInput::from_json(input.to_owned()),
        })
    };
    let thought = r#"{"type":"thinking","thinking":"Now?","signature":"c2ln"}"#;
    let mut blocks: Vec<Block> = Block::from_json(thought.to_owned()).into_iter().collect();
    let stop = if turn < 4 {
        blocks.push(Block::text("Let me look."));
        blocks.push(call("a", r#"{"n": 1e2, "s":"\u00e9"}"#));
        blocks.push(call("b", r#"{"broken"#));
        StopReason::ToolUse
    } else {
        blocks.push(Block::text("That is all."));
        StopReason::EndTurn
    };
    Answer::reply(reply(blocks, stop))
}

async fn talk(model: &dyn Model) -> io::Result<()> {
    let schema = r#"{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}"#;
    let tool = ToolSpec {
        name: "look".into(),
        description: "Looks.".into(),
        schema: RawValue::from_string(schema.to_owned())?,
        class: EffectClass::Reads,
    };
    let preamble = Arc::new(Preamble::new(vec![tool], "Work together.".to_owned()));
    let told = |blocks| Arc::new(ChatMessage::new(Role::User, blocks, None));
    let mut messages = vec![told(vec![Block::text("Look around.")])];
    let mut cached = 0;
    loop {
        let request = ModelRequest {
            preamble: preamble.clone(),
            identity: "You are 'lead'.".into(),
            messages: messages.clone(),
            cached,
            max_tokens: 1000,
            conversation: "team/lead".into(),
            asker: "lead".into(),
            model: "test:model".into(),
            options: AnswerOptions::default(),
        };
        cached = messages.len();
        let reply = model
            .answer(request, Box::new(|_| {}))
            .await
            .map_err(io::Error::other)?;
        let calls = reply.calls();
        let origin = Some(Origin::new(reply.wire, "test:model"));
        let said = ChatMessage::new(Role::Assistant, reply.blocks, origin);
        messages.push(Arc::new(said));
        if calls.is_empty() && messages.len() > 10 {
            return Ok(());
        }
        let mut blocks: Vec<Block> = calls.iter().enumerate().map(outcome).collect();
        blocks.push(Block::text("And then?"));
        messages.push(told(blocks));
    }
}

fn outcome((at, call): (usize, &ToolCall)) -> Block {
    let picture = OutcomePart::Image {
        media_type: "image/png",
        base64: "aGk=".to_owned(),
    };
    let outcome = match at {
        0 => Outcome {
            parts: vec![OutcomePart::Text("a picture".to_owned()), picture],
            is_error: false,
            ran: None,
        },
        _ => Outcome::error(""),
    };
    Block::tool_result(&call.id, &outcome)
}
