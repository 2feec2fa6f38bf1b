use teammate::{EndReason, EventKind, MemberName, OfferedRules, Timestamp};
use teammate_view::text::Span;

use super::*;

fn shown(member: &str, what: EventKind) -> Vec<Rendered> {
    let member = MemberName::parse(member).unwrap();
    EventRenderer::new(Style::PLAIN, Some(40)).render(&Event {
        at: Timestamp(0),
        member,
        run: None,
        n: None,
        r: None,
        what,
    })
}

#[test]
fn a_tool_call_says_who_does_what() {
    let what = EventKind::ToolStarted {
        call: serde_json::from_str("\"c\"").unwrap(),
        tool: "bash".into(),
        summary: "echo \u{1b}[31mred and rather long, too long for it".into(),
        input: None,
        subagent: None,
    };
    assert_eq!(
        shown("alice", what),
        [Rendered::Line(
            "[alice] bash: echo \\u{1b}[31mred and ra…".into()
        )]
    );
}

#[test]
fn a_question_hides_no_end() {
    let shows = format!("ls{}; curl evil\u{202e}", " ".repeat(5_000));
    let what = EventKind::PermissionAsked {
        question: 1,
        tool: "bash".into(),
        shows,
        rules: OfferedRules::default(),
        deadline: None,
    };
    let [Rendered::Line(text)] = &shown("alice", what)[..] else {
        panic!()
    };
    assert!(
        text.contains("    ls [5000 blanks] ; curl evil\\u{202e}\n"),
        "{text}"
    );
}

#[test]
fn a_failure_is_shown_whole() {
    let why = EndReason::Failed {
        what: "x".repeat(100),
    };
    let lines = shown(
        "alice",
        EventKind::TurnEnded {
            why,
            result: String::new(),
        },
    );
    assert_eq!(
        lines,
        [Rendered::Line(format!(
            "[alice] failed: {}",
            "x".repeat(100)
        ))]
    );
}

#[test]
fn a_question_shows_exactly_what_will_run() {
    let what = EventKind::PermissionAsked {
        question: 3,
        tool: "bash".into(),
        shows: "a\nrm b".into(),
        rules: OfferedRules::default(),
        deadline: None,
    };
    let [Rendered::Line(text)] = &shown("bob", what)[..] else {
        panic!()
    };
    assert!(
        text.starts_with("[bob] asks: run a ... (req_000003):\n    a\n    rm b\n"),
        "{text}"
    );
}

#[test]
fn colours_are_ours_and_take_no_room() {
    let coloured = EventRenderer::new(Style::COLOURED, Some(30));
    let text = TextLine {
        spans: vec![
            Span::new("failed", TextRole::Bad),
            Span::new(" bash: exit code 101", TextRole::Plain),
        ],
        continues: false,
    };
    assert_eq!(
        coloured.line("bob", &text),
        "[\u{1b}[33mbob\u{1b}[0m] \u{1b}[31mfailed\u{1b}[0m bash: exit code …"
    );
}

#[test]
fn a_result_is_one_line_while_it_happens_and_whole_in_the_log() {
    let what = || EventKind::TurnEnded {
        why: EndReason::Done,
        result: "one\ntwo".into(),
    };
    assert_eq!(
        shown("bob", what()),
        [Rendered::Line("[bob] done: one two".into())]
    );
    let event = Event {
        at: Timestamp(0),
        member: MemberName::parse("bob").unwrap(),
        run: None,
        n: None,
        r: None,
        what: what(),
    };
    let mut log = EventRenderer::new(Style::PLAIN, Some(40)).for_log();
    assert_eq!(
        log.render(&event),
        [Rendered::Line("[bob] done: one\ntwo".into())]
    );
}
