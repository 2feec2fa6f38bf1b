use teammate_core::{
    block::Block,
    model::{Remedy, Reply, StopReason, StreamPart, Usage},
    port::Model,
    tool::{ToolCall, ToolInput},
};
use teammate_testkit::{Answer, reply};

use crate::{blocks, call, cut_anywhere, heard};

fn openai(url: &str) -> Box<dyn Model> {
    Box::new(crate::openai(url))
}

fn event(data: &str) -> String {
    format!("data: {data}\n\n")
}

/// A chunk with this delta.
fn chunk(delta: &str) -> String {
    event(&format!(
        r#"{{"id":"c","model":"gpt-1","choices":[{{"index":0,"delta":{delta},"finish_reason":null}}]}}"#
    ))
}

fn finish(reason: &str) -> String {
    event(&format!(
        r#"{{"model":"gpt-1","choices":[{{"index":0,"delta":{{}},"finish_reason":"{reason}"}}]}}"#
    ))
}

const DONE: &str = "data: [DONE]\n\n";

fn stream(deltas: &[&str], reason: &str) -> String {
    let chunks: String = deltas.iter().map(|delta| chunk(delta)).collect();
    chunks + &finish(reason) + DONE
}

async fn good(deltas: &[&str], reason: &str) -> Reply {
    heard(Answer::stream(stream(deltas, reason)), openai)
        .await
        .0
        .unwrap()
}

/// Calls as (id, name, input).
fn seen(calls: Vec<ToolCall>) -> Vec<(String, String, String)> {
    calls
        .into_iter()
        .map(|call| {
            let input = match call.input {
                ToolInput::Json(raw) => raw.get().to_owned(),
                ToolInput::Damaged(text) => format!("damaged {text}"),
            };
            (call.id.as_str().to_owned(), call.name, input)
        })
        .collect()
}

#[tokio::test]
async fn text_and_usage_are_heard() {
    let usage = r#"{"model":"gpt-1","choices":[],"usage":{"prompt_tokens":100,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":64}}}"#;
    let body = chunk(r#"{"role":"assistant","content":""}"#)
        + ": OPENROUTER PROCESSING\n\n"
        + &chunk(r#"{"content":"a 🦀"}"#)
        + &chunk(r#"{"content":" b"}"#)
        + &finish("stop")
        + &event(usage)
        + DONE;
    let (reply, parts) = heard(Answer::stream(body).in_chunks_of(3), openai).await;
    let reply = reply.unwrap();
    assert_eq!(blocks(&reply), [r#"{"type":"text","text":"a 🦀 b"}"#]);
    assert_eq!(
        (reply.stop, reply.model.as_str()),
        (StopReason::EndTurn, "gpt-1")
    );
    let usage = Usage {
        input: 36,
        output: 9,
        cache_read: 64,
        ..Usage::default()
    };
    assert_eq!(reply.usage, usage);
    let text = |text: &str| StreamPart::Text(text.into());
    assert_eq!(parts, [StreamPart::Started, text("a 🦀"), text(" b")]);
}

#[tokio::test]
async fn calls_come_in_many_shapes() {
    let openai_way = [
        r#"{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"bash","arguments":""}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"{\"n\": "}}]}"#,
        r#"{"tool_calls":[{"index":1,"id":"b","type":"function","function":{"name":"look","arguments":""}}]}"#,
        r#"{"tool_calls":[{"index":0,"function":{"arguments":"1e2}"}},{"index":1,"function":{"arguments":"{}"}}]}"#,
    ];
    let whole_without_index = [
        r#"{"tool_calls":[{"id":"a","type":"function","function":{"name":"bash","arguments":"{\"n\": 1e2}"}},{"id":"b","function":{"name":"look","arguments":"{}"}}]}"#,
    ];
    let all_with_index_0 = [
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"{\"n\": 1e2}"}}]}"#,
        r#"{"tool_calls":[{"index":0,"id":"b","function":{"name":"look","arguments":"{}"}}]}"#,
    ];
    let id_and_name_repeated = [
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":""}}]}"#,
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"{\"n\": "}}]}"#,
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"1e2}"}}]}"#,
        r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"look","arguments":"{}"}}]}"#,
    ];
    let id_only_in_later_pieces = [
        r#"{"tool_calls":[{"id":"a","function":{"name":"bash","arguments":"{\"n\""}}]}"#,
        r#"{"tool_calls":[{"id":"a","function":{"arguments":": 1e2}"}}]}"#,
        r#"{"tool_calls":[{"id":"b","function":{"name":"look","arguments":null}}]}"#,
    ];
    let arguments_as_an_object = [
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":{"n": 1e2}}}]}"#,
        r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"look"}}]}"#,
    ];
    let wanted = [("a", "bash", r#"{"n": 1e2}"#), ("b", "look", "{}")]
        .map(|(id, name, input)| (id.to_owned(), name.to_owned(), input.to_owned()));
    for deltas in [
        openai_way.as_slice(),
        &whole_without_index,
        &all_with_index_0,
        &id_and_name_repeated,
        &id_only_in_later_pieces,
        &arguments_as_an_object,
    ] {
        // Some servers say "stop" although they wait for tools.
        for reason in ["tool_calls", "stop"] {
            let reply = good(deltas, reason).await;
            assert_eq!(seen(reply.calls()), wanted, "{deltas:?}");
            assert_eq!(reply.stop, StopReason::ToolUse);
        }
    }
}

#[tokio::test]
async fn calls_without_ids_get_some() {
    let same_id = r#"{"tool_calls":[{"id":"x","function":{"name":"look","arguments":"{}"}},{"id":"x","function":{"name":"look","arguments":"{\"a\":1}"}}]}"#;
    let no_id = r#"{"tool_calls":[{"index":0,"function":{"name":"look","arguments":"{}"}},{"index":0,"id":"","function":{"name":"look","arguments":"{\"a\":1}"}}]}"#;
    for (delta, ids) in [(same_id, ["x", "x_1"]), (no_id, ["call_1", "call_2"])] {
        let given = seen(good(&[delta], "tool_calls").await.calls());
        let id = |at: usize| (ids[at].to_owned(), "look".to_owned());
        assert_eq!(
            given,
            [
                (id(0).0, id(0).1, "{}".to_owned()),
                (id(1).0, id(1).1, r#"{"a":1}"#.to_owned())
            ]
        );
    }
    let legacy = good(
        &[
            r#"{"function_call":{"name":"look","arguments":"{"}}"#,
            r#"{"function_call":{"arguments":"}"}}"#,
        ],
        "function_call",
    )
    .await;
    assert_eq!(
        seen(legacy.calls()),
        [("call_1".into(), "look".into(), "{}".into())]
    );
}

#[tokio::test]
async fn broken_arguments_are_told_as_such() {
    let cut =
        r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"{\"comm"}}]}"#;
    let reply = good(&[cut], "length").await;
    assert_eq!(reply.stop, StopReason::MaxTokens);
    assert_eq!(
        seen(reply.calls()),
        [("a".into(), "bash".into(), r#"damaged {"comm"#.into())]
    );
}

#[tokio::test]
async fn what_servers_add_is_kept() {
    let (reply, parts) = heard(
        Answer::stream(stream(
            &[
                r#"{"role":"assistant","content":null,"reasoning_content":"Let me"}"#,
                r#"{"reasoning_content":" see","reasoning":" see"}"#,
                r#"{"reasoning_details":[{"type":"reasoning.text","index":0,"text":"Let me","signature":null}]}"#,
                r#"{"reasoning_details":[{"type":"reasoning.text","index":0,"text":" see","signature":"s"},{"type":"reasoning.encrypted","index":1,"data":"d"}]}"#,
                r#"{"content":"Well."}"#,
                r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"look","arguments":"{}"},"extra_content":{"google":{"thought_signature":"q"}}}]}"#,
            ],
            "tool_calls",
        )),
        openai,
    )
    .await;
    assert_eq!(
        blocks(&reply.unwrap()),
        [
            r#"{"type":"reasoning","text":"Let me see","field":"reasoning_content"}"#,
            r#"{"type":"openai_fields","fields":{"reasoning_details":[{"type":"reasoning.text","index":0,"text":"Let me see","signature":"s"},{"type":"reasoning.encrypted","index":1,"data":"d"}]},"calls":{"a":{"extra_content":{"google":{"thought_signature":"q"}}}}}"#,
            r#"{"type":"text","text":"Well."}"#,
            r#"{"type":"tool_use","id":"a","name":"look","input":{}}"#,
        ]
    );
    assert_eq!(parts[1], StreamPart::Thinking("Let me".into()));
}

#[tokio::test]
async fn every_finish_reason_has_its_word() {
    let say = r#"{"content":"x"}"#;
    for (delta, reason, stop) in [
        (say, "stop", StopReason::EndTurn),
        (say, "length", StopReason::MaxTokens),
        (say, "content_filter", StopReason::Refusal),
        (say, "tool_calls", StopReason::EndTurn),
        (r#"{"refusal":"I won't."}"#, "stop", StopReason::Refusal),
        (say, "eos", StopReason::Other("eos".into())),
    ] {
        assert_eq!(good(&[delta], reason).await.stop, stop, "{reason}");
    }
}

#[tokio::test]
async fn the_end_is_a_word_or_a_reason() {
    let say = chunk(r#"{"content":"x"}"#);
    let without_done = say.clone() + &finish("stop");
    let without_reason = say.clone() + DONE;
    for body in [without_done, without_reason] {
        let reply = heard(Answer::stream(body), openai).await.0.unwrap();
        assert_eq!(
            (reply.text().as_str(), reply.stop),
            ("x", StopReason::EndTurn)
        );
    }
    for body in [say, DONE.to_owned(), String::new()] {
        let failure = heard(Answer::stream(body), openai).await.0.unwrap_err();
        assert!(
            failure.what.ends_with("ended its answer early"),
            "{failure}"
        );
    }
}

// slow: a stream cut at every byte
#[tokio::test]
async fn a_cut_stream_is_never_another_answer() {
    let body = stream(
        &[
            r#"{"reasoning":"hm"}"#,
            r#"{"content":"é 🦀"}"#,
            r#"{"tool_calls":[{"index":0,"id":"a","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]}"#,
            r#"{"tool_calls":[{"index":1,"id":"b","function":{"name":"look","arguments":"{}"}}]}"#,
        ],
        "tool_calls",
    );
    // The last word ends the answer, and so does the reason, however the body ends.
    for cut in [Answer::cut_at, Answer::claim_length_but_end_at] {
        assert_eq!(cut_anywhere(&body, openai, cut).await, 1 + DONE.len());
    }
}

#[tokio::test]
async fn an_error_in_the_stream_is_a_failure() {
    let error = |error: &str| Answer::stream(chunk(r#"{"content":"x"}"#) + &event(error) + DONE);
    for (data, retried) in [
        (r#"{"error":{"message":"upstream","code":502}}"#, true),
        (
            r#"{"error":{"message":"quota","type":"insufficient_quota","code":"insufficient_quota"}}"#,
            false,
        ),
        (
            r#"{"choices":[{"delta":{},"finish_reason":"error","error":{"code":502,"message":"gone"}}]}"#,
            true,
        ),
    ] {
        let failure = heard(error(data), openai).await.0.unwrap_err();
        assert_eq!(
            matches!(failure.remedy, Remedy::Retry { .. }),
            retried,
            "{failure}"
        );
    }
}

#[tokio::test]
async fn what_the_server_streams_is_what_is_heard() {
    let said = reply(
        vec![
            Block::text("Two calls, then."),
            call("t1", "bash", r#"{"command": "ls"}"#),
            call("t2", "look", "{}"),
        ],
        StopReason::ToolUse,
    );
    let reply = heard(Answer::reply(said.clone()), openai).await.0.unwrap();
    assert_eq!((&reply.blocks, &reply.stop), (&said.blocks, &said.stop));
    assert_eq!(reply.usage, said.usage);
}
