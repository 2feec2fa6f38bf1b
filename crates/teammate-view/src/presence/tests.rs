//! Workers that come, go and do not answer, as screens see it.

use std::sync::Arc;

use serde_json::{Value, json};
use teammate_core::{Timestamp, port::Record};

use super::*;
use crate::{Fact, Sign};

fn worker(name: &str) -> WorkerName {
    WorkerName::parse(name).unwrap()
}

fn member(name: &str) -> MemberName {
    MemberName::parse(name).unwrap()
}

/// A record of one change.
fn record(number: u64, change: Value) -> Fact {
    let event = serde_json::from_value(change).unwrap();
    Fact::Record(Arc::new(Record::of(number, Timestamp(number), vec![event])))
}

fn joined(name: &str) -> Value {
    json!({ "event": "place", "change": "joined", "worker": name, "places": 9,
        "session": "00000000-0000-0000-0000-000000000009" })
}

fn placed(of: &str, at: &str) -> Value {
    json!({ "event": "place", "change": "placed", "member": of, "worker": at, "term": 1 })
}

fn event(of: &str, mut what: Value) -> Fact {
    what["at"] = 9.into();
    what["member"] = of.into();
    Fact::Event(Arc::new(serde_json::from_value(what).unwrap()))
}

fn opened(by: &str) -> Fact {
    event(
        "lead",
        json!({ "event": "team_opened", "team": "lamps", "members": ["lead"], "resumed": true, "worker": by }),
    )
}

fn asks(of: &str) -> Fact {
    event(
        of,
        json!({ "event": "asked", "round": 1, "model": "openai:m" }),
    )
}

fn seen(there: usize, silent: &[&str]) -> SeenPresence {
    SeenPresence {
        holder: (there > 0).then_some(LockHolder::Workers { count: there }),
        silent: silent.iter().map(|name| worker(name)).collect(),
    }
}

fn view() -> TeamView {
    let created = json!({ "event": "created", "id": "01a20e2c-8fe1-74bb-922a-4ec3958d012e", "name": "lamps" });
    let lead = json!({ "event": "spawned", "member": "lead", "role": "lead", "prompt": "", "incarnation": 1,
        "by": "lead", "call": "create" });
    TeamView::of(&[
        record(0, created),
        record(1, lead),
        record(2, joined("one")),
        record(3, joined("two")),
        record(4, placed("lead", "one")),
        opened("one"),
        record(
            5,
            json!({ "event": "working", "member": "lead", "incarnation": 1 }),
        ),
        asks("lead"),
        asks("alice"),
    ])
}

#[test]
fn a_worker_that_takes_the_lead_over_ends_nobody_elses_turn() {
    let mut view = view();
    view.apply(&record(6, placed("lead", "two")));
    // What the lead did is cut off where it was.
    assert!(view.story(&member("lead")).unwrap().doing().is_none());
    view.apply(&opened("two"));
    assert!(view.story(&member("alice")).unwrap().doing().is_some());
    assert_eq!(view.worker_of(&member("lead")), Some(&worker("two")));
}

#[test]
fn workers_that_do_not_answer_are_said_once() {
    let mut view = view();
    let lost = seen(1, &["one"]);
    let said =
        "worker 'one' does not answer; it has lead, whom another worker takes over if one can";
    assert_eq!(view.presence_news(&lost), [said]);
    view.apply(&Fact::Presence(lost.clone()));
    assert_eq!(view.presence_news(&lost), [] as [String; 0]);
    assert!(view.is_live());

    let back = seen(2, &[]);
    assert_eq!(view.presence_news(&back), ["worker 'one' answers again"]);
    view.apply(&Fact::Presence(back));
    let nobody = seen(0, &["one", "two"]);
    let said = view.presence_news(&nobody);
    assert_eq!(said.last().unwrap(), "nobody runs the team now");
    view.apply(&Fact::Presence(nobody));
    assert!(!view.is_live());
    assert!(view.stories().all(|(_, story)| story.doing().is_none()));

    view.apply(&Fact::Presence(seen(1, &["two"])));
    assert!(view.is_live());
}

#[test]
fn a_member_in_a_turn_shows_that_its_worker_is_silent() {
    let mut view = view();
    let before = view.roster().remove(0);
    assert_eq!(
        (before.sign, before.worker),
        (Sign::Works, Some(worker("one")))
    );
    view.apply(&Fact::Presence(seen(1, &["one"])));
    let line = view.roster().remove(0);
    assert_eq!(line.sign, Sign::Waits);
    assert_eq!(line.text, "worker 'one' does not answer");
}
