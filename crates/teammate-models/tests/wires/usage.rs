//! Tokens as servers of all makes report them, over each wire: no shape makes an answer fail, and what is understood is counted.

use teammate_core::model::Usage;
use teammate_testkit::Answer;

use crate::{anthropic, heard, openai, responses};

/// What a server reports, and what is counted of it: input, output, and input from a cache.
const SHAPES: [(&str, [u64; 3]); 28] = [
    (
        r#"{"prompt_tokens":100,"completion_tokens":9}"#,
        [100, 9, 0],
    ),
    (r#"{"input_tokens":100,"output_tokens":9}"#, [100, 9, 0]),
    (r#"{"promptTokens":100,"completionTokens":9}"#, [100, 9, 0]),
    (
        r#"{"prompt_tokens":100.0,"completion_tokens":8.2}"#,
        [100, 9, 0],
    ),
    (
        r#"{"prompt_tokens":"100","completion_tokens":" 9.0 "}"#,
        [100, 9, 0],
    ),
    (
        r#"{"prompt_tokens":0,"completion_tokens":0,"input_tokens":100,"output_tokens":9}"#,
        [100, 9, 0],
    ),
    // Two of input, output and their sum.
    (r#"{"prompt_tokens":100,"total_tokens":109}"#, [100, 9, 0]),
    (r#"{"completion_tokens":9,"total_tokens":109}"#, [100, 9, 0]),
    (r#"{"total_tokens":109}"#, [109, 0, 0]),
    // Reasoning that the output leaves out.
    (
        r#"{"prompt_tokens":100,"completion_tokens":4,"total_tokens":109,"completion_tokens_details":{"reasoning_tokens":5}}"#,
        [100, 9, 0],
    ),
    // Caches.
    (
        r#"{"prompt_tokens":100,"completion_tokens":9,"prompt_tokens_details":{"cached_tokens":64.0}}"#,
        [36, 9, 64],
    ),
    (
        r#"{"prompt_tokens":100,"completion_tokens":9,"prompt_cache_hit_tokens":64}"#,
        [36, 9, 64],
    ),
    (
        r#"{"prompt_tokens":100,"completion_tokens":9,"cached_tokens":"64"}"#,
        [36, 9, 64],
    ),
    (
        r#"{"input_tokens":100,"output_tokens":9,"input_tokens_details":{"cached_tokens":64}}"#,
        [36, 9, 64],
    ),
    (
        r#"{"input_tokens":36,"output_tokens":9,"cache_read_input_tokens":64}"#,
        [36, 9, 64],
    ),
    // Parts that are broken cost no other.
    (
        r#"{"prompt_tokens":100,"completion_tokens":9,"prompt_tokens_details":""}"#,
        [100, 9, 0],
    ),
    (
        r#"{"prompt_tokens":100,"completion_tokens":9,"prompt_tokens_details":null}"#,
        [100, 9, 0],
    ),
    (r#"{"prompt_tokens":-1,"completion_tokens":9}"#, [0, 9, 0]),
    (
        r#"{"prompt_tokens":100,"completion_tokens":null}"#,
        [100, 0, 0],
    ),
    (
        r#"{"prompt_tokens":1e300,"completion_tokens":[9]}"#,
        [0, 0, 0],
    ),
    (
        r#"{"prompt_tokens":"many","completion_tokens":true}"#,
        [0, 0, 0],
    ),
    // Nothing.
    (
        r#"{"prompt_tokens":0,"completion_tokens":0,"total_tokens":0}"#,
        [0, 0, 0],
    ),
    ("{}", [0, 0, 0]),
    ("null", [0, 0, 0]),
    (r#""""#, [0, 0, 0]),
    (r#""100""#, [0, 0, 0]),
    ("[100, 9]", [0, 0, 0]),
    ("109", [0, 0, 0]),
];

const DONE: &str = "data: [DONE]\n\n";

fn event(data: &str) -> String {
    let value: serde_json::Value = serde_json::from_str(data).unwrap();
    let named = value["type"]
        .as_str()
        .map(|name| format!("event: {name}\n"));
    format!("{}data: {data}\n\n", named.unwrap_or_default())
}

/// The chunks of an answer, and each of these at its end.
fn chat(last: &[String]) -> String {
    let text =
        r#"{"model":"gpt","choices":[{"index":0,"delta":{"content":"x"},"finish_reason":"stop"}]}"#;
    let last: String = last.iter().map(|data| event(data)).collect();
    event(text) + &last + DONE
}

fn messages(at_start: &str, at_end: &str) -> String {
    [
        &*format!(
            r#"{{"type":"message_start","message":{{"model":"claude","usage":{at_start}}}}}"#
        ),
        r#"{"type":"content_block_start","index":0,"content_block":{"type":"text","text":"x"}}"#,
        r#"{"type":"content_block_stop","index":0}"#,
        &*format!(
            r#"{{"type":"message_delta","delta":{{"stop_reason":"end_turn"}},"usage":{at_end}}}"#
        ),
        r#"{"type":"message_stop"}"#,
    ]
    .map(event)
    .concat()
}

fn response(usage: &str) -> String {
    let item =
        r#"{"type":"message","role":"assistant","content":[{"type":"output_text","text":"x"}]}"#;
    event(&format!(
        r#"{{"type":"response.completed","response":{{"model":"gpt","status":"completed","usage":{usage},"output":[{item}]}}}}"#
    ))
}

fn counts(usage: Usage) -> [u64; 3] {
    [usage.input, usage.output, usage.cache_read]
}

#[tokio::test]
async fn every_shape_is_read_over_every_wire() {
    for (shape, wanted) in SHAPES {
        let chunk = [format!(r#"{{"choices":[],"usage":{shape}}}"#)];
        let within = [format!(
            r#"{{"choices":[{{"delta":{{}},"usage":{shape}}}]}}"#
        )];
        let answers = [
            heard(Answer::stream(chat(&chunk)), |url| Box::new(openai(url))).await,
            heard(Answer::stream(chat(&within)), |url| Box::new(openai(url))).await,
            heard(Answer::stream(response(shape)), |url| {
                Box::new(responses(url))
            })
            .await,
            heard(Answer::stream(messages("null", shape)), |url| {
                Box::new(anthropic(url))
            })
            .await,
            heard(Answer::stream(messages(shape, "{}")), |url| {
                Box::new(anthropic(url))
            })
            .await,
        ];
        for (wire, (answer, _)) in answers.into_iter().enumerate() {
            let reply = answer.unwrap_or_else(|failure| panic!("{shape} over {wire}: {failure}"));
            assert_eq!(reply.text(), "x", "{shape} over {wire}");
            assert_eq!(counts(reply.usage), wanted, "{shape} over {wire}");
        }
    }
}

#[tokio::test]
async fn of_several_reports_the_largest_counts_are_taken() {
    let reports = ["null", r#"{"prompt_tokens":100,"completion_tokens":3}"#]
        .into_iter()
        .chain([
            r#"{"prompt_tokens":0,"completion_tokens":9}"#,
            r#"{"prompt_tokens":null}"#,
        ])
        .map(|usage| format!(r#"{{"choices":[],"usage":{usage}}}"#));
    let chat = chat(&reports.collect::<Vec<_>>());
    let (reply, _) = heard(Answer::stream(chat), |url| Box::new(openai(url))).await;
    assert_eq!(counts(reply.unwrap().usage), [100, 9, 0]);

    let start = r#"{"input_tokens":36,"output_tokens":1,"cache_read_input_tokens":64}"#;
    let end = r#"{"input_tokens":0,"output_tokens":9}"#;
    let messages = Answer::stream(messages(start, end));
    let (reply, _) = heard(messages, |url| Box::new(anthropic(url))).await;
    assert_eq!(counts(reply.unwrap().usage), [36, 9, 64]);
}

#[tokio::test]
async fn an_answer_without_any_report_is_an_answer() {
    let chat = Answer::stream(chat(&[]));
    let (reply, _) = heard(chat, |url| Box::new(openai(url))).await;
    assert_eq!(reply.unwrap().usage, Usage::default());
}
