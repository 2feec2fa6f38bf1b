//! What a story tells of the time that was the person's.

use std::sync::Arc;

use teammate_core::{Timestamp, event::Event, port::Record, tool::CallId};

use super::*;
use crate::{Fact, TeamView};

/// An event of alice, so many milliseconds after the beginning.
fn event(at: u64, what: &str) -> Fact {
    let json = format!("{{\"at\":{at},\"member\":\"alice\",{what}}}");
    let event: Event = serde_json::from_str(&json).unwrap_or_else(|why| panic!("{json}: {why}"));
    Fact::Event(Arc::new(event))
}

fn started(call: &str, tool: &str) -> String {
    format!(r#""event":"tool_started","call":"{call}","tool":"{tool}","summary":"make""#)
}

fn finished(call: &str, ok: bool, took_ms: u64, more: &str) -> String {
    format!(
        r#""event":"tool_finished","call":"{call}","tool":"bash","ok":{ok},"summary":"it said so","took_ms":{took_ms}{more}"#
    )
}

fn asked(question: u64) -> String {
    asked_for(question, "bash")
}

fn asked_for(question: u64, tool: &str) -> String {
    format!(r#""event":"permission_asked","question":{question},"tool":"{tool}","shows":"make""#)
}

fn answered(question: u64, allowed: bool, by: &str) -> String {
    format!(
        r#""event":"permission_answered","question":{question},"allowed":{allowed},"by":"{by}""#
    )
}

/// The record of a question that this call asks.
fn recorded(number: u64, question: u64, cause: &str) -> Fact {
    let digest = "ab".repeat(32);
    let json = format!(
        r#"[{{"event":"request","request":{question},"change":"opened","kind":"permission","tool":"bash","shows":"make",
            "digest":"{digest}","from":{{"member":"alice","incarnation":1}},"call":"{cause}"}}]"#
    );
    let events = serde_json::from_str(&json).unwrap_or_else(|why| panic!("{json}: {why}"));
    Fact::Record(Arc::new(Record::of(number, Timestamp(0), events)))
}

fn view(facts: &[Fact]) -> TeamView {
    TeamView::of(facts)
}

fn story(view: &TeamView) -> &Story {
    view.stories().next().expect("alice has one").1
}

/// The calls of the story, each with its begin.
fn calls(story: &Story) -> Vec<(Timestamp, &Call)> {
    let items = story.items().iter();
    let called = items.filter_map(|item| match &item.what {
        ItemKind::Called(call) => Some((item.at, &**call)),
        _ => None,
    });
    called.collect()
}

/// How the only call came out, in words.
fn outcome(facts: &[Fact]) -> String {
    let view = view(facts);
    let (at, call) = calls(story(&view))[0];
    call.outcome(at, "you")
}

#[test]
fn a_call_says_how_long_it_ran_and_how_long_it_waited_for_the_person() {
    let told = [
        event(0, &started("c", "bash")),
        event(50, &asked(1)),
        event(14_850, &answered(1, true, "user")),
        event(
            14_950,
            &finished("c", false, 14_950, r#","exit":101,"lines":3"#),
        ),
    ];
    assert_eq!(outcome(&told[..2]), "waits for you");
    assert_eq!(outcome(&told[..3]), "runs");
    assert_eq!(
        outcome(&told),
        "FAILED exit 101, 0.1 s (waited 14.8 s for you)"
    );
    let quick = [
        event(0, &started("c", "bash")),
        event(20, &finished("c", true, 20, r#","exit":0,"lines":1"#)),
    ];
    assert_eq!(outcome(&quick), "1 line");
}

#[test]
fn what_was_refused_has_not_failed() {
    let ended = |by: &str| {
        outcome(&[
            event(0, &started("c", "bash")),
            event(50, &asked(1)),
            event(2_050, &answered(1, false, by)),
            // What a member reads of it counts as what it printed.
            event(2_060, &finished("c", false, 2_060, r#","lines":1"#)),
        ])
    };
    assert_eq!(ended("user"), "refused by you after 2.0 s");
    assert_eq!(ended("lead"), "refused by lead after 2.0 s");
    assert_eq!(ended("deadline"), "refused: no answer within 2.0 s");
    // Without any question.
    let by = |what: &str| {
        let more = format!(r#","lines":1,"refused":"{what}""#);
        outcome(&[
            event(0, &started("c", "bash")),
            event(10, &finished("c", false, 10, &more)),
        ])
    };
    for (what, said) in [
        ("rule", "refused by a rule"),
        ("hook", "refused by a hook"),
        ("plan_gate", "refused until a plan is approved"),
        ("nobody", "refused: nobody could be asked"),
        // What a later version may say.
        ("the_moon", "refused"),
    ] {
        assert_eq!(by(what), said);
    }
    // It ran, and what was refused was a connection.
    let part = [
        event(0, &started("c", "bash")),
        event(1_000, &asked_for(1, "net")),
        event(2_000, &answered(1, false, "user")),
        event(4_000, &finished("c", false, 4_000, r#","lines":1"#)),
    ];
    assert_eq!(
        outcome(&part),
        "FAILED it said so, 3.0 s (waited 1.0 s for you)"
    );
}

#[test]
fn the_time_of_waiting_is_no_calls_time() {
    let told = [
        event(
            0,
            r#""event":"mail_heard","id":"m1","from":"user","kind":"message","content":"go""#,
        ),
        event(1_000, &started("c", "bash")),
        event(1_500, &asked(1)),
        event(61_500, &answered(1, true, "user")),
        event(62_000, &finished("c", true, 61_000, "")),
        event(70_000, &started("d", "bash")),
        event(70_000, &asked(2)),
        event(80_000, &answered(2, false, "user")),
        event(80_010, &finished("d", false, 10_010, "")),
        event(90_000, &started("e", "bash")),
        event(90_000, &asked(3)),
        Fact::Clock(Timestamp(100_000)),
    ];
    let view = view(&told);
    let spans = story(&view).spans(view.now());
    let told: Vec<_> = spans
        .iter()
        .map(|span| (span.kind.as_str(), span.from.0, span.to.0))
        .collect();
    assert_eq!(
        told,
        [
            ("tool", 1_000, 1_500),
            ("waits", 1_500, 61_500),
            ("tool", 61_500, 62_000),
            ("waits", 70_000, 80_000),
            ("refused", 80_000, 80_010),
            ("waits", 90_000, 100_000),
            ("turn", 0, 100_000),
        ]
    );
}

#[test]
fn nothing_goes_on_when_the_process_has_ended() {
    let opened = r#""event":"team_opened","team":"t","members":[],"resumed":false,"pid":7"#;
    let told = [
        event(0, opened),
        event(1_000, &started("c", "bash")),
        event(1_500, &asked(1)),
        Fact::HostEnded { pid: 7 },
        Fact::Clock(Timestamp(900_000)),
    ];
    let view = view(&told);
    let spans = story(&view).spans(view.now());
    assert!(spans.iter().all(|span| span.to.0 <= 1_500), "{spans:?}");
    assert_eq!(calls(story(&view))[0].1.state(), CallState::Cut);
}

#[test]
fn a_question_counts_for_the_call_that_asks_and_for_those_that_began_it() {
    let told = [
        event(0, &started("task_1", "task")),
        event(0, &started("other", "bash")),
        event(
            10,
            r#""event":"tool_started","call":"inner","tool":"bash","summary":"make","subagent":"worker""#,
        ),
        recorded(0, 1, "alice/1/7/task_1/9/inner/0123456789ab"),
        event(1_000, &asked(1)),
        event(6_000, &answered(1, true, "user")),
    ];
    let view = view(&told);
    let waited: Vec<_> = calls(story(&view))
        .iter()
        .map(|(_, call)| {
            (
                call.id.as_str(),
                call.waited_ms(view.now()),
                call.asked.len(),
            )
        })
        .collect();
    assert_eq!(
        waited,
        [("task_1", 5_000, 1), ("other", 0, 0), ("inner", 5_000, 1)]
    );
    let all = calls(story(&view));
    assert!(all[0].1.asked[0].is_within && !all[2].1.asked[0].is_within);
    assert_eq!(
        all[2].1.asked[0].line("you"),
        "you allowed it after 5.0 s (req_000001)"
    );
    // The entry of the question names the call that shows it.
    let entries = story(&view).items().iter();
    let asks = entries.filter_map(|item| match &item.what {
        ItemKind::Request { call, .. } => call.as_ref().map(CallId::as_str),
        _ => None,
    });
    assert_eq!(asks.collect::<Vec<_>>(), ["inner", "inner"]);
}

#[test]
fn a_plan_waits_for_the_person_from_its_submission_to_its_answer() {
    let told = [
        event(
            5_000,
            r#""event":"request_opened","request":1,"kind":"plan","from":"alice","to":"the user","shows":"1. look""#,
        ),
        event(
            65_000,
            r#""event":"request_settled","request":1,"kind":"plan","from":"alice","state":"rejected","how":"rejected by the user""#,
        ),
    ];
    let view = view(&told);
    let spans = story(&view).spans(view.now());
    let told: Vec<_> = spans.iter().map(|s| (s.kind, s.from.0, s.to.0)).collect();
    assert_eq!(told, [(SpanKind::Waits, 5_000, 65_000)]);
}
