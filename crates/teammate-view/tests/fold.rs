//! The fold of a recorded run: the same view, however its facts arrive.
#![allow(clippy::unwrap_used, reason = "a test may")]

use std::sync::Arc;

use serde::Deserialize;
use teammate_core::{
    MemberName, Sender, Timestamp,
    event::{Event, EventKind},
    port::Record,
    team::TeamEvent,
};
use teammate_view::{Fact, ItemKind, NeedKind, Receipt, Sign, TeamView, Timeline};

/// A line of the journal without its proofs.
#[derive(Deserialize)]
struct Line {
    n: u64,
    at: Timestamp,
    events: Vec<TeamEvent>,
}

/// What is known of the run, in one order. Lines of a later version are passed over.
fn facts() -> Vec<Fact> {
    let records = include_str!("limiter/journal.jsonl").lines().map(|line| {
        let line: Line = serde_json::from_str(line).unwrap();
        let record = Record::of(line.n, line.at, line.events);
        (line.at, Fact::Record(Arc::new(record)))
    });
    let events = include_str!("limiter/events.jsonl").lines();
    let events = events.filter_map(|line| serde_json::from_str::<Event>(line).ok());
    let events = events.map(|event| (event.at, Fact::Event(Arc::new(event))));
    let mut all: Vec<_> = records.chain(events).collect();
    all.sort_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, fact)| fact).collect()
}

fn folded<'a>(facts: impl IntoIterator<Item = &'a Fact>) -> TeamView {
    let mut view = TeamView::default();
    facts.into_iter().for_each(|fact| view.apply(fact));
    view
}

#[test]
fn a_run_is_seen_as_it_was() {
    let view = folded(&facts());
    let roster: Vec<(Sign, String, String)> = view
        .roster()
        .into_iter()
        .map(|line| (line.sign, line.name.to_string(), line.text))
        .collect();
    assert_eq!(roster[0].0, Sign::NeedsYou);
    assert!(
        roster
            .iter()
            .any(|(sign, name, _)| *sign == Sign::Rests && name == "lead")
    );
    let needs = view.needs();
    assert!(matches!(needs[0].kind, NeedKind::Permission(_)));
    assert_eq!(needs.len(), 2);
    let said = view
        .mail()
        .iter()
        .find(|mail| mail.from == Sender::User)
        .unwrap();
    assert!(
        matches!(&said.receipt, Receipt::Acted { what, .. } if what.starts_with("I will look"))
    );
    let alice = view.story(&MemberName::parse("alice").unwrap()).unwrap();
    let failed = alice.items().iter().any(|item| match &item.what {
        ItemKind::Called(call) => call.ended.as_ref().is_some_and(|end| end.exit == Some(101)),
        _ => false,
    });
    assert!(failed, "{alice:?}");
}

#[test]
fn records_that_come_twice_or_late_change_nothing() {
    let facts = facts();
    let once = folded(&facts);
    let records = facts.iter().filter(|fact| matches!(fact, Fact::Record(_)));
    let twice = folded(facts.iter().chain(records));
    assert_eq!(once, twice);
}

#[test]
fn the_past_is_what_the_present_was_then() {
    let facts = facts();
    let mut timeline = Timeline::new(facts.clone());
    for at in (0..=facts.len()).rev().chain([3, facts.len(), 0, 7]) {
        timeline.go_to(at);
        assert_eq!(*timeline.view(), folded(&facts[..at]), "after {at} facts");
    }
}

#[test]
fn spending_is_that_of_the_journal_and_of_the_answers_since() {
    let facts = facts();
    let view = folded(&facts);
    let answers = facts.iter().filter(|fact| match fact {
        Fact::Event(event) => matches!(event.what, EventKind::ModelAnswered { .. }),
        Fact::Record(_) | Fact::HostEnded { .. } | Fact::Presence(_) | Fact::Clock(_) => false,
    });
    // Members hand over what they spent at the ends of their turns: some of it is not in the journal yet.
    let all = view.costs().spending(view.team()).sum();
    assert_eq!(all.requests, answers.count() as u64);
    assert!(view.team().spending().sum().requests < all.requests);
    let tasks: u64 = view
        .costs()
        .by_task()
        .flat_map(|(_, models)| models.values().copied())
        .map(|sum| sum.requests)
        .sum();
    assert!(tasks <= all.requests);
}
