//! What a request says about thinking, results and sampling, and what of earlier answers it leaves out.

use std::sync::Arc;

use teammate_core::{
    block::Block,
    model::{
        AnswerOptions, CacheLifetime, ChatMessage, Effort, ModelRequest, Origin, Preamble, Role,
        Wire,
    },
    port::Model as _,
    tool::{CallId, ToolCall, ToolInput},
};

use super::{Anthropic, request::outgoing};
use crate::{Endpoint, Http, ModelFacts, ModelSettings, RequestSettings, adapt::Outgoing};

const ADAPTIVE: &str = r#"thinking = { form = "adaptive", levels = { low = "low", high = "high", max = "max" }, default = "high" }"#;
const BUDGET: &str = r#"thinking = { form = "budget", levels = { low = 4000, high = 24000 }, default = "low", interleaved = true }"#;

fn model(facts: &str) -> Anthropic {
    with_request(facts, RequestSettings::default())
}

fn with_request(facts: &str, request: RequestSettings) -> Anthropic {
    let facts: ModelFacts = toml::from_str(facts).unwrap();
    let settings = ModelSettings {
        facts,
        request,
        ..ModelSettings::default()
    };
    let endpoint = Endpoint::at("p", "http://localhost:1");
    Anthropic::new(&endpoint, "m", Http::new())
        .unwrap()
        .with_settings(settings)
}

fn message(role: Role, blocks: Vec<Block>, from: Option<&str>) -> Arc<ChatMessage> {
    let origin = from.map(|model| Origin::new(Wire::Anthropic, model));
    Arc::new(ChatMessage::new(role, blocks, origin))
}

fn asked(effort: Effort, messages: Vec<Arc<ChatMessage>>) -> ModelRequest {
    ModelRequest {
        preamble: Arc::new(Preamble::new(Vec::new(), "Work.".to_owned())),
        identity: "".into(),
        messages,
        cached: 0,
        max_tokens: 32_000,
        conversation: "c".into(),
        asker: "lead".into(),
        model: "p:m".into(),
        options: AnswerOptions {
            effort,
            ..AnswerOptions::default()
        },
    }
}

fn hello() -> Vec<Arc<ChatMessage>> {
    vec![message(Role::User, vec![Block::text("hi")], None)]
}

/// What the request says between its head and its system text.
fn said(model: &Anthropic, request: &ModelRequest) -> (String, Vec<String>) {
    let Outgoing { body, beta, .. } = outgoing(model, request);
    let start = body.find(r#""stream":true"#).unwrap() + r#""stream":true"#.len();
    let end = body.find(r#","system""#).unwrap();
    (body[start..end].to_owned(), beta)
}

#[test]
fn an_effort_is_said_in_the_form_of_the_family() {
    let cases = [
        ("", Effort::High, "", None),
        (ADAPTIVE, Effort::Off, "", None),
        (
            ADAPTIVE,
            Effort::Max,
            r#","thinking":{"type":"adaptive"},"output_config":{"effort":"max"}"#,
            None,
        ),
        (BUDGET, Effort::Off, "", None),
        (
            BUDGET,
            Effort::Low,
            r#","thinking":{"type":"enabled","budget_tokens":4000}"#,
            Some("interleaved-thinking-2025-05-14"),
        ),
        // There must be room for the answer.
        (
            BUDGET,
            Effort::High,
            r#","thinking":{"type":"enabled","budget_tokens":24000}"#,
            Some("interleaved-thinking-2025-05-14"),
        ),
        // A family that thinks unless a request says otherwise.
        (
            r#"thinking = { form = "adaptive", levels = { off = "disabled", low = "low" }, default = "low" }"#,
            Effort::Off,
            r#","thinking":{"type":"disabled"}"#,
            None,
        ),
        (
            r#"thinking = { form = "adaptive", levels = { low = "low" }, default = "low", bound = true }"#,
            Effort::Low,
            r#","thinking":{"type":"adaptive","block_binding":{"prefix_mismatch_behavior":"drop_block"}},"output_config":{"effort":"low"}"#,
            Some("thinking-binding-controls-2026-08-01"),
        ),
        // A form of another wire.
        (
            r#"thinking = { form = "reasoning-effort", levels = { low = "low" }, default = "low" }"#,
            Effort::Low,
            "",
            None,
        ),
    ];
    for (facts, effort, expected, beta) in cases {
        let (body, features) = said(&model(facts), &asked(effort, hello()));
        assert_eq!(body, expected, "{facts} {effort}");
        assert_eq!(features.first().map(String::as_str), beta, "{facts}");
    }
}

#[test]
fn a_budget_never_takes_the_room_of_the_answer() {
    let mut request = asked(Effort::High, hello());
    request.max_tokens = 8_000;
    let (body, _) = said(&model(BUDGET), &request);
    assert_eq!(
        body,
        r#","thinking":{"type":"enabled","budget_tokens":6000}"#
    );
    // Too little to think.
    request.max_tokens = 1_200;
    assert_eq!(said(&model(BUDGET), &request).0, "");
}

#[test]
fn thinking_is_shown_only_to_those_who_ask() {
    let mut request = asked(Effort::Low, hello());
    request.options.shows_thinking = true;
    let (body, _) = said(&model(ADAPTIVE), &request);
    assert!(body.contains(r#""thinking":{"type":"adaptive","display":"summarized"}"#));
}

fn call() -> Block {
    Block::tool_use(&ToolCall {
        id: CallId::new("t1".into()),
        name: "look".into(),
        input: ToolInput::from_json("{}".into()),
    })
}

fn thought() -> Block {
    let json = r#"{"type":"thinking","thinking":"é \u00e9","signature":"c2ln"}"#;
    Block::from_json(json.to_owned()).unwrap()
}

/// A tool loop: the answer called a tool, and its outcome is there.
fn in_loop(answer: Vec<Block>, from: &str) -> Vec<Arc<ChatMessage>> {
    let mut messages = hello();
    messages.push(message(Role::Assistant, answer, Some(from)));
    let result = r#"{"type":"tool_result","tool_use_id":"t1","content":"ok"}"#;
    let result = Block::from_json(result.to_owned()).unwrap();
    messages.push(message(Role::User, vec![result], None));
    messages
}

#[test]
fn signed_thinking_goes_back_byte_for_byte_to_models_of_its_provider() {
    let body = |from: &str, effort| {
        let request = asked(effort, in_loop(vec![thought(), call()], from));
        outgoing(&model(ADAPTIVE), &request).body
    };
    // Also when the effort has changed since, and to another model of the provider, which leaves out what it cannot read.
    for (from, effort) in [
        ("p:m", Effort::High),
        ("p:m", Effort::Off),
        ("p:other", Effort::Low),
    ] {
        assert!(body(from, effort).contains(thought().json()), "{from}");
    }
    assert!(!body("elsewhere:m", Effort::High).contains("signature"));
}

#[test]
fn with_a_budget_thinking_does_not_begin_in_the_middle_of_a_tool_loop() {
    let budget = |answer, from| said(&model(BUDGET), &asked(Effort::Low, in_loop(answer, from))).0;
    assert!(budget(vec![thought(), call()], "p:m").contains("enabled"));
    assert_eq!(budget(vec![call()], "p:m"), "");
    assert_eq!(budget(vec![thought(), call()], "elsewhere:m"), "");
    // Adaptive thinking may.
    let adaptive = asked(Effort::Low, in_loop(vec![call()], "p:m"));
    assert!(said(&model(ADAPTIVE), &adaptive).0.contains("adaptive"));
}

#[test]
fn what_the_user_configures_is_sent_and_nothing_else() {
    let wanted = RequestSettings {
        temperature: Some(0.25),
        top_p: Some(1.0),
        stop: vec!["END".to_owned()],
        service_tier: Some("standard_only".to_owned()),
        user_id: Some("u-1".to_owned()),
        beta: vec!["x-2026-01-01".to_owned()],
    };
    let all = r#","temperature":0.25,"top_p":1,"stop_sequences":["END"],"service_tier":"standard_only","metadata":{"user_id":"u-1"}"#;
    let request = asked(Effort::Off, hello());
    let (body, beta) = said(&with_request("", wanted.clone()), &request);
    assert_eq!((body.as_str(), beta), (all, wanted.beta.clone()));
    // A family that refuses sampling is not sent any.
    let (body, _) = said(&with_request("sampling = false", wanted), &request);
    assert!(
        !body.contains("temperature") && body.contains("END"),
        "{body}"
    );
}

#[test]
fn a_schema_is_sent_to_models_that_can_be_held_to_it() {
    let mut request = asked(Effort::Low, hello());
    request.options.schema = Some(r#"{"type":"object"}"#.into());
    let facts = format!("schema = true\n{ADAPTIVE}");
    let (body, _) = said(&model(&facts), &request);
    assert!(
        body.ends_with(
            r#""output_config":{"effort":"low","format":{"type":"json_schema","schema":{"type":"object"}}}"#
        ),
        "{body}"
    );
    assert!(!said(&model(ADAPTIVE), &request).0.contains("format"));
}

#[test]
fn pictures_are_a_line_for_models_that_take_none() {
    let picture =
        r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}"#;
    let picture = Block::from_json(picture.to_owned()).unwrap();
    let result = format!(
        r#"{{"type":"tool_result","tool_use_id":"t1","content":[{}]}}"#,
        picture.json()
    );
    let result = Block::from_json(result).unwrap();
    let messages = || {
        vec![message(
            Role::User,
            vec![picture.clone(), result.clone(), Block::text("see")],
            None,
        )]
    };
    let body = |facts| outgoing(&model(facts), &asked(Effort::Off, messages())).body;
    assert_eq!(body("").matches("AAAA").count(), 2);
    let blind = body("pictures = false");
    assert!(!blind.contains("AAAA"));
    let line = "[a picture is here, which this model cannot read]";
    assert_eq!(blind.matches(line).count(), 2, "{blind}");
}

#[test]
fn markers_ask_for_an_hour_where_the_member_waits_long() {
    let mut request = asked(Effort::Off, hello());
    request.options.cache_lifetime = CacheLifetime::Long;
    let body = outgoing(&model(""), &request).body;
    let marker = r#""cache_control":{"type":"ephemeral","ttl":"1h"}"#;
    assert_eq!(body.matches(marker).count(), 2, "{body}");
    assert!(!body.contains(r#"{"type":"ephemeral"}"#));
}

#[test]
fn what_is_known_of_the_model_is_told_to_the_caller() {
    let facts = format!("context_tokens = 5\nanswer_tokens = 4\n{ADAPTIVE}");
    let profile = model(&facts).profile();
    assert_eq!(profile.context_tokens, Some(5));
    assert_eq!(profile.answer_tokens, Some(4));
    assert_eq!(profile.effort(None), Effort::High);
    assert_eq!(profile.effort(Some(Effort::Medium)), Effort::Low);
    assert_eq!(model("").profile().effort(Some(Effort::Max)), Effort::Off);
}
