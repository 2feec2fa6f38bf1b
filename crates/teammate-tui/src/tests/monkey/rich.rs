//! A team that has one of everything: entries, needs, tasks and messages of each kind, with long outputs, changes of files of many
//! lengths, failures and odd characters.

use serde_json::{Value, json};
use teammate_core::event::FileChange;

use super::super::*;

/// Every kind of event, of a run before.
const EVENTS: &str = include_str!("../../../../teammate-store/tests/golden/events-1.jsonl");

/// Odd ones besides.
const ODD: [&str; 4] = [
    r#"{"at":1795500090000,"member":"alice","event":"text","delta":"**bold** `code` 中文 👨‍👩‍👧\n\n| a | b |\n|-|-|\n| 1 | 2 |\n\n```\nx"}"#,
    r#"{"at":1795500090001,"member":"alice","event":"notice","text":"line 3 is no entry","about":"damage"}"#,
    r#"{"at":1795500090002,"member":"alice","event":"tool_started","call":"m1","tool":"bash","summary":"cargo test 中文","effect":"write"}"#,
    r#"{"at":1795500090003,"member":"alice","event":"retrying","attempt":3,"wait_ms":18446744073709551615,"what":"overloaded"}"#,
];

/// The process that has run the team.
const HOST: u32 = 7;

/// What happened last, before that process was killed: a call that has changed a file, and one that it cuts off.
const LAST: [&str; 4] = [
    r#"{"at":1795500100000,"member":"lead","event":"team_opened","team":"t","members":["lead","alice","bob"],"resumed":false,"pid":7}"#,
    r#"{"at":1795500100001,"member":"bob","event":"tool_started","call":"m2","tool":"edit_file","summary":"x","effect":"write"}"#,
    r#"{"at":1795500100002,"member":"bob","event":"tool_finished","call":"m2","tool":"edit_file","ok":true,"summary":"Edited x","took_ms":1,"change":{"path":"x","added":1,"removed":1,"diff":"--- x\n+++ x\n@@ -1 +1 @@\n-a\n+b\n"}}"#,
    r#"{"at":1795500100003,"member":"bob","event":"tool_started","call":"m3","tool":"bash","summary":"sleep 9","effect":"write"}"#,
];

/// The facts, in their order.
pub(super) fn rich() -> Vec<Fact> {
    let event = |line: &str| serde_json::from_str::<Event>(line).ok();
    let mut before: Vec<Event> = EVENTS.lines().filter_map(event).collect();
    before.sort_by_key(|event| event.at);
    let fact = |event: Event| Fact::Event(Arc::new(event));
    let mut facts: Vec<Fact> = before.into_iter().map(fact).collect();
    facts.extend(super::super::facts());
    facts.extend(needs_and_tasks());
    facts.extend(ODD.iter().filter_map(|line| event(line)).map(fact));
    facts.extend(changes(&facts));
    facts.extend(LAST.iter().filter_map(|line| event(line)).map(fact));
    facts.push(Fact::HostEnded { pid: HOST });
    facts
}

/// A screen that has heard these.
pub(super) fn rich_app(facts: &[Fact]) -> App {
    let mut app = app();
    app.begin(TeamView::default());
    facts.iter().for_each(|fact| app.take(fact));
    app
}

/// A need of each kind and a task in each list, in records that follow those of the run.
fn needs_and_tasks() -> Vec<Fact> {
    let spawned = |name: &str, labels: &[&str]| {
        json!({
            "event": "spawned", "member": name, "role": "coder", "prompt": "Work", "incarnation": 1, "by": "lead",
            "call": format!("spawn {name}"), "labels": labels,
        })
    };
    let ended = |name: &str, why: &str| json!({ "event": "idled", "member": name, "incarnation": 1, "why": why, "what": "no key" });
    let task = |number: u32, after: &[u32]| {
        json!({
            "event": "task", "task": number, "change": "created", "by": "lead", "call": format!("task {number}"),
            "subject": format!("Task {number} 中文"), "blocked_by": after, "check": "cargo test",
        })
    };
    let changed = |number: u32, change: &str, more: Value| {
        let mut event = json!({ "event": "task", "task": number, "change": change, "by": "carol" });
        event
            .as_object_mut()
            .unwrap()
            .extend(more.as_object().unwrap().clone());
        event
    };
    let plan = json!({
        "event": "request", "request": 9, "change": "opened", "kind": "plan", "text": "# Plan\n\n1. read",
        "digest": "07".repeat(32), "approver": "user", "from": { "member": "carol", "incarnation": 1 },
        "call": "plan",
    });
    let question = json!({
        "event": "request", "request": 10, "change": "opened", "kind": "permission", "tool": "bash",
        "shows": "cargo test\n中文 && rm -r x", "digest": "08".repeat(32),
        "from": { "member": "carol", "incarnation": 1 }, "call": "question",
    });
    let worker = json!({
        "event": "place", "change": "joined", "worker": "w1",
        "session": "00000000-0000-0000-0000-000000000001", "labels": ["cpu"], "places": 4,
    });
    let events = [
        spawned("carol", &[]),
        spawned("dave", &[]),
        spawned("erin", &[]),
        worker,
        spawned("fred", &["gpu"]),
        plan,
        question,
        ended("dave", "failed"),
        ended("erin", "limit"),
        task(11, &[]),
        task(12, &[11]),
        task(13, &[]),
        task(14, &[]),
        task(15, &[]),
        changed(13, "claimed", json!({ "incarnation": 1, "claim": 1 })),
        changed(13, "completed", json!({ "result": "It is **done**" })),
        changed(14, "failed", json!({ "why": "no way" })),
        changed(15, "claimed", json!({ "incarnation": 1, "claim": 1 })),
    ];
    let records = events.into_iter().zip(21..);
    let records = records.map(|(event, n)| {
        let event: TeamEvent = serde_json::from_value(event).unwrap();
        let record = Record::of(n, Timestamp(1_795_500_080_000 + n), vec![event]);
        Fact::Record(Arc::new(record))
    });
    records.collect()
}

/// Each call that has ended once more as a change of a file of its own length.
fn changes(facts: &[Fact]) -> Vec<Fact> {
    let ended = facts.iter().filter_map(|fact| match fact {
        Fact::Event(event) if matches!(event.what, EventKind::ToolFinished { .. }) => {
            Some((**event).clone())
        }
        _ => None,
    });
    let mut changes = Vec::new();
    let lengths = [0_usize, 1, 5, 12, 13, 14, 200].into_iter().cycle();
    for (length, mut event) in lengths.zip(ended) {
        for member in ["lead", "alice", "bob"] {
            event.member = teammate_core::MemberName::parse(member).unwrap();
            let EventKind::ToolFinished { change, .. } = &mut event.what else {
                continue;
            };
            let mut diff = "--- a/x\n+++ b/x\n@@ -4294967290,9 +1,9 @@\n".to_owned();
            diff.extend((0..length).map(|n| format!("+\t中文 {n} 👨\u{200d}👩\u{200d}👧\n")));
            *change = Some(Box::new(FileChange {
                path: "x".into(),
                added: 1,
                removed: 0,
                diff,
                is_cut: false,
            }));
            changes.push(Fact::Event(Arc::new(event.clone())));
        }
    }
    assert!(!changes.is_empty(), "no change of a file is in it");
    changes
}
