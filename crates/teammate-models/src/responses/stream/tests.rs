//! Streams of every kind, whole, cut and damaged.

use teammate_core::{
    block::{Block, BlockView},
    model::Usage,
    tool::ToolInput,
};

use super::*;
use crate::sse::SseReader;

/// The answer that a stream of these bytes gives before it breaks off.
fn read(bytes: &[u8]) -> Option<Reply> {
    let mut events = Vec::new();
    SseReader::default().feed(bytes, &mut events).unwrap();
    let mut builder = ReplyBuilder::new(&[]);
    let mut sink: PartSink = Box::new(|_| {});
    for event in events {
        if let Progress::Done = builder.take(&event, &mut sink).ok()? {
            return builder.reply().ok();
        }
    }
    None
}

fn stream(events: &[&str]) -> String {
    events
        .iter()
        .map(|data| format!("data: {data}\n\n"))
        .collect()
}

const REASONING: &str = r#"{"id":"rs_1","type":"reasoning","summary":[],"encrypted_content":"b\u0036\u0034","status":null}"#;

/// Reasoning, a text with its phase, a call, and an item that nobody knows.
fn whole() -> String {
    let reasoning =
        format!(r#"{{"type":"response.output_item.done","output_index":0,"item":{REASONING}}}"#);
    stream(&[
        r#"{"type":"response.created","response":{"id":"r","model":"gpt-1","output":[]},"sequence_number":0}"#,
        r#"{"type":"response.output_item.added","output_index":0,"item":{"id":"rs_1","type":"reasoning","summary":[]}}"#,
        r#"{"type":"response.reasoning_summary_text.delta","output_index":0,"summary_index":0,"delta":"hm"}"#,
        &reasoning,
        r#"{"type":"response.output_item.added","output_index":1,"item":{"id":"m_1","type":"message","role":"assistant","content":[]}}"#,
        r#"{"type":"response.content_part.added","output_index":1,"content_index":0,"part":{"type":"output_text","text":""}}"#,
        r#"{"type":"response.output_text.delta","output_index":1,"content_index":0,"delta":"é"}"#,
        r#"{"type":"response.brand_new","output_index":1}"#,
        r#"{"type":"response.output_item.done","output_index":1,"item":{"id":"m_1","type":"message","role":"assistant","phase":"commentary","content":[{"type":"output_text","text":"é!","annotations":[]}]}}"#,
        r#"{"type":"response.output_item.added","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"c1","name":"look","arguments":""}}"#,
        r#"{"type":"response.function_call_arguments.delta","output_index":2,"delta":"{\"a\":"}"#,
        r#"{"type":"response.function_call_arguments.delta","output_index":2,"delta":" 1}"}"#,
        r#"{"type":"response.output_item.done","output_index":2,"item":{"id":"fc_1","type":"function_call","call_id":"c1","name":"look","arguments":"{\"a\": 1}"}}"#,
        r#"{"type":"response.output_item.done","output_index":3,"item":{"type":"of_tomorrow","x":1.50}}"#,
        r#"{"type":"response.completed","response":{"model":"gpt-1","usage":{"input_tokens":100,"input_tokens_details":{"cached_tokens":60,"cache_write_tokens":30},"output_tokens":9,"output_tokens_details":{"reasoning_tokens":4}}}}"#,
    ])
}

#[test]
fn a_whole_answer_has_its_items_in_their_bytes() {
    let reply = read(whole().as_bytes()).unwrap();
    let blocks: Vec<&str> = reply.blocks.iter().map(Block::json).collect();
    let expected = [
        REASONING,
        r#"{"type":"responses_phase","phase":"commentary"}"#,
        r#"{"type":"text","text":"é!"}"#,
        r#"{"type":"tool_use","id":"c1","name":"look","input":{"a": 1}}"#,
        r#"{"type":"of_tomorrow","x":1.50}"#,
    ];
    assert_eq!(blocks, expected);
    assert_eq!(reply.stop, StopReason::ToolUse);
    assert_eq!(reply.model, "gpt-1");
    let usage = Usage {
        input: 10,
        output: 9,
        cache_read: 60,
        cache_write: 30,
        reasoning: 4,
        ..Usage::default()
    };
    assert_eq!(reply.usage, usage);
}

#[test]
fn a_stream_cut_at_any_byte_is_no_answer() {
    let stream = whole();
    for cut in 0..stream.len() {
        assert_eq!(read(&stream.as_bytes()[..cut]), None, "cut at {cut}");
    }
    // A lost byte may damage the answer, but never panics.
    for lost in 0..stream.len() {
        let bytes = stream.as_bytes();
        read(&[&bytes[..lost], &bytes[lost + 1..]].concat());
    }
}

fn ends(reason: &str) -> String {
    format!(
        r#"{{"type":"response.incomplete","response":{{"incomplete_details":{{"reason":"{reason}"}}}}}}"#
    )
}

const COMPLETED: &str = r#"{"type":"response.completed","response":{}}"#;

#[test]
fn odd_answers_are_outcomes() {
    let text = r#"{"type":"response.output_text.delta","output_index":0,"delta":"half"}"#;
    let refusal = r#"{"type":"response.refusal.delta","output_index":0,"delta":"I cannot."}"#;
    let call = r#"{"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"c","name":"look","arguments":"{\"a"}}"#;
    let cut = ends("max_output_tokens");
    let filtered = ends("content_filter");
    let other = ends("steered");
    let cases: [(&[&str], StopReason, usize); 8] = [
        // Nothing at all, and thinking only.
        (&[COMPLETED], StopReason::EndTurn, 0),
        (
            &[
                r#"{"type":"response.reasoning_text.delta","output_index":0,"delta":"hm"}"#,
                COMPLETED,
            ],
            StopReason::EndTurn,
            0,
        ),
        (&[text, COMPLETED], StopReason::EndTurn, 1),
        (&[text, &cut], StopReason::MaxTokens, 1),
        (&[text, &filtered], StopReason::Refusal, 1),
        (&[text, &other], StopReason::Other("steered".to_owned()), 1),
        (&[refusal, COMPLETED], StopReason::Refusal, 1),
        // A call and a refusal: the call runs, if it can.
        (&[refusal, call, COMPLETED], StopReason::ToolUse, 2),
    ];
    for (events, stop, blocks) in cases {
        let reply = read(stream(events).as_bytes()).unwrap();
        assert_eq!(reply.stop, stop, "{events:?}");
        assert_eq!(reply.blocks.len(), blocks, "{events:?}");
    }
    let half = read(stream(&[call, COMPLETED]).as_bytes()).unwrap();
    let BlockView::ToolUse(call) = half.blocks[0].view() else {
        panic!("no call")
    };
    assert!(matches!(
        call.input,
        teammate_core::tool::ToolInput::Damaged(_)
    ));
}

#[test]
fn servers_that_leave_events_out_are_understood() {
    // No item is announced or done; the terminal event has the output.
    let output = r#"{"type":"response.completed","response":{"output":[{"type":"message","content":[{"type":"output_text","text":"hi"}]},{"type":"function_call","call_id":"c","name":"look","arguments":""}]}}"#;
    let reply = read(stream(&[output]).as_bytes()).unwrap();
    assert_eq!(reply.text(), "hi");
    assert_eq!(reply.calls().len(), 1);
    // A type of ours is not taken for one of our blocks.
    let item =
        r#"{"type":"response.output_item.done","output_index":0,"item":{"type":"document","x":1}}"#;
    let reply = read(stream(&[item, COMPLETED]).as_bytes()).unwrap();
    assert_eq!(
        reply.blocks[0].json(),
        r#"{"type":"responses_item","item":{"type":"document","x":1}}"#
    );
    // The name of the event stands for its type.
    let named = "event: response.completed\ndata: {\"response\":{}}\n\ndata: [DONE]\n\n";
    assert!(read(named.as_bytes()).is_some());
}

#[test]
fn items_are_told_apart_by_their_ids_where_there_is_no_index() {
    // As llama.cpp streams them (tools/server/server-task.cpp, November 2026).
    let head = [
        r#"{"type":"response.created","response":{"id":"r","object":"response","status":"in_progress"}}"#,
        r#"{"type":"response.output_item.added","item":{"id":"rs_1","summary":[],"type":"reasoning","content":[],"encrypted_content":""}}"#,
        r#"{"type":"response.reasoning_text.delta","delta":"hm","item_id":"rs_1"}"#,
        r#"{"type":"response.output_item.added","item":{"content":[],"id":"msg_1","role":"assistant","type":"message"}}"#,
        r#"{"type":"response.output_text.delta","item_id":"msg_1","delta":"Two."}"#,
        r#"{"type":"response.output_item.added","item":{"arguments":"","call_id":"fc_a","name":"look","type":"function_call"}}"#,
        r#"{"type":"response.function_call_arguments.delta","delta":"{\"n\":1}","item_id":"fc_a"}"#,
        r#"{"type":"response.output_item.added","item":{"arguments":"","call_id":"fc_b","name":"look","type":"function_call"}}"#,
        r#"{"type":"response.function_call_arguments.delta","delta":"{\"n\":2}","item_id":"fc_b"}"#,
    ];
    let done = [
        r#"{"type":"response.output_item.done","item":{"id":"rs_1","summary":[],"type":"reasoning","content":[{"text":"hm","type":"reasoning_text"}],"encrypted_content":""}}"#,
        r#"{"type":"response.output_item.done","item":{"content":[{"text":"Two.","type":"output_text"}],"id":"msg_1","role":"assistant","type":"message"}}"#,
        r#"{"type":"response.output_item.done","item":{"arguments":"{\"n\":2}","call_id":"fc_b","name":"look","type":"function_call"}}"#,
        r#"{"type":"response.output_item.done","item":{"arguments":"{\"n\":1}","call_id":"fc_a","name":"look","type":"function_call"}}"#,
    ];
    let blocks = |reply: Reply| -> Vec<String> {
        let blocks = reply.blocks.iter();
        blocks.map(|block| block.json().to_owned()).collect()
    };
    let said = [
        r#"{"type":"text","text":"Two."}"#,
        r#"{"type":"tool_use","id":"fc_a","name":"look","input":{"n":1}}"#,
        r#"{"type":"tool_use","id":"fc_b","name":"look","input":{"n":2}}"#,
    ];
    let all: Vec<&str> = head.into_iter().chain(done).chain([COMPLETED]).collect();
    let whole = blocks(read(stream(&all).as_bytes()).unwrap());
    assert!(whole[0].contains(r#""text":"hm""#), "{whole:?}");
    assert_eq!(whole[1..], said);
    // Without a word of what is done, what streamed stands.
    let started: Vec<&str> = head.into_iter().chain([COMPLETED]).collect();
    assert_eq!(blocks(read(stream(&started).as_bytes()).unwrap())[..], said);
    // What the terminal event says of the whole is better than pieces.
    let output = r#"{"type":"response.completed","response":{"output":[{"type":"message","content":[{"type":"output_text","text":"Whole."}]}]}}"#;
    let ended: Vec<&str> = head.into_iter().chain([output]).collect();
    assert_eq!(
        blocks(read(stream(&ended).as_bytes()).unwrap()),
        [r#"{"type":"text","text":"Whole."}"#]
    );
}

#[test]
fn a_call_that_was_cut_before_its_arguments_is_no_call_without_arguments() {
    let added = r#"{"type":"response.output_item.added","output_index":0,"item":{"arguments":"","call_id":"fc_a","name":"look","type":"function_call"}}"#;
    let cut = r#"{"type":"response.output_item.done","output_index":0,"item":{"arguments":"","call_id":"fc_a","name":"look","type":"function_call","status":"incomplete"}}"#;
    let done = cut.replace("incomplete", "completed");
    let filtered = r#"{"type":"response.incomplete","response":{"incomplete_details":{"reason":"content_filter"}}}"#;
    let is_whole = |events: &[&str]| {
        let reply = read(stream(events).as_bytes()).unwrap();
        let call = reply.calls().remove(0);
        matches!(call.input, ToolInput::Json(_))
    };
    assert!(!is_whole(&[added, filtered]));
    assert!(!is_whole(&[added, cut, filtered]));
    assert!(is_whole(&[added, &done, COMPLETED]));
}

#[test]
fn events_of_other_kinds_may_have_fields_of_any_type() {
    for event in [
        r#"{"type":"response.shell_call_output_content.delta","output_index":"x","item_id":1,"delta":{"stdout":"a"}}"#,
        r#"{"type":"response.of_tomorrow","response":"resp_1","text":[],"arguments":{},"refusal":1}"#,
    ] {
        let reply = read(stream(&[event, COMPLETED]).as_bytes());
        assert!(
            reply.is_some_and(|reply| reply.blocks.is_empty()),
            "{event}"
        );
    }
}

#[test]
fn errors_are_read_in_all_their_shapes() {
    let refused = |event: &str| {
        let mut events = Vec::new();
        let bytes = stream(&[event]);
        SseReader::default()
            .feed(bytes.as_bytes(), &mut events)
            .unwrap();
        let mut sink: PartSink = Box::new(|_| {});
        let mut builder = ReplyBuilder::new(&[]);
        match builder.take(&events[0], &mut sink) {
            Err(StreamError::Error(body)) => crate::failure::ServerError::from_stream_event(&body),
            Err(_) | Ok(_) => panic!("{event}: no error"),
        }
    };
    for event in [
        r#"{"type":"response.failed","response":{"error":{"code":"rate_limit_exceeded","message":"slow"}}}"#,
        r#"{"type":"error","code":"rate_limit_exceeded","message":"slow","param":null,"sequence_number":3}"#,
        r#"{"type":"error","error":{"code":"rate_limit_exceeded","message":"slow"}}"#,
        r#"{"error":{"code":"rate_limit_exceeded","message":"slow"}}"#,
    ] {
        let error = refused(event);
        assert_eq!(
            (error.status, error.message.as_str()),
            (429, "slow"),
            "{event}"
        );
    }
    let full = refused(
        r#"{"type":"response.failed","response":{"error":{"code":"context_length_exceeded","message":"long"}}}"#,
    );
    assert_eq!(
        crate::failure::remedy(&full),
        teammate_core::model::Remedy::Shorten
    );
    let wrong = refused(
        r#"{"type":"response.failed","response":{"error":{"code":"invalid_prompt","message":"no"}}}"#,
    );
    assert_eq!(wrong.status, 400);
}
