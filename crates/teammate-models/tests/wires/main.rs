//! The adapters against a strict local server.
#![expect(clippy::unwrap_used, reason = "helpers of tests are tests")]

mod anthropic;
mod connecting;
mod context;
mod endless;
mod failures;
mod history;
mod keys;
mod lessons;
mod media;
mod odd_streams;
mod openai;
mod refusal_table;
mod refusals;
mod responses;
mod text_calls;
mod usage;

use std::{
    sync::{Arc, Mutex},
    time::Duration,
};

use teammate_core::{
    block::Block,
    model::{
        AnswerOptions, ChatMessage, ModelFailure, ModelRequest, Preamble, Reply, Role, StreamPart,
    },
    port::Model,
    tool::{CallId, EffectClass, ToolCall, ToolInput, ToolSpec},
};
use teammate_models::{Anthropic, Endpoint, Http, OpenAi, Responses, Timeouts};
use teammate_testkit::{Answer, Server};

const KEY: &str = "sk-very-secret";

/// Limits that no good answer of a local server comes near.
const PATIENT: Timeouts = Timeouts {
    first_event: Duration::from_secs(60),
    gap: Duration::from_secs(60),
};

fn endpoint(url: &str) -> Endpoint {
    Endpoint::at("test", url).with_key(Some(KEY.into()), "TEST_KEY")
}

fn http(timeouts: Timeouts) -> Http {
    // Reading the system's certificates takes its time; a test and its connections live on one thread.
    thread_local!(static HTTP: Http = Http::new());
    HTTP.with(Http::clone).with_timeouts(timeouts)
}

fn anthropic(url: &str) -> Anthropic {
    Anthropic::new(&endpoint(url), "claude", http(PATIENT)).unwrap()
}

fn openai(url: &str) -> OpenAi {
    OpenAi::new(&endpoint(url), "gpt", http(PATIENT)).unwrap()
}

fn responses(url: &str) -> Responses {
    Responses::new(&endpoint(url), "gpt", http(PATIENT)).unwrap()
}

fn preamble() -> Preamble {
    let tool = |name: &'static str, schema: &str| ToolSpec {
        name: name.into(),
        description: "Does \"it\".".into(),
        schema: serde_json::from_str(schema).unwrap(),
        class: EffectClass::Reads,
    };
    let tools = vec![
        tool(
            "bash",
            r#"{"type":"object","properties":{"command":{"type":"string"}},"required":["command"]}"#,
        ),
        tool("look", r#"{ "type": "object", "properties": {} }"#),
    ];
    Preamble::new(tools, "Work together.\nBe brief.".into()).with_common_tools(1)
}

fn request(messages: &[Arc<ChatMessage>]) -> ModelRequest {
    ModelRequest {
        preamble: Arc::new(preamble()),
        identity: "You are 'lead'.".into(),
        messages: messages.to_vec(),
        cached: 0,
        max_tokens: 1000,
        conversation: "team/lead".into(),
        asker: "lead".into(),
        model: "test:model".into(),
        options: AnswerOptions::default(),
    }
}

fn user_says(text: &str) -> Vec<Arc<ChatMessage>> {
    vec![Arc::new(ChatMessage::new(
        Role::User,
        vec![Block::text(text)],
        None,
    ))]
}

fn call(id: &str, name: &str, input: &str) -> Block {
    Block::tool_use(&ToolCall {
        id: CallId::new(id.into()),
        name: name.into(),
        input: ToolInput::from_json(input.into()),
    })
}

async fn ask(
    model: &dyn Model,
    request: ModelRequest,
) -> (Result<Reply, ModelFailure>, Vec<StreamPart>) {
    let parts = Arc::new(Mutex::new(Vec::new()));
    let sink = parts.clone();
    let answer = model
        .answer(
            request,
            Box::new(move |part| sink.lock().unwrap().push(part)),
        )
        .await;
    let parts = parts.lock().unwrap().clone();
    (answer, parts)
}

/// What an adapter makes of an answer to a short question.
async fn heard(
    answer: Answer,
    model: impl FnOnce(&str) -> Box<dyn Model>,
) -> (Result<Reply, ModelFailure>, Vec<StreamPart>) {
    let server = Server::with_answers([answer]).await.unwrap();
    let model = model(&server.url());
    let heard = ask(&*model, request(&user_says("hi"))).await;
    assert_eq!(server.seen()[0].problem, None);
    heard
}

fn blocks(reply: &Reply) -> Vec<&str> {
    reply.blocks.iter().map(Block::json).collect()
}

/// Cut anywhere, a stream gives a failure or the same answer, never another. Near the end, where it matters
/// most, every byte is tried; the adapters' own tests do that without a server for the whole stream.
async fn cut_anywhere(
    stream: &str,
    model: impl Fn(&str) -> Box<dyn Model>,
    cut: impl Fn(Answer, usize) -> Answer,
) -> usize {
    let near_end = stream.len() - 120;
    let cuts: Vec<usize> = (0..near_end)
        .step_by(31)
        .chain(near_end..=stream.len())
        .collect();
    let answers: Vec<Answer> = cuts
        .iter()
        .map(|at| cut(Answer::stream(stream), *at))
        .collect();
    let server = Server::with_answers(answers).await.unwrap();
    let model = model(&server.url());
    let mut replies = Vec::new();
    for at in cuts {
        match ask(&*model, request(&user_says("hi"))).await.0 {
            Ok(reply) => replies.push((at, reply)),
            Err(failure) => assert!(
                matches!(failure.remedy, teammate_core::model::Remedy::Retry { .. }),
                "{at}: {failure}"
            ),
        }
    }
    let (_, whole) = replies.last().unwrap().clone();
    for (at, reply) in &replies {
        assert_eq!(reply.blocks, whole.blocks, "cut at {at}");
        assert_eq!(reply.stop, whole.stop, "cut at {at}");
    }
    replies.len()
}
