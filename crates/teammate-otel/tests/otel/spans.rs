//! The spans of a whole run, as data that other programs build on.

use teammate_otel::Contents;

use crate::told::{outline, spans_of, transcript};

/// A lead with one teammate, whose plan waits for the user, whose command fails and who sends mail.
const RUN: &str = include_str!("run.events");

/// Writes the golden spans anew with `UPDATE_GOLDEN=1`.
#[test]
fn a_run_is_a_tree_of_spans_with_links_between_members() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/otel/run.spans");
    let spans = transcript(&spans_of(RUN, Contents::Left));
    if std::env::var_os("UPDATE_GOLDEN").is_some() {
        std::fs::write(path, &spans).unwrap();
    }
    assert_eq!(spans, std::fs::read_to_string(path).unwrap());
}

#[test]
fn the_same_events_give_the_same_ids() {
    assert_eq!(spans_of(RUN, Contents::Left), spans_of(RUN, Contents::Left));
}

#[test]
fn what_was_said_is_sent_only_if_the_user_wants_it() {
    let left = transcript(&spans_of(RUN, Contents::Left));
    assert!(!left.contains("secret"), "{left}");
    let sent = transcript(&spans_of(RUN, Contents::Sent));
    for said in [
        "gen_ai.output.messages = [{\"role\":\"assistant\",\"parts\":[{\"type\":\"text\",\"content\":\"The secret answer\"}],\"finish_reason\":\"tool_call\"}]",
        "gen_ai.tool.call.arguments = {\"command\":\"cat secret\"}",
        "gen_ai.tool.call.result = exit 1: secret",
        "teammate.mail.content = The secret mail",
    ] {
        assert!(sent.contains(said), "{said} is not in {sent}");
    }
}

#[test]
fn long_text_is_cut_between_characters() {
    let text = "é".repeat(20_000);
    let lines = format!(
        "1 lead asked {{\"round\":1,\"model\":\"a:b\"}}\n\
         2 lead answered {{\"text\":\"{text}\",\"stop\":\"end_turn\",\"usage\":{{\"input\":1,\"output\":1,\"cache_read\":0,\"cache_write\":0}}}}"
    );
    let spans = transcript(&spans_of(&lines, Contents::Sent));
    assert!(spans.contains("é…") && spans.len() < 20_000);
}

#[test]
fn calls_of_a_subagent_are_parts_of_it() {
    let spans = spans_of(
        r#"
        1 lead asked {"round":1,"model":"a:b"}
        2 lead answered {"text":"","stop":"tool_use","usage":{"input":1,"output":1,"cache_read":0,"cache_write":0}}
        3 lead tool_started {"call":"c1","tool":"subagent","summary":""}
        4 lead subagent_started {"call":"lead/1/1/c1","kind":"explore","title":"look"}
        5 lead tool_started {"call":"lead/1/1/c1/s1","tool":"grep","summary":"","subagent":"explore"}
        6 lead tool_finished {"call":"lead/1/1/c1/s1","tool":"grep","ok":true,"summary":"","took_ms":1,"subagent":"explore"}
        7 lead subagent_answered {"call":"lead/1/1/c1","usage":{"input":1,"output":1,"cache_read":0,"cache_write":0}}
        8 lead subagent_ended {"call":"lead/1/1/c1","kind":"explore","ok":true,"summary":""}
        9 lead tool_finished {"call":"c1","tool":"subagent","ok":true,"summary":"","took_ms":6}
        10 lead rested {"why":"done","result":""}
        "#,
        Contents::Left,
    );
    assert_eq!(
        outline(&spans),
        [
            "#1 in #5 chat b 1..2",
            "#2 in #3 execute_tool grep 5..6",
            "#3 in #4 invoke_agent explore 4..8",
            "#4 in #5 execute_tool subagent 3..9",
            "#5 in #6 invoke_agent lead 1..10",
            "#6 invoke_workflow 1..10",
        ]
    );
}
