//! Nothing stays open, whatever ends.

use teammate_otel::Contents;

use crate::told::{events, fold, outline, spans_of};

const BEGUN: &str = r#"
    1 lead team_opened {"team":"default","members":["lead"],"resumed":false}
    2 bob asked {"round":1,"model":"a:b"}
    3 bob answered {"text":"","stop":"tool_use","usage":{"input":1,"output":1,"cache_read":0,"cache_write":0}}
    4 bob tool_started {"call":"c1","tool":"bash","summary":""}
    5 bob mail_sent {"id":"m","to":"lead","kind":"message","content":""}
"#;

fn spans_with(end: &str) -> Vec<String> {
    outline(&spans_of(&format!("{BEGUN}{end}"), Contents::Left))
}

#[test]
fn an_interrupted_turn_ends_with_what_ran_in_it() {
    let spans = spans_with(
        r#"
        6 bob rested {"why":"interrupted","result":""}
        7 lead mail_heard {"id":"m","from":"bob","kind":"message"}
        8 lead team_closed {"why":"settled"}
        "#,
    );
    assert_eq!(
        spans,
        [
            "#1 in #3 chat b 2..3",
            "#2 in #3 execute_tool bash 4..6 failed: interrupted",
            "#3 in #5 invoke_agent bob 2..6 failed: interrupted",
            "#4 in #3 mail lead 5..7",
            "#5 invoke_workflow 1..8",
        ]
    );
}

#[test]
fn a_model_that_failed_for_good_ends_its_call() {
    let spans = outline(&spans_of(
        r#"
        1 lead asked {"round":1,"model":"a:b"}
        2 lead retrying {"why":"","after_ms":1,"attempt":2}
        3 lead rested {"why":"failed","what":"","result":""}
        "#,
        Contents::Left,
    ));
    assert_eq!(
        spans[..2],
        [
            "#1 in #2 chat b 1..3 failed: model_failed",
            "#2 in #3 invoke_agent lead 1..3 failed: model_failed",
        ]
    );
}

#[test]
fn a_member_that_is_stopped_leaves_nothing_open() {
    let spans = spans_with("6 bob terminated {\"how\":\"stopped at once\"}");
    assert!(
        spans.contains(&"#3 in #5 invoke_agent bob 2..6 failed: stopped".to_owned()),
        "{spans:?}"
    );
}

#[test]
fn a_run_without_an_end_ends_with_its_last_event() {
    let spans = spans_with("");
    assert_eq!(
        spans[1..],
        [
            "#2 in #3 execute_tool bash 4..5 failed: stopped",
            "#3 in #5 invoke_agent bob 2..5 failed: stopped",
            "#4 in #3 mail lead 5..5",
            "#5 invoke_workflow 1..5",
        ]
    );
}

#[test]
fn a_clock_that_goes_back_makes_no_span_that_ends_before_it_begins() {
    let spans = spans_of(
        r#"
        9 lead asked {"round":1,"model":"a:b"}
        2 lead rested {"why":"interrupted","result":""}
        "#,
        Contents::Left,
    );
    assert!(spans.iter().all(|span| span.start <= span.end), "{spans:?}");
}

#[test]
fn a_turn_with_thousands_of_messages_has_a_limit_of_links() {
    let mut fold = fold(Contents::Left);
    for number in 0..500 {
        let line = format!(
            "{number} lead mail_heard {{\"id\":\"m{number}\",\"from\":\"user\",\"kind\":\"message\"}}"
        );
        for event in events(&line) {
            fold.take(&event);
        }
    }
    for event in events("600 lead asked {\"round\":1,\"model\":\"a:b\"}") {
        fold.take(&event);
    }
    let turn = fold
        .finish()
        .into_iter()
        .find(|span| span.name == "invoke_agent lead")
        .unwrap();
    assert_eq!((turn.links.len(), turn.links_dropped), (128, 372));
}
