//! What a request says, and what of earlier answers goes back.

use std::sync::Arc;

use teammate_core::{
    block::Block,
    model::{AnswerOptions, ChatMessage, Effort, ModelRequest, Origin, Preamble, Role, Wire},
    tool::{CallId, EffectClass, Outcome, OutcomePart, ToolCall, ToolInput, ToolSpec},
};

use super::Responses;
use crate::{Endpoint, Http, ModelFacts, ModelSettings, RequestSettings};

const REASONS: &str = r#"thinking = { form = "reasoning-effort", levels = { off = "none", low = "low", max = "max" }, default = "low" }"#;

fn at(url: &str, facts: &str, request: RequestSettings) -> Responses {
    let settings = ModelSettings {
        facts: toml::from_str::<ModelFacts>(facts).unwrap(),
        request,
        ..ModelSettings::default()
    };
    Responses::new(&Endpoint::at("p", url), "m", Http::new())
        .unwrap()
        .with_settings(settings)
}

fn compatible(facts: &str) -> Responses {
    at("http://localhost:1/v1", facts, RequestSettings::default())
}

fn message(role: Role, blocks: Vec<Block>, from: Option<&str>) -> Arc<ChatMessage> {
    let origin = from.map(|model| Origin::new(Wire::Responses, model));
    Arc::new(ChatMessage::new(role, blocks, origin))
}

fn asked(effort: Effort, messages: Vec<Arc<ChatMessage>>) -> ModelRequest {
    let tool = ToolSpec {
        name: "look".into(),
        description: "Looks.".into(),
        schema: serde_json::from_str(r#"{"type":"object"}"#).unwrap(),
        class: EffectClass::Reads,
    };
    ModelRequest {
        preamble: Arc::new(Preamble::new(vec![tool], "Work.".to_owned())),
        identity: "You are 'lead'.".into(),
        messages,
        cached: 0,
        max_tokens: 9,
        conversation: "team/lead".into(),
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

const HEAD: &str = r#"{"model":"m","max_output_tokens":9,"stream":true,"store":false,"include":["reasoning.encrypted_content"]"#;
const TOOLS: &str = r#","tools":[{"type":"function","name":"look","description":"Looks.","parameters":{"type":"object"},"strict":false}]"#;

#[test]
fn openai_itself_is_asked_in_its_own_words() {
    let tail = r#""content":"Work.\n\nYou are 'lead'."},{"role":"user","content":[{"type":"input_text","text":"hi"}]}]}"#;
    let body = compatible("").body(&asked(Effort::Low, hello()));
    let input = r#","input":[{"role":"system","#;
    assert_eq!(body, format!("{HEAD}{TOOLS}{input}{tail}"));
    let official = at(
        "https://api.openai.com",
        REASONS,
        RequestSettings::default(),
    );
    let body = official.body(&asked(Effort::Low, hello()));
    let added = r#","reasoning":{"effort":"low"},"prompt_cache_key":"team/lead""#;
    let input = r#","input":[{"role":"developer","#;
    assert_eq!(body, format!("{HEAD}{added}{TOOLS}{input}{tail}"));
}

#[test]
fn an_effort_is_said_in_the_words_of_the_family() {
    let said = |facts: &str, effort, shows_thinking| {
        let mut request = asked(effort, hello());
        request.options.shows_thinking = shows_thinking;
        let body = compatible(facts).body(&request);
        let rest = body.strip_prefix(HEAD).unwrap();
        rest[..rest.find(r#","tools""#).unwrap()].to_owned()
    };
    assert_eq!(
        said(REASONS, Effort::Off, false),
        r#","reasoning":{"effort":"none"}"#
    );
    assert_eq!(
        said(REASONS, Effort::Max, true),
        r#","reasoning":{"effort":"max","summary":"auto"}"#
    );
    assert_eq!(said("", Effort::Max, true), "");
    // A form of another wire.
    let adaptive = r#"thinking = { form = "adaptive", levels = { low = "low" }, default = "low" }"#;
    assert_eq!(said(adaptive, Effort::Low, false), "");
}

fn reasoning() -> Block {
    let json = r#"{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"b\u0036"}"#;
    Block::from_json(json.to_owned()).unwrap()
}

fn call(id: &str, name: &str, input: &str) -> Block {
    Block::tool_use(&ToolCall {
        id: CallId::new(id.into()),
        name: name.into(),
        input: ToolInput::from_json(input.into()),
    })
}

fn block(json: &str) -> Block {
    Block::from_json(json.to_owned()).unwrap()
}

#[test]
fn what_only_the_model_can_read_goes_back_to_it_alone() {
    let answer = vec![
        reasoning(),
        block(r#"{"type":"responses_phase","phase":"commentary"}"#),
        Block::text("Let me look."),
        call("c1", "look", r#"{"a": 1}"#),
        block(r#"{"type":"of_tomorrow","x":1.50}"#),
        block(r#"{"type":"responses_item","item":{"type":"document","x":2}}"#),
        block(r#"{"type":"reasoning","summary":[],"id":"rs_2"}"#),
    ];
    let input = |from: &str| {
        let mut messages = hello();
        messages.push(message(Role::Assistant, answer.clone(), Some(from)));
        let result = Block::tool_result(&CallId::new("c1".into()), &Outcome::ok("seen"));
        messages.push(message(Role::User, vec![result], None));
        let body = compatible("").body(&asked(Effort::Off, messages));
        let start = body.find(r#""text":"hi"}]},"#).unwrap() + r#""text":"hi"}]},"#.len();
        body[start..].to_owned()
    };
    let thought = reasoning();
    let call = r#"{"type":"function_call","call_id":"c1","name":"look","arguments":"{\"a\": 1}"}"#;
    let output = r#"{"type":"function_call_output","call_id":"c1","output":"seen"}]}"#;
    let own = [
        thought.json(),
        r#"{"role":"assistant","content":"Let me look.","phase":"commentary"}"#,
        call,
        r#"{"type":"of_tomorrow","x":1.50}"#,
        r#"{"type":"document","x":2}"#,
        output,
    ];
    assert_eq!(input("p:m"), own.join(","));
    let others = [
        r#"{"role":"assistant","content":"Let me look."}"#,
        call,
        output,
    ];
    assert_eq!(input("p:other"), others.join(","));
}

#[test]
fn reasoning_goes_back_in_front_of_what_it_was_for_and_where_it_can_be_read() {
    let input = |model: &Responses, blocks: &[Block]| {
        let mut messages = hello();
        messages.push(message(Role::Assistant, blocks.to_vec(), Some("p:m")));
        messages.push(message(Role::User, vec![Block::text("go on")], None));
        model.body(&asked(Effort::Off, messages))
    };
    let official = at("https://api.openai.com", "", RequestSettings::default());
    let local = compatible("");
    // An answer that was cut while it thought, and one that thought on after its words.
    for model in [&official, &local] {
        let nothing = input(model, &[reasoning()]);
        assert!(
            nothing.contains(r#"{"role":"assistant","content":"(nothing)"},{"role":"user""#),
            "{nothing}"
        );
        let words = input(model, &[reasoning(), Block::text("So."), reasoning()]);
        assert_eq!(words.matches("rs_1").count(), 1, "{words}");
        assert!(words.contains(r#"{"role":"assistant","content":"So."},{"role":"user""#));
    }
    // Text that a server did not encrypt is read by that server, not by OpenAI; a summary by none.
    let open = block(
        r#"{"type":"reasoning","id":"rs_2","summary":[],"content":[{"type":"reasoning_text","text":"hm"}],"encrypted_content":""}"#,
    );
    let summary = block(
        r#"{"type":"reasoning","id":"rs_3","summary":[{"type":"summary_text","text":"hm"}],"content":[],"encrypted_content":""}"#,
    );
    let blocks = [open, summary, Block::text("So.")];
    let sent = input(&local, &blocks);
    assert!(sent.contains("rs_2") && !sent.contains("rs_3"), "{sent}");
    let sent = input(&official, &blocks);
    assert!(!sent.contains("rs_2") && !sent.contains("rs_3"), "{sent}");
}

#[test]
fn a_model_that_cannot_think_is_not_asked_for_reasoning() {
    let settings = ModelSettings {
        family: Some("GPT-4.1".to_owned()),
        ..ModelSettings::default()
    };
    let known = compatible("").with_settings(settings);
    assert!(!known.body(&asked(Effort::Off, hello())).contains("include"));
}

#[test]
fn odd_answers_of_other_wires_are_sent_in_a_form_that_is_taken() {
    let mut messages = hello();
    let odd = vec![
        block(r#"{"type":"thinking","thinking":"hm","signature":"s"}"#),
        Block::text(" "),
        call("call.1", "odd name", "{broken"),
    ];
    messages.push(message(Role::Assistant, odd, None));
    let failed = Block::tool_result(&CallId::new("call.1".into()), &Outcome::error(""));
    messages.push(message(Role::User, vec![failed], None));
    messages.push(message(Role::Assistant, vec![Block::text("")], None));
    messages.push(message(Role::User, vec![Block::text("")], None));
    let body = compatible("").body(&asked(Effort::Off, messages));
    let tail = [
        r#"{"type":"function_call","call_id":"call_1","name":"odd_name","arguments":"{}"}"#,
        r#"{"type":"function_call_output","call_id":"call_1","output":"Error: (nothing)"}"#,
        r#"{"role":"assistant","content":"(nothing)"}"#,
        r#"{"role":"user","content":"(nothing)"}]}"#,
    ];
    assert!(body.ends_with(&tail.join(",")), "{body}");
}

#[test]
fn pictures_and_documents_are_parts_of_messages_and_outputs() {
    let seen = Outcome {
        parts: vec![
            OutcomePart::Text("see".into()),
            OutcomePart::Image {
                media_type: "image/png",
                base64: "AAAA".into(),
            },
        ],
        is_error: false,
        ran: None,
        change: None,
        merge: None,
        refused: None,
    };
    let blocks = vec![
        Block::tool_result(&CallId::new("c".into()), &seen),
        block(
            r#"{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"BBBB"},"title":"a.pdf"}"#,
        ),
        Block::text("Read it."),
    ];
    let body = |facts: &str| {
        let messages = vec![message(Role::User, blocks.clone(), None)];
        compatible(facts).body(&asked(Effort::Off, messages))
    };
    let all = [
        r#"{"type":"function_call_output","call_id":"c","output":[{"type":"input_text","text":"see"},{"type":"input_image","image_url":"data:image/png;base64,AAAA","detail":"auto"}]}"#,
        r#"{"role":"user","content":[{"type":"input_file","filename":"a.pdf","file_data":"data:application/pdf;base64,BBBB"},{"type":"input_text","text":"Read it."}]}]}"#,
    ];
    assert!(body("").ends_with(&all.join(",")), "{}", body(""));
    let blind = body("pictures = false\ndocuments = false");
    assert!(
        !blind.contains("AAAA") && !blind.contains("BBBB"),
        "{blind}"
    );
    assert!(blind.contains("[a document (a.pdf) is here, which this model cannot read]"));
}

#[test]
fn what_the_user_configures_is_sent_and_nothing_else() {
    let wanted = RequestSettings {
        temperature: Some(0.5),
        stop: vec!["END".to_owned()],
        service_tier: Some("flex".to_owned()),
        user_id: Some("u-1".to_owned()),
        ..RequestSettings::default()
    };
    let mut request = asked(Effort::Off, hello());
    request.options.schema = Some(r#"{"type":"object"}"#.into());
    let body = at("http://localhost:1", "schema = true", wanted).body(&request);
    let added = r#","text":{"format":{"type":"json_schema","name":"result","schema":{"type":"object"},"strict":false}},"temperature":0.5,"service_tier":"flex","user":"u-1""#;
    assert!(body.starts_with(&format!("{HEAD}{added}{TOOLS}")), "{body}");
    assert!(!body.contains("END"), "this API has no stop texts");
}
