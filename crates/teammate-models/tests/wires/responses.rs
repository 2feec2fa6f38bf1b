//! The Responses API: what is heard and what is sent, against a strict server.

use teammate_core::{
    block::Block,
    model::{Remedy, Reply, StopReason, StreamPart},
    port::Model,
};
use teammate_testkit::{Answer, Server, reply, responses_stream};

use crate::{ask, call, cut_anywhere, heard, request, user_says};

fn responses(url: &str) -> Box<dyn Model> {
    Box::new(crate::responses(url))
}

fn thought() -> Block {
    let json = r#"{"type":"thinking","thinking":"Now what?","signature":"c2ln"}"#;
    Block::from_json(json.to_owned()).unwrap()
}

fn said() -> Reply {
    reply(
        vec![
            thought(),
            Block::text("Two calls, then. é 🦀"),
            call("t1", "bash", r#"{"command": "ls"}"#),
            call("t2", "look", "{}"),
        ],
        StopReason::ToolUse,
    )
}

#[tokio::test]
async fn what_the_server_streams_is_what_is_heard() {
    let (heard, parts) = heard(Answer::reply(said()).in_chunks_of(7), responses).await;
    let heard = heard.unwrap();
    let whole = said();
    assert_eq!(heard.text(), "Two calls, then. é 🦀");
    assert_eq!(heard.calls(), whole.calls());
    assert_eq!((&heard.stop, heard.usage), (&whole.stop, whole.usage));
    assert!(
        heard.blocks[0]
            .json()
            .contains(r#""encrypted_content":"enc-9""#)
    );
    assert_eq!(parts[0], StreamPart::Started);
    let thinking: String = parts
        .iter()
        .filter_map(|part| match part {
            StreamPart::Thinking(text) => Some(text.as_str()),
            StreamPart::Started
            | StreamPart::Adapted(_)
            | StreamPart::Text(_)
            | StreamPart::ToolUse { .. } => None,
        })
        .collect();
    assert_eq!(thinking, "Now what?");
    let bash = StreamPart::ToolUse {
        name: "bash".into(),
    };
    assert!(parts.contains(&bash));
}

// slow: a stream cut at every byte
#[tokio::test]
async fn a_cut_stream_is_never_another_answer() {
    let body = responses_stream(&said());
    assert_eq!(cut_anywhere(&body, responses, Answer::cut_at).await, 1);
    assert_eq!(
        cut_anywhere(&body, responses, Answer::claim_length_but_end_at).await,
        1
    );
}

#[tokio::test]
async fn refusals_and_cut_answers_have_their_reasons() {
    let text = |stop| Answer::reply(reply(vec![Block::text("Well")], stop));
    for stop in [
        StopReason::EndTurn,
        StopReason::Refusal,
        StopReason::MaxTokens,
    ] {
        let reply = heard(text(stop.clone()), responses).await.0.unwrap();
        assert_eq!((reply.text().as_str(), &reply.stop), ("Well", &stop));
    }
}

#[tokio::test]
async fn a_failure_in_the_stream_says_what_to_do() {
    for (error, remedy) in [
        (
            r#"{"code":"server_error","message":"x"}"#,
            Remedy::Retry { after: None },
        ),
        (
            r#"{"code":"rate_limit_exceeded","message":"x"}"#,
            Remedy::SlowDown { after: None },
        ),
        (
            r#"{"code":"context_length_exceeded","message":"x"}"#,
            Remedy::Shorten,
        ),
        (
            r#"{"code":"insufficient_quota","message":"x"}"#,
            Remedy::Never,
        ),
        (r#"{"code":"invalid_prompt","message":"x"}"#, Remedy::Never),
        (r#"{"code":"image_too_large","message":"x"}"#, Remedy::Never),
        (r#"{"code":"bio_policy","message":"x"}"#, Remedy::Never),
        (
            r#"{"code":"vector_store_timeout","message":"x"}"#,
            Remedy::Retry { after: None },
        ),
    ] {
        let event = format!(
            "event: response.failed\ndata: {{\"type\":\"response.failed\",\"response\":{{\"error\":{error}}}}}\n\n"
        );
        let failure = heard(Answer::stream(event), responses).await.0.unwrap_err();
        assert_eq!(failure.remedy, remedy, "{failure}");
    }
}

// slow: answers of many megabytes
#[tokio::test]
async fn an_endless_answer_is_cut() {
    let event = |data: String| format!("data: {data}\n\n");
    let long = "x".repeat(1 << 20);
    let delta = |kind: &str| {
        format!(r#"{{"type":"response.{kind}.delta","output_index":0,"delta":"{long}"}}"#)
    };
    let item = r#"{"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","name":"look"}}"#;
    let nothing = r#"{"type":"response.in_progress"}"#;
    for (what, body) in [
        ("nothing", event(nothing.to_owned()).repeat(10_001)),
        ("text", event(delta("output_text")).repeat(40)),
        ("refusal", event(delta("refusal")).repeat(40)),
        ("thinking", event(delta("reasoning_text")).repeat(40)),
        (
            "arguments",
            event(delta("function_call_arguments")).repeat(40),
        ),
        ("items", event(item.to_owned()).repeat(33_000)),
    ] {
        let failure = heard(Answer::stream(body), responses).await.0.unwrap_err();
        assert!(
            failure.what.contains("answered without end"),
            "{what}: {failure}"
        );
        assert!(matches!(failure.remedy, Remedy::Retry { .. }), "{what}");
    }
}

#[tokio::test]
async fn call_ids_are_unique_in_a_conversation() {
    let same = reply(
        vec![call("same", "look", "{}"), call("same", "look", "{}")],
        StopReason::ToolUse,
    );
    let server = Server::with_answers([Answer::reply(same)]).await.unwrap();
    let model = crate::responses(&server.url());
    let reply = ask(&model, request(&user_says("hi"))).await.0.unwrap();
    let calls = reply.calls();
    assert_ne!(calls[0].id, calls[1].id);
}
