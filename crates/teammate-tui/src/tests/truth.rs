//! What a row says is so: the note below the prompt, lists that are cut, time that was the user's, and when they answered.

use std::sync::Arc;

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use serde_json::{Value, json};
use teammate_core::{Timestamp, event::Event, port::Record};
use teammate_view::{DoingKind, Fact, Verb};

use super::{app, facts, press, screen};
use crate::{
    app::{App, Focus, ScreenKind},
    input::{self, KeyStep},
};

/// So many milliseconds after the recorded run.
fn after(ms: u64) -> Timestamp {
    let last = facts().iter().filter_map(Fact::at).max().unwrap();
    Timestamp(last.0 + ms)
}

fn event(at: Timestamp, member: &str, mut what: Value) -> Fact {
    what["at"] = json!(at.0);
    what["member"] = json!(member);
    let event: Event = serde_json::from_value(what).unwrap();
    Fact::Event(Arc::new(event))
}

fn record(app: &App, at: Timestamp, events: Value) -> Fact {
    let events = serde_json::from_value(events).unwrap();
    Fact::Record(Arc::new(Record::of(app.present().records(), at, events)))
}

fn take_record(app: &mut App, at: Timestamp, events: Value) {
    let fact = record(app, at, events);
    app.take(&fact);
}

/// A member that works, and asks.
fn asks(app: &mut App, name: &str, question: u64) {
    let at = after(question);
    take_record(
        app,
        at,
        json!([
            { "event": "spawned", "member": name, "role": "coder", "prompt": "Begin", "incarnation": 1, "by": "lead",
              "call": format!("spawn-{name}") },
            { "event": "working", "member": name, "incarnation": 1 },
            { "event": "request", "request": question, "change": "opened", "kind": "permission", "tool": "bash",
              "shows": format!("make {name}"), "digest": "ab".repeat(32),
              "from": { "member": name, "incarnation": 1 }, "call": format!("{name}/1/1/c/abababababab") },
        ]),
    );
}

fn typed(app: &mut App, text: &str) -> KeyStep {
    for letter in text.chars() {
        press(app, KeyCode::Char(letter));
    }
    press(app, KeyCode::Enter)
}

#[test]
fn what_is_asked_for_is_newer_than_the_note_about_the_answer_before() {
    let mut app = app();
    let next = KeyEvent::new(KeyCode::Char('n'), KeyModifiers::CONTROL);
    input::handle(&mut app, next);
    let asked = input::chosen_question(&app).unwrap();
    app.answers.shown(&asked.key(), Some(0));
    app.say("allowed once: req_000001, run make");
    app.focus = Focus::Pane;
    press(&mut app, KeyCode::Char('w'));
    assert_eq!(app.note.text(), None, "it is of another question");
    app.say("allowed once: req_000001, run make");
    let step = typed(&mut app, "not this way");
    let KeyStep::Ask(Verb::Typed(line)) = step else {
        panic!("{step:?}");
    };
    assert_eq!(line, format!("/deny {} not this way", asked.request));
    assert_eq!(app.note.text(), None, "the yes stays above a no");
}

#[test]
fn a_receipt_takes_the_place_of_an_older_note() {
    let mut app = app();
    app.say("Set aside: Up brings it back");
    app.take(&event(
        after(1),
        "alice",
        json!({ "event": "text", "delta": "so" }),
    ));
    assert_eq!(app.note.text(), Some("Set aside: Up brings it back"));
    let said = json!({ "event": "person_said", "id": "a70349bb-2ca2-5c16-b3c1-4a3c265460ad", "to": "lead", "by": "user",
        "content": "go on" });
    app.take(&event(after(2), "lead", said));
    let shown = screen(&app, 80, 24);
    assert!(
        shown.contains("queued") && shown.contains("\"go on\""),
        "{shown}"
    );
}

#[test]
fn the_past_is_read_no_more_once_it_is_there() {
    let mut app = app();
    app.note.say_while("Reading the past …".to_owned());
    app.look_back(facts(), Some(after(0)));
    assert_ne!(app.note.text(), Some("Reading the past …"));
    app.past = None;
    app.look_back(facts(), None);
    app.past.as_mut().unwrap().go_to(0);
    let shown = screen(&app, 80, 24);
    assert!(shown.contains("PAST start"), "{shown}");
}

#[test]
fn each_list_that_is_cut_says_how_much_is_missing() {
    let mut app = app();
    for number in 10..60 {
        asks(&mut app, &format!("worker-{number}"), number);
    }
    for number in 3..80 {
        let task = json!([{ "event": "task", "task": number, "change": "created", "by": "lead",
            "call": format!("t{number}"), "subject": format!("Task {number}"), "description": "" }]);
        take_record(&mut app, after(100), task);
    }
    app.show(ScreenKind::Team);
    let team = screen(&app, 80, 24);
    assert!(team.contains("Team: 53, 0 work, 52 wait for you"), "{team}");
    // Three of 52 needs, four of 79 tasks; members in what is left.
    assert!(team.contains("   … 49 more\n"), "{team}");
    assert!(team.contains("   … 75 more\n"), "{team}");
    let members = team.lines().filter(|line| line.starts_with(" ! ")).count();
    assert!(
        team.contains(&format!("   … {} more\n", 53 - members)),
        "{team}"
    );
    // So many are grouped by what they do.
    assert!(team.contains("\n 52 wait for you\n"), "{team}");
    // Where it is tall all sections have more rows, and none has more than it fills.
    let tall = screen(&app, 100, 100);
    let rows = |text: &str| tall.lines().filter(|line| line.contains(text)).count();
    assert!(rows("asks: run make worker") > 40, "{tall}");
    assert!(rows("[ ] #") > 15, "{tall}");
    app.show(ScreenKind::Needs);
    let needs = screen(&app, 80, 24);
    assert!(needs.contains("   … 47 more\n"), "{needs}");
    app.show(ScreenKind::Board);
    let board = screen(&app, 140, 40);
    assert!(board.contains("more"), "{board}");
    let narrow = screen(&app, 70, 24);
    assert!(narrow.contains(" more\n"), "{narrow}");
    let cost = |rows| crate::screens::cost(&app, 80, rows);
    assert!(
        !format!("{:?}", cost(20)).contains(" more"),
        "all of it is there"
    );
    assert!(format!("{:?}", cost(5)).contains(" more"));
    let small = screen(&app, 50, 14);
    assert!(small.contains(" more\n"), "{small}");
}

#[test]
fn one_more_than_a_list_has_rows_for_is_shown_and_not_counted() {
    let mut app = app();
    asks(&mut app, "carol", 10);
    asks(&mut app, "dave", 11);
    app.show(ScreenKind::Team);
    let team = screen(&app, 80, 24);
    assert!(team.contains("req_000011"), "{team}");
    assert!(!team.contains("more\n"), "{team}");
}

#[test]
fn answers_stand_by_the_moment_of_the_answer() {
    let mut app = app();
    let answer = |request: u64| json!([{ "event": "request", "request": request, "change": "rejected", "by": "user", "because": "" }]);
    // The one that was asked first is answered last.
    take_record(&mut app, after(60_000), answer(3));
    take_record(&mut app, after(120_000), answer(2));
    app.show(ScreenKind::Needs);
    let shown = screen(&app, 100, 30);
    let rows: Vec<&str> = shown
        .lines()
        .skip_while(|line| !line.contains("Answered lately"))
        .skip(1)
        .take(3)
        .collect();
    let clock = |at| app.clock(at);
    assert!(
        rows[0].starts_with(&format!(" {} no       req_000002", clock(after(120_000)))),
        "{shown}"
    );
    assert!(
        rows[1].starts_with(&format!(" {} no       req_000003", clock(after(60_000)))),
        "{shown}"
    );
    assert!(rows[2].contains("yes      req_000001"), "{shown}");
}

#[test]
fn a_call_that_waited_for_the_user_says_for_how_long_and_a_refusal_has_not_failed() {
    let mut app = app();
    let started = |call: &str| json!({ "event": "tool_started", "call": call, "tool": "bash", "summary": "make test" });
    let asked = |question: u64| json!({ "event": "permission_asked", "question": question, "tool": "bash", "shows": "make test" });
    let answered = |question: u64, allowed: bool| json!({ "event": "permission_answered", "question": question, "allowed": allowed, "by": "user" });
    let finished = |call: &str, exit: Option<i32>, took: u64| {
        json!({ "event": "tool_finished", "call": call, "tool": "bash", "ok": false, "summary": "Not run",
            "exit": exit, "took_ms": took })
    };
    for (ms, what) in [
        (1_000, started("x")),
        (1_000, asked(20)),
        (15_800, answered(20, true)),
        (15_900, finished("x", Some(101), 14_900)),
        (20_000, started("y")),
        (20_000, asked(21)),
        (22_500, answered(21, false)),
        (22_501, finished("y", None, 2_501)),
    ] {
        app.take(&event(after(ms), "lead", what));
    }
    app.show(ScreenKind::Member);
    let shown = screen(&app, 100, 30);
    for row in [
        "FAILED exit 101, 0.1 s (waited 14.8 s for you)",
        "   ! you allowed it after 14.8 s (req_000020)",
        " / bash make test",
        "refused by you after 2.5 s",
        "   ! you denied it after 2.5 s (req_000021)",
    ] {
        assert!(shown.contains(row), "{row}\n{shown}");
    }
    assert!(
        !shown.contains("asks for permission"),
        "it stands with its call\n{shown}"
    );
}

#[test]
fn estimated_tokens_are_marked_and_explained() {
    let mut app = app();
    app.show(ScreenKind::Cost);
    assert!(!screen(&app, 80, 24).contains('~'));
    let usage = json!({ "input": 40_000, "output": 5, "cache_read": 0, "cache_write": 0, "estimated": 40_005 });
    let what = json!({ "event": "answered", "text": "", "stop": "end_turn", "usage": usage, "model": "own:m",
        "context": { "used": 40_005, "limit": 100_000, "estimated": true } });
    app.take(&event(after(1), "alice", what));
    let shown = screen(&app, 80, 24);
    let row = shown.lines().find(|row| row.starts_with(" alice")).unwrap();
    assert_eq!(row.matches('~').count(), 2, "{shown}");
    assert!(shown.contains(teammate_core::estimate::LEGEND), "{shown}");
    app.show(ScreenKind::Team);
    let shown = screen(&app, 80, 24);
    assert!(shown.contains("ctx ~40%"), "{shown}");
}

#[test]
fn names_are_as_wide_as_they_are_and_tell_members_apart() {
    let mut app = app();
    for (number, name) in ["backend-api", "backend-db"].into_iter().enumerate() {
        asks(&mut app, name, number as u64 + 10);
    }
    for (columns, rows) in [(80, 24), (100, 30), (140, 40), (200, 60)] {
        let team = screen(&app, columns, rows);
        for name in ["backend-api", "backend-db"] {
            let is_there = team.contains(&format!(" ! {name} "));
            assert!(is_there, "{columns}x{rows}\n{team}");
        }
    }
}

#[test]
fn tries_for_one_reason_are_one_entry_that_says_it_without_the_model() {
    let mut app = app();
    let model = "anthropic:claude-sonnet-4-5";
    let asked = json!({ "event": "asked", "model": model, "round": 1 });
    app.take(&event(after(1), "bob", asked));
    for attempt in 2..5 {
        let retrying = json!({ "event": "retrying", "after_ms": 8000, "attempt": attempt,
            "why": format!("{model}: the server is overloaded (529)") });
        app.take(&event(after(attempt), "bob", retrying));
    }
    let mut stories = app.view().stories();
    let (_, story) = stories.find(|(name, _)| name.as_str() == "bob").unwrap();
    let lines = story.items().iter().filter_map(|item| item.what.line());
    let lines: Vec<String> = lines.collect();
    let overloaded: Vec<_> = lines.iter().filter(|line| line.contains("529")).collect();
    assert_eq!(
        overloaded,
        ["the server is overloaded (529); try 4 in 8.0 s"]
    );
    match &story.doing().unwrap().what {
        DoingKind::Retries { why, attempt, .. } => {
            assert_eq!(
                (why.as_str(), *attempt),
                ("the server is overloaded (529)", 4)
            );
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn in_a_large_team_one_goes_through_groups_and_finds_a_member_by_what_it_does() {
    let mut app = app();
    for number in 10..110 {
        asks(&mut app, &format!("worker-{number}"), number);
    }
    app.show(ScreenKind::Team);
    app.focus = Focus::Pane;
    press(&mut app, KeyCode::End);
    let team = screen(&app, 100, 30);
    assert!(team.contains("\n 1 rests\n"), "{team}");
    for letter in "/worker-77".chars() {
        press(&mut app, KeyCode::Char(letter));
    }
    press(&mut app, KeyCode::Enter);
    press(&mut app, KeyCode::Enter);
    assert_eq!(app.member().as_str(), "worker-77");
}

#[test]
fn tokens_over_time_stand_beside_members_and_costs_where_there_is_room() {
    let mut app = app();
    app.show(ScreenKind::Cost);
    let wide = screen(&app, 200, 60);
    assert!(wide.contains("── Tokens over time: up to "), "{wide}");
    assert!(wide.contains('█'), "{wide}");
    let narrow = screen(&app, 80, 24);
    assert!(narrow.contains("total"), "{narrow}");
    app.show(ScreenKind::Team);
    app.focus = Focus::Pane;
    assert!(screen(&app, 200, 60).contains('█'));
    assert!(!screen(&app, 80, 24).contains('█'));
}
