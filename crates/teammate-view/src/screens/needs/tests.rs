//! What a question says of itself.

use std::sync::Arc;

use serde_json::{Value, json};
use teammate_core::{Timestamp, event::Event, port::Record};

use super::*;
use crate::Fact;

/// A team of a lead, alice and bob, to which these things happened.
fn view(events: &[Value], told: &[Value]) -> TeamView {
    let spawned = |name: &str| {
        json!({
            "event": "spawned", "member": name, "role": "coder", "prompt": "Work", "incarnation": 1, "by": "lead",
            "call": format!("spawn {name}"),
        })
    };
    let id = "00000000-0000-0000-0000-000000000007";
    let mut all = vec![json!({ "event": "created", "id": id, "name": "default" })];
    all.extend(["lead", "alice", "bob"].map(spawned));
    all.extend(events.iter().cloned());
    let all = serde_json::from_value(Value::Array(all)).unwrap();
    let record = Fact::Record(Arc::new(Record::of(0, Timestamp(1), all)));
    let told = told.iter().enumerate().map(|(at, what)| {
        let mut event = json!({ "at": at + 2, "member": "alice" });
        let more = what.as_object().unwrap().clone();
        event.as_object_mut().unwrap().extend(more);
        let event: Event = serde_json::from_value(event).unwrap();
        Fact::Event(Arc::new(event))
    });
    let facts: Vec<Fact> = [record].into_iter().chain(told).collect();
    TeamView::of(&facts)
}

/// A question of a member, each with its own digest.
fn asks(number: u64, name: &str, more: &Value) -> Value {
    let mut asked = json!({
        "event": "request", "request": number, "change": "opened", "kind": "permission", "tool": "bash",
        "shows": "git status", "digest": format!("{number:064x}"), "from": { "member": name, "incarnation": 1 },
        "call": format!("{name}/1/1/c{number}/d"), "rule": "bash(=git status)", "because": "no rule allows git",
    });
    asked
        .as_object_mut()
        .unwrap()
        .extend(more.as_object().unwrap().clone());
    asked
}

fn cards(view: &TeamView) -> Vec<NeedCard> {
    NeedsScreen::of(view, usize::MAX).needs
}

#[test]
fn what_is_exactly_the_same_is_one_question_with_all_its_requests() {
    let view = view(
        &[
            asks(1, "alice", &json!({})),
            asks(2, "bob", &json!({ "deadline": 50_000 })),
            asks(3, "lead", &json!({ "because": "a hook asks" })),
        ],
        &[],
    );
    assert_eq!(view.needs().len(), 3);
    let cards = cards(&view);
    let titles: Vec<_> = cards
        .iter()
        .map(|card| format!("{} {}", card.who, card.title))
        .collect();
    assert_eq!(
        titles,
        ["2 members ask: run git status", "lead asks: run git status"],
        "what is asked for another reason is another question"
    );
    let [both, _] = &cards[..] else { panic!() };
    let digest = |number: u64| format!("{number:064x}");
    assert_eq!(
        (&*both.id, both.saw.clone()),
        ("req_000002", Some(digest(2))),
        "the first to end"
    );
    assert_eq!(both.alike, [("req_000001".to_owned(), digest(1))]);
    assert_eq!(both.holds_members, ["alice", "bob"]);
    assert_eq!((both.since, both.deadline), (Some(1), Some(50_000)));
}

#[test]
fn an_always_says_how_many_others_it_answers() {
    let view = view(
        &[
            asks(1, "alice", &json!({})),
            asks(2, "bob", &json!({})),
            asks(3, "lead", &json!({ "because": "a hook asks" })),
        ],
        &[],
    );
    let labels = |card: &NeedCard| -> Vec<String> {
        card.answers
            .iter()
            .map(|answer| answer.label.clone())
            .collect()
    };
    assert_eq!(
        labels(&cards(&view)[0]),
        [
            "once",
            "always allow 'bash(=git status)'; answers 1 other question, too",
            "no",
            "no, and why"
        ]
    );
}

#[test]
fn a_question_has_the_askers_own_words_and_those_of_its_call() {
    let call = json!({ "event": "tool_started", "call": "c1", "tool": "bash", "summary": "git status",
        "input": r#"{"command":"git status","description":"See what changed"}"# });
    let said = |text: &str| json!({ "event": "answered", "text": text, "stop": "end_turn", "usage": { "input": 1, "output": 1 } });
    let asked = json!({ "event": "permission_asked", "question": 1, "tool": "bash", "shows": "git status" });
    let told = [
        said("Earlier."),
        said("# Plan\n\nFour steps.\n\nI look at **what is there** first."),
        call,
        asked,
    ];
    let view = view(&[asks(1, "alice", &json!({}))], &told);
    assert_eq!(
        cards(&view)[0].reasons,
        [
            ("says", "I look at what is there first.".to_owned()),
            ("described as", "See what changed".to_owned()),
            ("asked because", "no rule allows git".to_owned()),
        ]
    );
}

#[test]
fn a_change_is_a_change_a_plan_is_text_and_a_command_is_only_itself() {
    let diff = "--- src/a.rs\n+++ src/a.rs\n@@ -1 +1 @@\n-one\n+two\n";
    let plan = json!({
        "event": "request", "request": 3, "change": "opened", "kind": "plan", "text": "# Plan\n\n1. **read**",
        "digest": "07".repeat(32), "approver": "user", "from": { "member": "bob", "incarnation": 1 }, "call": "p",
    });
    let view = view(
        &[
            asks(1, "alice", &json!({ "tool": "edit_file", "shows": diff })),
            asks(
                2,
                "lead",
                &json!({ "shows": "if true; then\n        @@ \n@@ x\nfi" }),
            ),
            plan,
        ],
        &[],
    );
    let cards = cards(&view);
    let shown = |card: &NeedCard| -> Vec<String> {
        let lines = card.shown_lines(14, WidthPolicy::Narrow);
        lines.iter().map(TextLine::plain).collect()
    };
    let form_of = |id: &str| {
        let card = cards.iter().find(|card| card.id == id).unwrap();
        (card.form, card.title.clone(), shown(card))
    };
    let (form, title, _) = form_of("req_000001");
    assert_eq!(
        (form, &*title),
        (ShownForm::Diff, "asks: edit src/a.rs +1 -1")
    );
    let (form, _, lines) = form_of("req_000002");
    assert_eq!(form, ShownForm::Text);
    assert_eq!(lines, ["if true; then", "       @@ ", "@@ x", "fi"]);
    let (form, _, lines) = form_of("req_000003");
    assert_eq!(form, ShownForm::Markdown);
    assert_eq!(lines, ["# Plan", "", " 1. read"]);
}
