use teammate_core::{
    block::{Block, BlockView},
    model::{Remedy, Reply, StopReason, StreamPart, Usage},
    port::Model,
    tool::ToolInput,
};
use teammate_testkit::{Answer, reply};

use crate::{blocks, call, cut_anywhere, heard};

fn anthropic(url: &str) -> Box<dyn Model> {
    Box::new(crate::anthropic(url))
}

/// Events of a stream, each with the name that its type is.
fn events(events: &[&str]) -> String {
    let named = |data: &&str| {
        let value: serde_json::Value = serde_json::from_str(data).unwrap();
        format!(
            "event: {}\ndata: {data}\n\n",
            value["type"].as_str().unwrap()
        )
    };
    events.iter().map(named).collect()
}

/// A stream with these events between a good start and a good end.
fn stream(middle: &[&str], stop: &str) -> Answer {
    Answer::stream(events(
        &whole(middle, stop)
            .iter()
            .map(String::as_str)
            .collect::<Vec<_>>(),
    ))
}

fn whole(middle: &[&str], stop: &str) -> Vec<String> {
    let start = r#"{"type":"message_start","message":{"id":"m","model":"claude-1","usage":{"input_tokens":10,"output_tokens":1,"cache_read_input_tokens":20,"cache_creation_input_tokens":30}}}"#;
    let delta = format!(
        r#"{{"type":"message_delta","delta":{{"stop_reason":"{stop}","stop_sequence":null}},"usage":{{"output_tokens":40,"input_tokens":0}}}}"#
    );
    let mut all = vec![start.to_owned()];
    all.extend(middle.iter().map(|event| (*event).to_owned()));
    all.extend([delta, r#"{"type":"message_stop"}"#.to_owned()]);
    all
}

async fn good(middle: &[&str], stop: &str) -> Reply {
    heard(stream(middle, stop), anthropic).await.0.unwrap()
}

const EVERY_KIND: [&str; 26] = [
    r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"Hm \u00e9"}}"#,
    r#"{"type":"ping"}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"m"}}"#,
    r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"c2ln"}}"#,
    r#"{"type":"content_block_stop","index":0}"#,
    r#"{"type":"content_block_start","index":1,"content_block":{"type":"redacted_thinking",  "data":"eHg="}}"#,
    r#"{"type":"content_block_stop","index":1}"#,
    r#"{"type":"content_block_start","index":2,"content_block":{"type":"text","text":"","citations":null}}"#,
    r#"{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":"a 🦀"}}"#,
    r#"{"type":"content_block_delta","index":2,"delta":{"type":"citations_delta","citation":{"type":"page", "n": 1.0}}}"#,
    r#"{"type":"content_block_delta","index":2,"delta":{"type":"text_delta","text":" b"}}"#,
    r#"{"type":"content_block_stop","index":2}"#,
    r#"{"type":"news_of_tomorrow","x":[1,2]}"#,
    r#"{"type":"content_block_start","index":3,"content_block":{"type":"server_tool_use","id":"s1","name":"web_search","input":{}}}"#,
    r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"{\"q\": 1e2"}}"#,
    r#"{"type":"content_block_delta","index":3,"delta":{"type":"input_json_delta","partial_json":"}"}}"#,
    r#"{"type":"content_block_stop","index":3}"#,
    r#"{"type":"content_block_start","index":4,"content_block":{"zeta": 1.50, "type":"of_tomorrow","note":null}}"#,
    r#"{"type":"content_block_delta","index":4,"delta":{"type":"note_delta","note":"ab"}}"#,
    r#"{"type":"content_block_delta","index":4,"delta":{"type":"note_delta","note":"cd"}}"#,
    r#"{"type":"content_block_stop","index":4}"#,
    r#"{"type":"content_block_start","index":5,"content_block":{"type":"tool_use","id":"t1","name":"bash"}}"#,
    r#"{"type":"content_block_delta","index":5,"delta":{"type":"input_json_delta","partial_json":"{\"n\": 1e2,  \"s\":\"\\u00e9\","}}"#,
    r#"{"type":"content_block_delta","index":5,"delta":{"type":"input_json_delta","partial_json":"\"big\":12345678901234567890123}"}}"#,
    r#"{"type":"content_block_stop","index":5}"#,
];

#[tokio::test]
async fn every_kind_of_block_is_kept() {
    let (reply, parts) = heard(stream(&EVERY_KIND, "tool_use"), anthropic).await;
    let reply = reply.unwrap();
    assert_eq!(
        blocks(&reply),
        [
            r#"{"type":"thinking","thinking":"Hm ém","signature":"c2ln"}"#.to_owned(),
            r#"{"type":"redacted_thinking",  "data":"eHg="}"#.into(),
            r#"{"type":"text","text":"a 🦀 b","citations":[{"type":"page", "n": 1.0}]}"#.into(),
            r#"{"type":"server_tool_use","id":"s1","name":"web_search","input":{"q": 1e2}}"#.into(),
            r#"{"zeta":1.50,"type":"of_tomorrow","note":"abcd"}"#.into(),
            r#"{"type":"tool_use","id":"t1","name":"bash","input":{"n": 1e2,  "s":"\u00e9","big":12345678901234567890123}}"#.into(),
        ]
    );
    assert_eq!(reply.stop, StopReason::ToolUse);
    assert_eq!(reply.model, "claude-1");
    assert_eq!(
        reply.usage,
        Usage {
            input: 10,
            output: 40,
            cache_read: 20,
            cache_write: 30,
            ..Usage::default()
        }
    );
    assert_eq!(
        parts,
        [
            StreamPart::Started,
            StreamPart::Thinking("Hm é".into()),
            StreamPart::Thinking("m".into()),
            StreamPart::Text("a 🦀".into()),
            StreamPart::Text(" b".into()),
            StreamPart::ToolUse {
                name: "bash".into()
            },
        ]
    );
}

#[tokio::test]
async fn chunks_make_no_difference() {
    let whole = heard(stream(&EVERY_KIND, "tool_use"), anthropic).await;
    for size in [1, 7, 100] {
        let answer = stream(&EVERY_KIND, "tool_use").in_chunks_of(size);
        assert_eq!(heard(answer, anthropic).await, whole);
    }
}

// slow: a stream cut at every byte
#[tokio::test]
async fn a_cut_stream_is_never_an_answer() {
    let kinds: Vec<&str> = EVERY_KIND
        .iter()
        .copied()
        .take(13)
        .chain(EVERY_KIND.iter().copied().skip(22))
        .collect();
    let all = whole(&kinds, "tool_use");
    let text = events(&all.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(cut_anywhere(&text, anthropic, Answer::cut_at).await, 1);
    assert_eq!(
        cut_anywhere(&text, anthropic, Answer::claim_length_but_end_at).await,
        1
    );
}

#[tokio::test]
async fn input_may_be_left_out_broken_or_whole_at_the_start() {
    let start = |index: u64, extra: &str| {
        format!(
            r#"{{"type":"content_block_start","index":{index},"content_block":{{"type":"tool_use","id":"t{index}","name":"look"{extra}}}}}"#
        )
    };
    let delta = |index: u64, json: &str| {
        format!(
            r#"{{"type":"content_block_delta","index":{index},"delta":{{"type":"input_json_delta","partial_json":{}}}}}"#,
            serde_json::to_string(json).unwrap()
        )
    };
    let stop = |index: u64| format!(r#"{{"type":"content_block_stop","index":{index}}}"#);
    let all = [
        start(0, ""),
        stop(0),
        start(1, r#","input":{}"#),
        delta(1, ""),
        stop(1),
        start(2, r#","input":{"a":1}"#),
        stop(2),
        start(3, r#","input":{}"#),
        delta(3, r#"{"comm"#),
        stop(3),
        start(4, r#","input":{}"#),
        delta(4, "[1]"),
        stop(4),
    ];
    let reply = good(
        &all.iter().map(String::as_str).collect::<Vec<_>>(),
        "max_tokens",
    )
    .await;
    assert_eq!(reply.stop, StopReason::MaxTokens);
    let inputs: Vec<ToolInput> = reply.calls().into_iter().map(|call| call.input).collect();
    let json = |text: &str| ToolInput::from_json(text.into());
    assert_eq!(
        inputs,
        [
            json("{}"),
            json("{}"),
            json(r#"{"a":1}"#),
            ToolInput::Damaged(r#"{"comm"#.into()),
            ToolInput::Damaged("[1]".into()),
        ]
    );
}

#[tokio::test]
async fn every_stop_reason_has_its_word() {
    for (wired, stop) in [
        ("end_turn", StopReason::EndTurn),
        ("stop_sequence", StopReason::EndTurn),
        ("max_tokens", StopReason::MaxTokens),
        ("pause_turn", StopReason::Pause),
        ("refusal", StopReason::Refusal),
        ("model_context_window_exceeded", StopReason::ContextFull),
        ("boredom", StopReason::Other("boredom".into())),
    ] {
        assert_eq!(good(&[], wired).await.stop, stop);
    }
}

#[tokio::test]
async fn what_the_server_streams_is_what_is_heard() {
    let said = reply(
        vec![
            Block::from_json(r#"{"type":"thinking","thinking":"I see.","signature":"xyz"}"#.into())
                .unwrap(),
            Block::text("Two calls, then."),
            call("t1", "bash", r#"{"command":"ls"}"#),
            call("t2", "look", "{}"),
        ],
        StopReason::ToolUse,
    );
    let reply = heard(Answer::reply(said.clone()), anthropic)
        .await
        .0
        .unwrap();
    assert_eq!((&reply.blocks, &reply.stop), (&said.blocks, &said.stop));
    assert_eq!(reply.usage, said.usage);
}

#[tokio::test]
async fn an_error_in_the_stream_is_a_failure() {
    let text =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"so"}}"#;
    for (error, retried) in [
        (
            r#"{"type":"error","error":{"type":"overloaded_error","message":"Overloaded"}}"#,
            true,
        ),
        (
            r#"{"type":"error","error":{"type":"invalid_request_error","message":"no"}}"#,
            false,
        ),
    ] {
        let failure = heard(stream(&[text, error], "end_turn"), anthropic)
            .await
            .0
            .unwrap_err();
        assert_eq!(
            matches!(failure.remedy, Remedy::Retry { .. }),
            retried,
            "{failure}"
        );
    }
    let long = r#"{"type":"error","error":{"type":"invalid_request_error","message":"prompt is too long: 3 tokens > 2 maximum"}}"#;
    let failure = heard(stream(&[long], "end_turn"), anthropic)
        .await
        .0
        .unwrap_err();
    assert_eq!(failure.remedy, Remedy::Shorten);
}

#[tokio::test]
async fn a_stream_that_makes_no_sense_is_a_failure() {
    let start =
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":""}}"#;
    let delta =
        r#"{"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"x"}}"#;
    let stop = r#"{"type":"content_block_stop","index":0}"#;
    for middle in [
        vec![start],
        vec![start, start, stop],
        vec![start, delta, stop],
        vec![delta],
        vec![stop],
        vec![r#"{"type":"content_block_start","index":0,"content_block":[]}"#],
        vec![r#"{"type":"content_block_start","index":0}"#],
    ] {
        let failure = heard(stream(&middle, "end_turn"), anthropic)
            .await
            .0
            .unwrap_err();
        assert!(
            matches!(failure.remedy, Remedy::Retry { .. }),
            "{middle:?}: {failure}"
        );
    }
    let failure = heard(
        Answer::stream("event: message_start\ndata: {oops\n\n"),
        anthropic,
    )
    .await;
    assert!(failure.0.unwrap_err().what.contains("not JSON"));
}

#[tokio::test]
async fn an_id_that_comes_again_is_made_new() {
    let said = || {
        Answer::reply(reply(
            vec![call("call_0", "look", "{}")],
            StopReason::ToolUse,
        ))
    };
    let server = teammate_testkit::Server::with_answers([said()])
        .await
        .unwrap();
    let model = crate::anthropic(&server.url());
    let mut messages = crate::user_says("hi");
    let earlier = |role, block| {
        std::sync::Arc::new(teammate_core::model::ChatMessage::new(
            role,
            vec![block],
            None,
        ))
    };
    messages.push(earlier(
        teammate_core::model::Role::Assistant,
        call("call_0", "look", "{}"),
    ));
    let result = Block::tool_result(
        &teammate_core::tool::CallId::new("call_0".into()),
        &teammate_core::tool::Outcome::ok("seen"),
    );
    messages.push(earlier(teammate_core::model::Role::User, result));
    let reply = crate::ask(&model, crate::request(&messages))
        .await
        .0
        .unwrap();
    let BlockView::ToolUse(call) = reply.blocks[0].view() else {
        panic!()
    };
    assert_eq!(call.id.as_str(), "call_0_3");
}
