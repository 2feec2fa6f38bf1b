//! Writes the requests of a conversation that has everything in it, as all adapters send them, into a directory; and the first
//! request of each family of the catalogue at each effort.
//!
//! `cargo run -p teammate-testkit --example record -- DIR`: `anthropic-1.json`, `openai-1.json`, `responses-1.json`, and so on;
//! `anthropic-claude-opus-5-high.json`. What chat completions of other vendors have in their own fields is `vendor-...json`. The
//! SDK checks read them.

#![expect(clippy::print_stdout, reason = "it says what it wrote")]

use std::{collections::BTreeSet, fs, io, path::Path, sync::Arc};

use serde_json::value::RawValue;
use teammate_core::{
    block::Block,
    model::{
        AnswerOptions, CacheLifetime, ChatMessage, Effort, ModelRequest, Origin, Preamble, Role,
        StopReason, Wire,
    },
    port::Model,
    tool::{CallId, EffectClass, Outcome, OutcomePart, ToolCall, ToolInput, ToolSpec},
};
use teammate_models::{
    Anthropic, Catalogue, Endpoint, Family, Http, ModelSettings, OpenAi, RequestSettings,
    Responses, ThinkingForm,
};
use teammate_testkit::{Answer, Server, problem, reply};

#[tokio::main]
async fn main() -> io::Result<()> {
    let directory = std::env::args().nth(1);
    let directory = directory.ok_or_else(|| io::Error::other("usage: record DIR"))?;
    let directory = Path::new(&directory);
    let http = Http::new();
    for wire in ["anthropic", "openai", "responses"] {
        let mut turn = 0;
        let server = Server::start(move |_| {
            turn += 1;
            answer(turn)
        })
        .await?;
        let endpoint = Endpoint::at("local", &server.url());
        let (endpoint, http) = (&endpoint, http.clone());
        let model: Box<dyn Model> = match wire {
            "anthropic" => {
                Box::new(Anthropic::new(endpoint, "claude", http).map_err(io::Error::other)?)
            }
            "openai" => Box::new(OpenAi::new(endpoint, "gpt", http).map_err(io::Error::other)?),
            _ => Box::new(Responses::new(endpoint, "gpt", http).map_err(io::Error::other)?),
        };
        talk(&*model).await?;
        for (at, seen) in server.seen().iter().enumerate() {
            if let Some(problem) = &seen.problem {
                return Err(io::Error::other(problem.clone()));
            }
            let name = format!("{wire}-{}.json", at + 1);
            fs::write(directory.join(name), &seen.body)?;
        }
    }
    let mut written = 0;
    for family in &Catalogue::built_in().families {
        written += record_family(family, directory, &http)?;
    }
    println!(
        "{written} requests of {} families",
        Catalogue::built_in().families.len()
    );
    Ok(())
}

/// A first request of a family at each effort, on each wire that it is spoken with. Returns how many.
fn record_family(family: &Family, directory: &Path, http: &Http) -> io::Result<usize> {
    let name = family.models[0]
        .as_str()
        .trim_end_matches('*')
        .trim_end_matches('-');
    let settings = ModelSettings {
        family: Some(family.name.clone()),
        facts: family.facts.clone(),
        request: RequestSettings {
            // The newest SDK of Anthropic has no such field any more.
            temperature: (family.vendor.as_deref() != Some("api.anthropic.com")).then_some(1.0),
            user_id: Some("user-1".to_owned()),
            ..RequestSettings::default()
        },
        ..ModelSettings::default()
    };
    let vendor = family.vendor.as_deref();
    let wires: &[Wire] = match vendor {
        Some("api.anthropic.com") => &[Wire::Anthropic],
        Some("api.openai.com") => &[Wire::OpenAi, Wire::Responses],
        Some(_) | None => &[Wire::OpenAi],
    };
    let host = vendor.unwrap_or("localhost:8080");
    let endpoint = Endpoint::at("vendor", &format!("https://{host}"));
    let mut written = 0;
    for wire in wires {
        let profile = settings.profile(*wire);
        let efforts: BTreeSet<Effort> = Effort::ALL
            .iter()
            .map(|(effort, _)| profile.effort(Some(*effort)))
            .collect();
        for effort in efforts {
            let mut request = first_request(&settings, effort)?;
            request.max_tokens = profile.answer_limit(None, effort);
            let body = body(*wire, &endpoint, name, &settings, http, &request)?;
            if let Some(problem) = problem(*wire, &body) {
                return Err(io::Error::other(format!("{name} at {effort}: {problem}")));
            }
            let kind = prefix(*wire, &settings);
            let file = format!("{kind}-{name}-{effort}.json");
            fs::write(directory.join(file), body)?;
            written += 1;
        }
    }
    Ok(written)
}

fn prefix(wire: Wire, settings: &ModelSettings) -> &'static str {
    let thinking = settings.facts.thinking.as_ref();
    let is_own = |form| !matches!(form, ThinkingForm::ReasoningEffort);
    match wire {
        Wire::Anthropic | Wire::Plain => "anthropic",
        Wire::Responses => "responses",
        Wire::OpenAi if thinking.is_some_and(|thinking| is_own(thinking.form)) => "vendor",
        Wire::OpenAi => "openai",
    }
}

fn first_request(settings: &ModelSettings, effort: Effort) -> io::Result<ModelRequest> {
    let schema = r#"{"type":"object","properties":{"n":{"type":"number"}},"required":["n"],"additionalProperties":false}"#;
    Ok(ModelRequest {
        preamble: Arc::new(preamble()?),
        identity: "You are 'lead'.".into(),
        messages: vec![told(vec![Block::text("Look around.")])],
        cached: 0,
        max_tokens: 0,
        conversation: "team/lead".into(),
        asker: "lead".into(),
        model: "vendor:m".into(),
        options: AnswerOptions {
            effort,
            shows_thinking: true,
            cache_lifetime: match settings.facts.cache {
                Some(cache) if cache.long => CacheLifetime::Long,
                Some(_) | None => CacheLifetime::Short,
            },
            schema: Some(schema.into()),
        },
    })
}

fn body(
    wire: Wire,
    endpoint: &Endpoint,
    name: &str,
    settings: &ModelSettings,
    http: &Http,
    request: &ModelRequest,
) -> io::Result<String> {
    let (http, settings) = (http.clone(), settings.clone());
    let made = match wire {
        Wire::Anthropic | Wire::Plain => Anthropic::new(endpoint, name, http)
            .map(|model| model.with_settings(settings).body(request)),
        Wire::OpenAi => OpenAi::new(endpoint, name, http)
            .map(|model| model.with_settings(settings).body(request)),
        Wire::Responses => Responses::new(endpoint, name, http)
            .map(|model| model.with_settings(settings).body(request)),
    };
    made.map_err(io::Error::other)
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

fn preamble() -> io::Result<Preamble> {
    let schema = r#"{"type":"object","properties":{"n":{"type":"number"}},"required":["n"]}"#;
    let tool = ToolSpec {
        name: "look".into(),
        description: "Looks.".into(),
        schema: RawValue::from_string(schema.to_owned())?,
        class: EffectClass::Reads,
    };
    Ok(Preamble::new(vec![tool], "Work together.".to_owned()))
}

fn told(blocks: Vec<Block>) -> Arc<ChatMessage> {
    Arc::new(ChatMessage::new(Role::User, blocks, None))
}

async fn talk(model: &dyn Model) -> io::Result<()> {
    let preamble = Arc::new(preamble()?);
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
            change: None,
            merge: None,
            refused: None,
        },
        _ => Outcome::error(""),
    };
    Block::tool_result(&call.id, &outcome)
}
