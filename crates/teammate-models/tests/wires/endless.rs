//! Answers that do not end: each is cut at a limit, whatever it goes on with. The stream is left open after that, so an answer
//! that is not cut would be one of a silent server.

use teammate_core::model::Remedy;
use teammate_testkit::Answer;

use super::{anthropic, ask, heard, openai, request, user_says};

/// Events of these data, and then silence.
fn events(data: impl IntoIterator<Item = String>) -> Answer {
    let body: String = data
        .into_iter()
        .map(|data| format!("data: {data}\n\n"))
        .collect();
    let length = body.len();
    Answer::stream(body + ": more\n").stalled_at(length)
}

fn block(at: usize, block: &str) -> [String; 2] {
    [
        format!(r#"{{"type":"content_block_start","index":{at},"content_block":{block}}}"#),
        format!(r#"{{"type":"content_block_stop","index":{at}}}"#),
    ]
}

fn delta(delta: &str) -> String {
    format!(r#"{{"type":"content_block_delta","index":0,"delta":{delta}}}"#)
}

const BLOCKS: usize = 33_000;
const EMPTY: usize = 10_100;

// slow: answers of many megabytes
#[tokio::test]
async fn an_endless_answer_of_the_messages_api_is_cut() {
    let opened = |block: &str| {
        format!(r#"{{"type":"content_block_start","index":0,"content_block":{block}}}"#)
    };
    let blocks = |text: &'static str| events((0..BLOCKS).flat_map(move |at| block(at, text)));
    let after = |start: String, more: Vec<String>| events([start].into_iter().chain(more));
    let text = r#"{"type":"text","text":""}"#;
    let thinking = r#"{"type":"thinking","thinking":""}"#;
    let long = "x".repeat(1 << 20);
    let table = [
        ("empty blocks", blocks(text)),
        ("empty thinking", blocks(thinking)),
        ("blocks of an unknown kind", blocks(r#"{"type":"later"}"#)),
        (
            "calls",
            blocks(r#"{"type":"tool_use","id":"t","name":"look","input":{}}"#),
        ),
        (
            "blocks that stay open",
            events((0..BLOCKS).map(|at| block(at, text)[0].clone())),
        ),
        (
            "pings",
            events(vec![r#"{"type":"ping"}"#.to_owned(); EMPTY]),
        ),
        (
            "unknown events",
            events(vec![r#"{"type":"later"}"#.to_owned(); EMPTY]),
        ),
        (
            "beginnings",
            events(vec![r#"{"type":"message_start"}"#.to_owned(); EMPTY]),
        ),
        (
            "empty text",
            after(
                opened(text),
                vec![delta(r#"{"type":"text_delta","text":""}"#); EMPTY],
            ),
        ),
        (
            "thinking",
            after(
                opened(thinking),
                vec![delta(&format!(r#"{{"thinking":"{long}"}}"#)); 40],
            ),
        ),
        (
            "fields of other names",
            after(
                opened(text),
                (0..300)
                    .map(|at| delta(&format!(r#"{{"f{at}":"x"}}"#)))
                    .collect(),
            ),
        ),
        (
            "values of other names",
            after(
                opened(text),
                (0..300)
                    .map(|at| delta(&format!(r#"{{"f{at}":1}}"#)))
                    .collect(),
            ),
        ),
    ];
    for (what, answer) in table {
        let (reply, _) = heard(answer, |url| Box::new(anthropic(url))).await;
        let failure = reply.expect_err(what);
        assert!(
            failure.what.contains("answered without end"),
            "{what}: {failure}"
        );
        assert!(matches!(failure.remedy, Remedy::Retry { .. }), "{what}");
    }
}

// slow: answers of many megabytes
#[tokio::test]
async fn an_endless_answer_of_chat_completions_is_cut() {
    let chunk = |delta: &str| format!(r#"{{"choices":[{{"delta":{delta}}}]}}"#);
    let chunks = |count: usize, delta: &str| events(vec![chunk(delta); count]);
    let long = "x".repeat(1 << 20);
    let call = |at: usize| {
        chunk(&format!(
            r#"{{"tool_calls":[{{"index":{at},"id":"t","function":{{"name":"look","arguments":"{{}}"}}}}]}}"#
        ))
    };
    let table = [
        ("nothing", events(vec!["{}".to_owned(); EMPTY])),
        ("no choices", events(vec![r#"{"choices":[]}"#.to_owned(); EMPTY])),
        ("empty text", chunks(EMPTY, r#"{"role":"assistant","content":""}"#)),
        ("text", chunks(40, &format!(r#"{{"content":"{long}"}}"#))),
        ("reasoning", chunks(40, &format!(r#"{{"reasoning_content":"{long}"}}"#))),
        ("reasoning that is not kept", events((0..80).map(|at| {
            let field = if at == 0 { "reasoning" } else { "reasoning_content" };
            chunk(&format!(r#"{{"{field}":"{long}"}}"#))
        }))),
        ("calls", events((0..BLOCKS).map(call))),
        ("calls at one place", events((0..BLOCKS).map(|_| call(0)))),
        ("fields of other names", events((0..300).map(|at| chunk(&format!(r#"{{"f{at}":1}}"#))))),
        (
            "braces that may be the end of a call",
            events([r#"{\"a\":\""#.to_owned() + &"x".repeat(1 << 20)].into_iter().chain(vec!["}".to_owned(); 2_000]).map(
                |arguments| chunk(&format!(r#"{{"tool_calls":[{{"index":0,"function":{{"name":"look","arguments":"{arguments}"}}}}]}}"#)),
            )),
        ),
    ];
    for (what, answer) in table {
        let (reply, _) = heard(answer, |url| Box::new(openai(url))).await;
        let failure = reply.expect_err(what);
        assert!(
            failure.what.contains("answered without end"),
            "{what}: {failure}"
        );
        assert!(matches!(failure.remedy, Remedy::Retry { .. }), "{what}");
    }
}

#[tokio::test]
async fn an_answer_with_thousands_of_calls_that_ends_is_an_answer() {
    let blocks = (0..20_000).flat_map(|at| {
        block(
            at,
            r#"{"type":"tool_use","id":"t","name":"look","input":{}}"#,
        )
    });
    let body = blocks
        .chain([r#"{"type":"message_stop"}"#.to_owned()])
        .map(|data| format!("data: {data}\n\n"))
        .collect::<String>();
    let server = teammate_testkit::Server::with_answers([Answer::stream(body)])
        .await
        .unwrap();
    let (reply, _) = ask(&anthropic(&server.url()), request(&user_says("hi"))).await;
    assert_eq!(reply.unwrap().calls().len(), 20_000);
}
