use std::sync::Arc;

use teammate_core::{
    MemberName, Message, MessageId, MessageKind, Sender, Timestamp,
    block::Block,
    model::{ChatMessage, ModelRequest, Origin, Preamble, Role, StopReason, Wire},
    port::Model,
    tool::{CallId, Outcome, OutcomePart},
    transcript::{Conversation, Entry},
};
use teammate_testkit::{Answer, RecordedRequest, Server, reply, without_cache_markers};

use crate::{ask, call, request, user_says};

fn mail(number: usize, text: &str) -> Entry {
    Entry::Heard(vec![Message {
        id: MessageId::parse(&format!("m{number}")).unwrap(),
        kind: MessageKind::Message,
        from: Sender::try_from("bob".to_owned()).unwrap(),
        from_incarnation: None,
        to: MemberName::lead(),
        to_incarnation: None,
        content: text.into(),
        sent_at: Timestamp(0),
        wakes: None,
        request_id: None,
        metadata: teammate_core::mail::Metadata::default(),
    }])
}

/// Twelve turns with calls, mail in mid-turn, a thought and an odd outcome; what the server saw.
async fn long_talk(model: impl FnOnce(&str) -> Box<dyn Model>) -> Vec<RecordedRequest> {
    let mut turn = 0;
    let server = Server::start(move |_| {
        turn += 1;
        let thought = r#"{"type":"thinking","thinking":"Now what?","signature":"c2ln"}"#;
        let thought = Block::from_json(thought.into()).unwrap();
        Answer::reply(match turn % 3 {
            0 => reply(
                vec![thought, Block::text("That is that.")],
                StopReason::EndTurn,
            ),
            1 => reply(
                vec![
                    thought,
                    call(&format!("t{turn}"), "bash", r#"{"n": 1e2, "é":"\u00e9"}"#),
                ],
                StopReason::ToolUse,
            ),
            _ => reply(
                vec![
                    Block::text("Two."),
                    call("same", "look", "{}"),
                    call("same", "look", "{}"),
                ],
                StopReason::ToolUse,
            ),
        })
    })
    .await
    .unwrap();
    let model = model(&server.url());
    let preamble = Arc::new(crate::preamble());
    let mut conversation = Conversation::default();
    let mut cached = 0;
    conversation.push(&mail(0, "begin"));
    for turn in 1..=12 {
        let asked = ModelRequest {
            preamble: preamble.clone(),
            cached,
            ..request(conversation.messages())
        };
        cached = conversation.messages().len();
        let mut reply = ask(&*model, asked).await.0.unwrap();
        // As the runtime records it: by the name under which it was asked.
        reply.model = "test:model".to_owned();
        let calls = reply.calls();
        conversation.push(&Entry::Answered(reply));
        if !calls.is_empty() {
            let outcome = match turn % 2 {
                0 => Outcome::error(""),
                _ => Outcome::ok("line 1\nline 2"),
            };
            let done = calls.into_iter().map(|call| (call.id, outcome.clone()));
            conversation.push(&Entry::ToolOutcomes(done.collect()));
        }
        if turn % 3 != 1 {
            conversation.push(&mail(turn, "and then?"));
        }
    }
    let seen = server.seen();
    let problems: Vec<_> = seen
        .iter()
        .filter_map(|seen| seen.problem.clone())
        .collect();
    assert_eq!(problems, [] as [String; 0]);
    assert_eq!(seen.len(), 12);
    seen
}

/// Without markers and its closing brackets, each request begins the next.
fn assert_prefixes(seen: &[RecordedRequest]) {
    for pair in seen.windows(2) {
        let before = without_cache_markers(&pair[0].body);
        let after = without_cache_markers(&pair[1].body);
        let before = before.strip_suffix("]}").unwrap();
        assert!(
            after.starts_with(before),
            "{before}\n  does not begin\n{after}"
        );
        assert!(pair[1].shared >= before.len());
    }
}

#[tokio::test]
async fn a_request_begins_the_next_on_anthropics_wire() {
    let seen = long_talk(|url| Box::new(crate::anthropic(url))).await;
    assert_prefixes(&seen);
    // Markers: tools of every kind, shared instructions, where the last request ended, and the end.
    let marker = r#""cache_control":{"type":"ephemeral"}"#;
    assert_eq!(seen[0].body.matches(marker).count(), 3);
    for pair in seen.windows(2) {
        let (before, now) = (pair[0].json(), pair[1].json());
        assert_eq!(pair[1].body.matches(marker).count(), 4);
        assert!(now["tools"][0]["cache_control"].is_object());
        assert!(now["system"][0]["cache_control"].is_object());
        let ended = before["messages"].as_array().unwrap().len() - 1;
        let last = |message: &serde_json::Value| {
            message["content"]
                .as_array()
                .unwrap()
                .last()
                .unwrap()
                .clone()
        };
        let messages = now["messages"].as_array().unwrap();
        assert!(last(&messages[ended])["cache_control"].is_object());
        assert!(last(messages.last().unwrap())["cache_control"].is_object());
    }
    // Blocks go back byte for byte.
    let body = &seen[11].body;
    assert!(body.contains(r#"{"type":"thinking","thinking":"Now what?","signature":"c2ln"}"#));
    assert!(body.contains(r#""input":{"n": 1e2, "é":"\u00e9"}"#));
}

#[tokio::test]
async fn a_request_begins_the_next_on_openais_wire() {
    let seen = long_talk(|url| Box::new(crate::openai(url))).await;
    assert_prefixes(&seen);
    let body = &seen[11].body;
    assert!(body.contains(r#""reasoning_content":"Now what?""#));
    assert!(body.contains(r#""arguments":"{\"n\": 1e2, \"é\":\"\\u00e9\"}""#));
    assert!(body.starts_with(r#"{"model":"gpt","max_tokens":1000,"stream":true,"stream_options":{"include_usage":true},"tools":[{"#));
    assert!(!body.contains("prompt_cache_key"));
}

#[tokio::test]
async fn a_request_begins_the_next_on_the_responses_wire() {
    let seen = long_talk(|url| Box::new(crate::responses(url))).await;
    assert_prefixes(&seen);
    let body = &seen[11].body;
    // Reasoning goes back as it came, before the call that it was for.
    let reasoning = r#"{"id":"rs_0","type":"reasoning","summary":[{"type":"summary_text","text":"Now what?"}],"encrypted_content":"enc-9"},{"type":"function_call","#;
    assert!(body.contains(reasoning), "{body}");
    assert!(body.contains(r#""arguments":"{\"n\": 1e2, \"é\":\"\\u00e9\"}""#));
    assert!(body.contains(r#"{"role":"assistant","content":"Two.","phase":"final_answer"}"#));
    assert!(!body.contains("prompt_cache_key") && !body.contains("instructions"));
}

fn message(role: Role, blocks: Vec<Block>, wire: Option<Wire>) -> Arc<ChatMessage> {
    let origin = wire.map(|wire| Origin::new(wire, "test:model"));
    Arc::new(ChatMessage::new(role, blocks, origin))
}

fn block(json: &str) -> Block {
    Block::from_json(json.into()).unwrap()
}

fn result(id: &str, outcome: &Outcome) -> Block {
    Block::tool_result(&CallId::new(id.into()), outcome)
}

/// A history with everything that is hard to send, from all wires.
fn mixed() -> Vec<Arc<ChatMessage>> {
    let picture = Outcome {
        parts: vec![
            OutcomePart::Text(" ".into()),
            OutcomePart::Image {
                media_type: "image/png",
                base64: "aGk=".into(),
            },
        ],
        is_error: false,
        ran: None,
        change: None,
        merge: None,
        refused: None,
    };
    vec![
        message(Role::User, vec![Block::text(" "), Block::text("go")], None),
        message(
            Role::Assistant,
            vec![
                block(r#"{"type":"reasoning","text":"hm","field":"reasoning"}"#),
                block(
                    r#"{"type":"openai_fields","fields":{"x_added":[1, 2.0]},"calls":{"functions.look:0":{"extra_content":{"s":1}}}}"#,
                ),
                call("functions.look:0", "to look", "{}"),
                call("b", "bash", "{\"comm"),
            ],
            Some(Wire::OpenAi),
        ),
        message(
            Role::User,
            vec![
                result("functions.look:0", &picture),
                result("b", &Outcome::error("")),
                Block::text("and hurry"),
            ],
            None,
        ),
        message(
            Role::Assistant,
            vec![
                block(r#"{"type":"thinking","thinking":"t","signature":"s"}"#),
                block(r#"{"type":"redacted_thinking","data":"d"}"#),
                Block::text(""),
                block(r#"{"type":"server_tool_use","id":"s","name":"w","input":{}}"#),
                call("c", "look", "{}"),
            ],
            Some(Wire::Anthropic),
        ),
        message(Role::User, vec![result("c", &Outcome::ok(""))], None),
        message(
            Role::Assistant,
            vec![block(
                r#"{"type":"reasoning","text":"x","field":"reasoning"}"#,
            )],
            Some(Wire::OpenAi),
        ),
        message(Role::User, vec![Block::text("\n")], None),
        message(
            Role::Assistant,
            vec![Block::text("played")],
            Some(Wire::Plain),
        ),
        message(Role::User, vec![Block::text("more")], None),
        message(
            Role::Assistant,
            vec![
                block(r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"}"#),
                block(r#"{"type":"responses_phase","phase":"commentary"}"#),
                Block::text("asked"),
                block(r#"{"type":"responses_item","item":{"type":"document"}}"#),
                block(r#"{"type":"of_tomorrow"}"#),
            ],
            Some(Wire::Responses),
        ),
        message(Role::User, vec![Block::text("bye")], None),
    ]
}

#[tokio::test]
async fn a_history_of_all_wires_is_taken_by_anthropic() {
    let server = Server::with_answers([Answer::text("x")]).await.unwrap();
    ask(&crate::anthropic(&server.url()), request(&mixed()))
        .await
        .0
        .unwrap();
    let seen = &server.seen()[0];
    assert_eq!(seen.problem, None);
    let body = without_cache_markers(&seen.body);
    let (_, messages) = body.split_once(r#""messages":"#).unwrap();
    let nothing = r#"{"type":"text","text":"(nothing)"}"#;
    let wanted = [
        r#"{"role":"user","content":[{"type":"text","text":"go"}]}"#.to_owned(),
        r#"{"role":"assistant","content":[{"type":"tool_use","id":"functions_look_0","name":"to_look","input":{}},{"type":"tool_use","id":"b","name":"bash","input":{}}]}"#.into(),
        format!(r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"functions_look_0","content":[{{"type":"image","source":{{"type":"base64","media_type":"image/png","data":"aGk="}}}}]}},{{"type":"tool_result","tool_use_id":"b","content":[{nothing}],"is_error":true}},{{"type":"text","text":"and hurry"}}]}}"#),
        r#"{"role":"assistant","content":[{"type":"thinking","thinking":"t","signature":"s"},{"type":"redacted_thinking","data":"d"},{"type":"server_tool_use","id":"s","name":"w","input":{}},{"type":"tool_use","id":"c","name":"look","input":{}}]}"#.into(),
        format!(r#"{{"role":"user","content":[{{"type":"tool_result","tool_use_id":"c","content":[{nothing}]}}]}}"#),
        format!(r#"{{"role":"assistant","content":[{nothing}]}}"#),
        format!(r#"{{"role":"user","content":[{nothing}]}}"#),
        r#"{"role":"assistant","content":[{"type":"text","text":"played"}]}"#.into(),
        r#"{"role":"user","content":[{"type":"text","text":"more"}]}"#.into(),
        r#"{"role":"assistant","content":[{"type":"text","text":"asked"}]}"#.into(),
        r#"{"role":"user","content":[{"type":"text","text":"bye"}]}"#.into(),
    ];
    assert_eq!(messages, format!("[{}]}}", wanted.join(",")));
}

#[tokio::test]
async fn a_history_of_all_wires_is_taken_by_openai() {
    let server = Server::with_answers([Answer::text("x")]).await.unwrap();
    ask(&crate::openai(&server.url()), request(&mixed()))
        .await
        .0
        .unwrap();
    let seen = &server.seen()[0];
    assert_eq!(seen.problem, None);
    let (_, messages) = seen.body.split_once(r#""messages":"#).unwrap();
    let wanted = [
        r#"{"role":"system","content":"Work together.\nBe brief.\n\nYou are 'lead'."}"#,
        r#"{"role":"user","content":"go"}"#,
        r#"{"role":"assistant","content":null,"tool_calls":[{"id":"functions.look:0","type":"function","function":{"name":"to_look","arguments":"{}"},"extra_content":{"s":1}},{"id":"b","type":"function","function":{"name":"bash","arguments":"{}"}}],"reasoning":"hm","x_added":[1, 2.0]}"#,
        r#"{"role":"tool","tool_call_id":"functions.look:0","content":"(see the picture below)"}"#,
        r#"{"role":"tool","tool_call_id":"b","content":"Error: (nothing)"}"#,
        r#"{"role":"user","content":[{"type":"image_url","image_url":{"url":"data:image/png;base64,aGk="}},{"type":"text","text":"and hurry"}]}"#,
        r#"{"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"look","arguments":"{}"}}]}"#,
        r#"{"role":"tool","tool_call_id":"c","content":"(nothing)"}"#,
        r#"{"role":"assistant","content":"(nothing)","reasoning":"x"}"#,
        r#"{"role":"user","content":"(nothing)"}"#,
        r#"{"role":"assistant","content":"played"}"#,
        r#"{"role":"user","content":"more"}"#,
        r#"{"role":"assistant","content":"asked"}"#,
        r#"{"role":"user","content":"bye"}"#,
    ];
    assert_eq!(messages, format!("[{}]}}", wanted.join(",")));
}

#[tokio::test]
async fn a_history_of_all_wires_is_taken_by_responses() {
    let server = Server::with_answers([Answer::text("x")]).await.unwrap();
    ask(&crate::responses(&server.url()), request(&mixed()))
        .await
        .0
        .unwrap();
    let seen = &server.seen()[0];
    assert_eq!(seen.problem, None);
    let (_, input) = seen.body.split_once(r#""input":"#).unwrap();
    let said = |role, text| format!(r#"{{"role":"{role}","content":"{text}"}}"#);
    let told =
        |text| format!(r#"{{"role":"user","content":[{{"type":"input_text","text":"{text}"}}]}}"#);
    let called = |id, name| {
        format!(r#"{{"type":"function_call","call_id":"{id}","name":"{name}","arguments":"{{}}"}}"#)
    };
    let wanted = [
        said("system", "Work together.\\nBe brief.\\n\\nYou are 'lead'."),
        told("go"),
        called("functions_look_0", "to_look"),
        called("b", "bash"),
        r#"{"type":"function_call_output","call_id":"functions_look_0","output":[{"type":"input_image","image_url":"data:image/png;base64,aGk=","detail":"auto"}]}"#.to_owned(),
        r#"{"type":"function_call_output","call_id":"b","output":"Error: (nothing)"}"#.to_owned(),
        told("and hurry"),
        called("c", "look"),
        r#"{"type":"function_call_output","call_id":"c","output":"(nothing)"}"#.to_owned(),
        said("assistant", "(nothing)"),
        said("user", "(nothing)"),
        said("assistant", "played"),
        told("more"),
        r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"}"#.to_owned(),
        r#"{"role":"assistant","content":"asked","phase":"commentary"}"#.to_owned(),
        r#"{"type":"document"}"#.to_owned(),
        r#"{"type":"of_tomorrow"}"#.to_owned(),
        told("bye"),
    ];
    assert_eq!(input, format!("[{}]}}", wanted.join(",")));
}

#[tokio::test]
async fn a_preamble_of_nothing_is_left_out() {
    let server = Server::start(|_| Answer::text("x")).await.unwrap();
    let bare = || ModelRequest {
        preamble: Arc::new(Preamble::new(Vec::new(), String::new())),
        identity: "".into(),
        ..request(&user_says("hi"))
    };
    ask(&crate::anthropic(&server.url()), bare())
        .await
        .0
        .unwrap();
    ask(&crate::openai(&server.url()), bare()).await.0.unwrap();
    let seen = server.seen();
    assert_eq!(
        seen[0].body,
        r#"{"model":"claude","max_tokens":1000,"stream":true,"messages":[{"role":"user","content":[{"type":"text","text":"hi","cache_control":{"type":"ephemeral"}}]}]}"#
    );
    assert_eq!(
        seen[1].body,
        r#"{"model":"gpt","max_tokens":1000,"stream":true,"stream_options":{"include_usage":true},"messages":[{"role":"user","content":"hi"}]}"#
    );
}

#[tokio::test]
async fn a_play_can_be_served_on_all_wires() {
    let play = r#"{"members": {"lead": [
        {"when": {"contains": "hi"}, "say": "Hello.", "calls": [{"tool": "look", "input": {"at": "{{mail}}"}}]}
    ]}}"#;
    let play = teammate_models::Scripted::read("play.json", play).unwrap();
    let server = Server::with_model("127.0.0.1:0", Arc::new(play), true)
        .await
        .unwrap();
    let models: [Box<dyn Model>; 3] = [
        Box::new(crate::anthropic(&server.url())),
        Box::new(crate::openai(&server.url())),
        Box::new(crate::responses(&server.url())),
    ];
    for model in models {
        let reply = ask(&*model, request(&user_says("hi"))).await.0.unwrap();
        assert_eq!(reply.text(), "Hello.");
        assert_eq!(
            reply.calls()[0].input,
            teammate_core::tool::ToolInput::from_json(r#"{"at":"hi"}"#.into())
        );
        let reply = ask(&*model, request(&user_says("no"))).await.0.unwrap();
        assert_eq!(reply.text(), "(the play has no scene for this)");
    }
}
