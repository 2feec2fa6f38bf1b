//! Streams with what does not matter in them, answers that are no stream, and errors behind an answer that is whole.

use teammate_core::{
    model::{Remedy, Reply, StopReason},
    port::Model,
};
use teammate_testkit::Answer;

use crate::heard;

fn chat(url: &str) -> Box<dyn Model> {
    Box::new(crate::openai(url))
}

async fn reply(answer: Answer, model: fn(&str) -> Box<dyn Model>) -> Reply {
    heard(answer, model).await.0.unwrap()
}

#[tokio::test]
async fn what_keeps_a_stream_alive_is_passed_over() {
    let says = "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"}}]}\n\n";
    let ends =
        "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"stop\"}]}\n\ndata: [DONE]\n\n";
    for between in [
        "data:\n\n",
        "data: \n\n",
        "data: null\n\n",
        "data: ping\n\n",
        ": OPENROUTER PROCESSING\n\n",
        "event: ping\ndata: {}\n\n",
        "data: {\"choices\":null,\"usage\":\"\"}\n\n",
        "data: {\"choices\":[],\"usage\":{\"prompt_tokens\":11.0,\"completion_tokens\":-1}}\n\n",
    ] {
        let answer = Answer::stream(format!("{between}{says}{between}{ends}"));
        assert_eq!(reply(answer, chat).await.text(), "hi", "{between:?}");
    }
}

#[tokio::test]
async fn a_stream_of_another_form_is_read_as_what_it_is() {
    let whole = r#"{"choices":[{"index":0,"message":{"role":"assistant","content":"hi"},"finish_reason":"stop"}]}"#;
    let piece = r#"{"choices":[{"delta":{"content":"hi"}}]}"#;
    let end = r#"{"choices":[{"delta":{},"finish_reason":"stop"}]}"#;
    let plain = r#"{"choices":[{"text":"hi","finish_reason":null}]}"#;
    let lines = format!("{piece}\n\n{end}\n");
    for answer in [
        // A whole answer that calls itself a stream, and one that comes as a piece.
        Answer::stream(format!("{whole}\n")),
        Answer::stream(format!("data: {whole}\n\ndata: [DONE]\n\n")),
        // What came in pieces is repeated at the end.
        Answer::stream(format!(
            "data: {piece}\n\ndata: {whole}\n\ndata: [done]\n\n"
        )),
        Answer::stream(lines.clone()),
        Answer::body(200, "application/x-ndjson", lines),
        Answer::stream(format!("data: {plain}\n\ndata: {end}\n\n")),
    ] {
        assert_eq!(reply(answer, chat).await.text(), "hi");
    }
    // One that was cut is asked for again, and an error is what it says.
    let cut = Answer::stream(whole[..60].to_owned());
    let failure = heard(cut, chat).await.0.unwrap_err();
    assert!(
        matches!(failure.remedy, Remedy::Retry { .. }),
        "{failure:?}"
    );
    let error = r#"{"error":{"message":"no such thing","type":"invalid_request_error"}}"#;
    let failure = heard(Answer::stream(error.to_owned()), chat)
        .await
        .0
        .unwrap_err();
    assert_eq!(failure.remedy, Remedy::Never);
    assert!(failure.what.contains("no such thing"), "{failure:?}");
}

#[tokio::test]
async fn an_answer_that_is_no_stream_is_read_all_the_same() {
    type Case = (fn(&str) -> Box<dyn Model>, &'static str);
    let cases: [Case; 3] = [
        (
            chat,
            r#"{"model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant","content":"so",
                "tool_calls":[{"id":"a","type":"function","function":{"name":"look","arguments":"{}"}},
                              {"id":"b","type":"function","function":{"name":"bash","arguments":"{\"command\":\"ls\"}"}}]}}],
                "usage":{"prompt_tokens":5,"completion_tokens":7}}"#,
        ),
        (
            |url| Box::new(crate::anthropic(url)),
            r#"{"type":"message","model":"m","role":"assistant","stop_reason":"tool_use","content":[{"type":"text","text":"so"},
                {"type":"tool_use","id":"a","name":"look","input":{}},{"type":"tool_use","id":"b","name":"bash","input":{"command":"ls"}}],
                "usage":{"input_tokens":5,"output_tokens":7}}"#,
        ),
        (
            |url| Box::new(crate::responses(url)),
            r#"{"object":"response","model":"m","status":"completed","output":[
                {"type":"message","id":"m1","role":"assistant","content":[{"type":"output_text","text":"so"}]},
                {"type":"function_call","id":"f1","call_id":"a","name":"look","arguments":"{}"},
                {"type":"function_call","id":"f2","call_id":"b","name":"bash","arguments":"{\"command\":\"ls\"}"}],
                "usage":{"input_tokens":5,"output_tokens":7}}"#,
        ),
    ];
    for (model, body) in cases {
        let reply = reply(Answer::body(200, "application/json", body), model).await;
        let calls = reply.calls();
        let calls: Vec<&str> = calls.iter().map(|call| call.name.as_str()).collect();
        assert_eq!(calls, ["look", "bash"], "{body}");
        assert_eq!(
            (reply.text().as_str(), &reply.stop),
            ("so", &StopReason::ToolUse)
        );
        assert_eq!((reply.usage.all_input(), reply.usage.output), (5, 7));
    }
}

#[tokio::test]
async fn an_error_behind_a_whole_answer_does_not_take_it_away() {
    let says =
        "data: {\"choices\":[{\"delta\":{\"content\":\"hi\"},\"finish_reason\":\"stop\"}]}\n\n";
    let error = "data: {\"error\":{\"message\":\"upstream went away\"}}\n\n";
    let answer = Answer::stream(format!("{says}{error}"));
    assert_eq!(reply(answer, chat).await.text(), "hi");
}
