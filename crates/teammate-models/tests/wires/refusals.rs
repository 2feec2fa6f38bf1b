//! Servers that refuse what is in a request: it is sent again without that, once, and the user hears it.

use std::sync::Arc;

use teammate_core::{
    block::Block,
    model::{
        AnswerOptions, ChatMessage, Effort, ModelRequest, Origin, Remedy, Role, StreamPart, Wire,
    },
    port::Model,
};
use teammate_models::{ModelFacts, ModelSettings};
use teammate_testkit::{Answer, Server};

use crate::{ask, request, user_says};

fn settings(facts: &str) -> ModelSettings {
    ModelSettings {
        facts: toml::from_str::<ModelFacts>(facts).unwrap(),
        ..ModelSettings::default()
    }
}

const ADAPTIVE: &str =
    r#"thinking = { form = "adaptive", levels = { high = "high" }, default = "high" }"#;
const EFFORT: &str =
    r#"thinking = { form = "reasoning-effort", levels = { high = "high" }, default = "high" }"#;

fn thinking(request: ModelRequest) -> ModelRequest {
    ModelRequest {
        options: AnswerOptions {
            effort: Effort::High,
            ..AnswerOptions::default()
        },
        ..request
    }
}

fn told(parts: &[StreamPart]) -> Vec<&str> {
    let sentences = parts.iter().filter_map(|part| match part {
        StreamPart::Adapted(what) => Some(what.as_str()),
        StreamPart::Started
        | StreamPart::Text(_)
        | StreamPart::Thinking(_)
        | StreamPart::ToolUse { .. } => None,
    });
    sentences.collect()
}

/// The refusal comes once; then all requests are answered.
async fn refused_once(
    refusal: &'static str,
    model: impl FnOnce(&str) -> Box<dyn Model>,
) -> (Server, Box<dyn Model>) {
    let mut is_first = true;
    let server = Server::start(move |_| match std::mem::take(&mut is_first) {
        true => Answer::error(400, "invalid_request_error", refusal),
        false => Answer::text("fine"),
    })
    .await
    .unwrap();
    let model = model(&server.url());
    (server, model)
}

#[tokio::test]
async fn a_refused_effort_is_left_out_from_then_on() {
    let anthropic = |url: &str| -> Box<dyn Model> {
        Box::new(crate::anthropic(url).with_settings(settings(ADAPTIVE)))
    };
    let openai = |url: &str| -> Box<dyn Model> {
        Box::new(crate::openai(url).with_settings(settings(EFFORT)))
    };
    let adaptive = "adaptive thinking is not supported on this model";
    let unsupported = "Unsupported parameter: 'reasoning_effort' is not supported with this model";
    for (refusal, field, (server, model)) in [
        (
            adaptive,
            "thinking",
            refused_once(adaptive, anthropic).await,
        ),
        (
            unsupported,
            "reasoning_effort",
            refused_once(unsupported, openai).await,
        ),
    ] {
        let asked = || thinking(request(&user_says("hi")));
        let (reply, parts) = ask(&*model, asked()).await;
        assert_eq!(reply.unwrap().text(), "fine", "{refusal}");
        let sentences = told(&parts);
        assert_eq!(sentences.len(), 1, "{sentences:?}");
        assert!(sentences[0].starts_with("test:model takes no effort"));
        assert_eq!(parts[1], StreamPart::Started);
        let (_, parts) = ask(&*model, asked()).await;
        assert_eq!(told(&parts), [] as [&str; 0], "said once");
        let sent: Vec<bool> = server
            .seen()
            .iter()
            .map(|seen| !seen.json()[field].is_null())
            .collect();
        assert_eq!(sent, [true, false, false], "{field}");
        // The caller knows it as well.
        assert_eq!(model.profile().effort(Some(Effort::High)), Effort::Off);
    }
}

#[tokio::test]
async fn refused_tools_leave_a_model_that_can_talk() {
    let refusal = "registry.ollama.ai/library/x does not support tools";
    let openai = |url: &str| -> Box<dyn Model> { Box::new(crate::openai(url)) };
    let (server, model) = refused_once(refusal, openai).await;
    let (reply, parts) = ask(&*model, request(&user_says("hi"))).await;
    assert_eq!(reply.unwrap().text(), "fine");
    assert!(told(&parts)[0].contains("takes no tools"));
    assert!(server.seen()[0].json()["tools"].is_array());
    assert!(server.seen()[1].json()["tools"].is_null());
}

#[tokio::test]
async fn thinking_that_cannot_be_read_any_more_is_left_out_of_that_conversation() {
    let refusal = "messages.1.content.0: Invalid `signature` in `thinking` block. The block is bound to a different conversation.";
    let anthropic = |url: &str| -> Box<dyn Model> {
        Box::new(crate::anthropic(url).with_settings(settings(ADAPTIVE)))
    };
    let (server, model) = refused_once(refusal, anthropic).await;
    let thought = r#"{"type":"thinking","thinking":"hm","signature":"c2ln"}"#;
    let thought = Block::from_json(thought.to_owned()).unwrap();
    let said = ChatMessage::new(
        Role::Assistant,
        vec![thought.clone(), Block::text("so")],
        Some(Origin::new(Wire::Anthropic, "test:model")),
    );
    let mut messages = user_says("hi");
    messages.push(Arc::new(said));
    messages.extend(user_says("and?"));
    let (reply, parts) = ask(&*model, thinking(request(&messages))).await;
    reply.unwrap();
    assert!(told(&parts)[0].contains("reasoning of earlier answers"));
    let has_it = |at: usize| server.seen()[at].body.contains(thought.json());
    assert!(has_it(0) && !has_it(1));
    // Thinking goes on, and what comes from now on goes back.
    assert!(server.seen()[1].json()["thinking"].is_object());
    messages.push(messages[1].clone());
    messages.extend(user_says("and then?"));
    ask(&*model, thinking(request(&messages))).await.0.unwrap();
    assert_eq!(server.seen()[2].body.matches(thought.json()).count(), 1);
}

#[tokio::test]
async fn a_context_smaller_than_said_is_believed() {
    let refusal = "This model's maximum context length is 8192 tokens. However, you requested 9000";
    let server = Server::start(move |_| Answer::error(400, "invalid_request_error", refusal))
        .await
        .unwrap();
    let model = crate::openai(&server.url()).with_settings(settings("context_tokens = 32000"));
    assert_eq!(model.profile().context_tokens, Some(32_000));
    let (failed, parts) = ask(&model, request(&user_says("hi"))).await;
    // The conversation becomes shorter, which is its member's business.
    assert_eq!(failed.unwrap_err().remedy, Remedy::Shorten);
    assert!(told(&parts)[0].contains("takes only 8192 tokens"));
    assert_eq!(model.profile().context_tokens, Some(8_192));
    assert_eq!(server.seen().len(), 1);
}

#[tokio::test]
async fn what_a_responses_server_refuses_is_left_out() {
    let model = |url: &str| -> Box<dyn Model> {
        Box::new(crate::responses(url).with_settings(settings(EFFORT)))
    };
    for (refusal, field) in [
        (
            "Unsupported parameter: 'reasoning.effort' is not supported with this model.",
            r#""reasoning":"#,
        ),
        (
            "Encrypted content is not supported with this model.",
            r#""include":"#,
        ),
        (
            "The encrypted content for item rs_1 could not be verified.",
            r#""type":"reasoning""#,
        ),
    ] {
        let (server, model) = refused_once(refusal, model).await;
        let item = r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"}"#;
        let thought = Block::from_json(item.to_owned()).unwrap();
        let origin = Some(Origin::new(Wire::Responses, "test:model"));
        let said = ChatMessage::new(Role::Assistant, vec![thought, Block::text("So.")], origin);
        let mut messages = user_says("hi");
        messages.push(Arc::new(said));
        messages.extend(user_says("And?"));
        let (reply, parts) = ask(&*model, thinking(request(&messages))).await;
        assert_eq!(reply.unwrap().text(), "fine", "{refusal}");
        assert_eq!(told(&parts).len(), 1, "{refusal}");
        let (reply, parts) = ask(&*model, thinking(request(&messages))).await;
        assert_eq!(reply.unwrap().text(), "fine", "{refusal}");
        assert_eq!(told(&parts).len(), 0, "{refusal}");
        let has: Vec<bool> = server
            .seen()
            .iter()
            .map(|seen| seen.body.contains(field))
            .collect();
        assert_eq!(has, [true, false, false], "{refusal}");
    }
}
