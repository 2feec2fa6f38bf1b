use serde_json::{Value, json};
use teammate_core::team::TeamEvent;

use super::*;

const NOW: Timestamp = Timestamp(1_000_000);

/// A team to which these things happened, each at its time.
fn team(events: Vec<(u64, Value)>) -> TeamState {
    let mut team = TeamState::default();
    let id = "00000000-0000-0000-0000-000000000007";
    let created = json!({ "event": "created", "id": id, "name": "default" });
    let lead = spawned("lead");
    for (at, event) in [(0, created), (0, lead)].into_iter().chain(events) {
        let event: TeamEvent = serde_json::from_value(event).unwrap();
        team.apply(&event, Timestamp(at));
    }
    team
}

fn spawned(name: &str) -> Value {
    json!({
        "event": "spawned", "member": name, "role": "coder", "prompt": "Work", "incarnation": 1, "by": "lead",
        "call": format!("spawn {name}"),
    })
}

fn asks(number: u64, name: &str, deadline: Option<u64>) -> Value {
    json!({
        "event": "request", "request": number, "change": "opened", "kind": "permission", "tool": "bash",
        "shows": "cargo test", "digest": "08".repeat(32), "from": { "member": name, "incarnation": 1 },
        "call": format!("call {number}"), "deadline": deadline,
    })
}

fn plan(number: u64, name: &str, approver: &str) -> Value {
    json!({
        "event": "request", "request": number, "change": "opened", "kind": "plan", "text": "1. read",
        "digest": "07".repeat(32), "approver": approver, "from": { "member": name, "incarnation": 1 },
        "call": format!("call {number}"),
    })
}

fn task(number: u32, after: &[u32], assigned: Option<&str>) -> Value {
    json!({
        "event": "task", "task": number, "change": "created", "by": "lead", "call": format!("task {number}"),
        "subject": format!("Task {number}"), "blocked_by": after, "assigned": assigned,
    })
}

fn claimed(number: u32, by: &str) -> Value {
    json!({ "event": "task", "task": number, "change": "claimed", "by": by, "incarnation": 1, "claim": 1 })
}

fn failed(number: u32, by: &str) -> Value {
    json!({ "event": "task", "task": number, "change": "failed", "by": by, "why": "no way" })
}

fn ended(name: &str, why: &str) -> Value {
    json!({ "event": "idled", "member": name, "incarnation": 1, "why": why, "what": "no key" })
}

/// Kinds and ids, in their order.
fn found(team: &TeamState) -> Vec<String> {
    let needs = Need::of(team, NOW);
    let line = |need: &Need| format!("{} {}", need.kind.as_str(), need.kind.id());
    needs.iter().map(line).collect()
}

fn at_once(events: impl IntoIterator<Item = Value>) -> Vec<(u64, Value)> {
    events.into_iter().map(|event| (1, event)).collect()
}

#[test]
fn requests_of_the_user_failures_and_limits_wait_and_nothing_else_does() {
    let all = ["alice", "bob", "carol", "dave"].map(spawned);
    let team = team(at_once(all.into_iter().chain([
        asks(1, "alice", None),
        plan(2, "bob", "user"),
        plan(3, "carol", "lead"),
        ended("carol", "failed"),
        ended("dave", "limit"),
        ended("lead", "done"),
        task(1, &[], None),
        claimed(1, "alice"),
        failed(1, "alice"),
        task(2, &[], None),
    ])));
    let mut found = found(&team);
    found.sort();
    let expected = [
        "failed_member carol",
        "failed_task #1",
        "limited_member dave",
        "permission req_000001",
        "plan req_000002",
    ];
    assert_eq!(found, expected);
    let quiet: Vec<Need> = (Need::of(&team, NOW).into_iter())
        .filter(|need| !need.notifies)
        .collect();
    assert_eq!(quiet.len(), 1);
    assert_eq!(quiet[0].kind.as_str(), "failed_task");
    assert_eq!(quiet[0].about, "Task 1: no way");
    assert!(Need::of(&TeamState::default(), NOW).is_empty());
}

#[test]
fn what_was_answered_does_not_wait() {
    let answered = json!({ "event": "request", "request": 1, "change": "approved", "by": "user" });
    let team = team(at_once([
        spawned("alice"),
        asks(1, "alice", None),
        answered,
    ]));
    assert!(found(&team).is_empty());
}

#[test]
fn a_need_holds_up_its_members_task_all_that_comes_after_it_and_who_has_that() {
    let team = team(at_once([
        spawned("alice"),
        spawned("bob"),
        task(1, &[], None),
        task(2, &[1], Some("bob")),
        task(3, &[2], None),
        task(4, &[], None),
        claimed(1, "alice"),
        asks(1, "alice", None),
    ]));
    let needs = Need::of(&team, NOW);
    let [need] = &needs[..] else {
        panic!("{needs:?}")
    };
    let numbers: Vec<u32> = need.holds.tasks.iter().map(|id| id.number()).collect();
    assert_eq!(numbers, [1, 2, 3]);
    let names: Vec<&str> = need.holds.members.iter().map(MemberName::as_str).collect();
    assert_eq!(names, ["alice", "bob"]);
    assert_eq!(need.member.as_ref().unwrap().as_str(), "alice");
    assert_eq!(need.since, Some(Timestamp(1)));
}

#[test]
fn a_near_deadline_comes_first_then_what_holds_up_most_then_the_oldest() {
    let far = Some(NOW.0 + 60_001);
    let near = Some(NOW.0 + 60_000);
    let passed = Some(NOW.0 - 1);
    let names = ["a1", "b1", "c1", "d1", "e1"];
    let mut events: Vec<(u64, Value)> = names.iter().map(|name| (1, spawned(name))).collect();
    events.extend([
        (2, asks(1, "a1", far)),
        (3, asks(2, "b1", None)),
        (4, asks(3, "c1", None)),
        (5, asks(4, "d1", near)),
        (6, asks(5, "e1", passed)),
        (7, task(1, &[], None)),
        (7, claimed(1, "c1")),
    ]);
    assert_eq!(
        found(&team(events)),
        [
            "permission req_000005",
            "permission req_000004",
            "permission req_000003",
            "permission req_000001",
            "permission req_000002",
        ]
    );
}

#[test]
fn a_member_that_no_worker_can_take_waits_until_one_joins() {
    let alice = json!({
        "event": "spawned", "member": "alice", "role": "", "prompt": "", "incarnation": 1, "by": "lead", "call": "c1",
        "labels": ["gpu"],
    });
    let joined = |worker: &str, labels: &[&str]| {
        json!({
            "event": "place", "change": "joined", "worker": worker,
            "session": "00000000-0000-0000-0000-000000000001", "labels": labels, "places": 4,
        })
    };
    let alone = team(at_once([alice.clone()]));
    assert!(found(&alone).is_empty(), "one process runs all members");
    let waits = team(at_once([joined("w1", &["cpu"]), alice.clone()]));
    assert_eq!(found(&waits), ["unplaced_member alice"]);
    let need = &Need::of(&waits, NOW)[0];
    assert_eq!(need.about, "no worker with gpu");
    assert!(need.notifies);
    let there = team(at_once([
        joined("w1", &["cpu"]),
        alice,
        joined("w2", &["gpu"]),
    ]));
    assert!(found(&there).is_empty());
}

#[test]
fn where_there_is_little_room_a_question_is_its_command() {
    let team = team(at_once([asks(1, "lead", None), plan(2, "lead", "user")]));
    let lines: Vec<_> = Need::of(&team, NOW).iter().map(Need::short_line).collect();
    assert_eq!(
        lines,
        [
            "lead: run cargo test",
            "req_000002 lead submits a plan: 1. read"
        ]
    );
    assert_eq!(need_you(0), "nothing needs you");
    assert_eq!([1, 2].map(need_you), ["1 needs you", "2 need you"]);
}
