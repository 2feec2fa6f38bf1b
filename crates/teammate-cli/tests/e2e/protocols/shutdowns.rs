//! Members that are shut down whatever they are doing.

use std::time::Instant;

use serde_json::{Value, json};
use teammate_core::transcript::Entry;

use super::*;
use crate::play::{Scene as _, bash, calls, play, say, spawn};

/// The lead asks alice to go as soon as she is at it.
fn shut_down_while(alice: Vec<Value>, ask: Value) -> Value {
    play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("The job"),
                bash("until test -e begun; do sleep 0.02; done").after("'alice'"),
                calls([("request_shutdown", ask)]).after("exit status 0"),
                say("alice is gone: {{mail}}").after_mail("alice"),
                say("It says: {{last_result}}").after("is stopped"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", alice),
    ])
}

const STUBBORN: &str =
    "trap '' TERM; touch begun; setsid sh -c 'trap \"\" TERM; sleep 987' & sleep 987";

#[test]
fn a_member_is_stopped_at_the_deadline_whatever_it_does() {
    let mark = |number: u64| format!("sleep 98{number}{}", std::process::id());
    let states: [(&str, Vec<Value>); 3] = [
        (
            "sleeps in a tool that hears nothing",
            vec![bash(&STUBBORN.replace("sleep 987", &mark(1)))],
        ),
        (
            "waits for a model that never answers",
            vec![bash("touch begun"), say("never").slowly(3_600_000)],
        ),
        (
            "calls tools for ever",
            vec![bash(&format!("touch begun; {} & true", mark(2))).again()],
        ),
    ];
    for (what, alice) in states {
        let world = World::playing(&shut_down_while(alice, json!({ "name": "alice" })));
        let begun = Instant::now();
        let run = world
            .teammate(&[
                "run",
                "--permission-mode",
                "bypass",
                "--shutdown-seconds",
                "1",
                "The job",
            ])
            .ends(0);
        println!("{what}: {:?}", begun.elapsed());
        assert!(
            run.err.contains("[alice] stopped: did not agree in time"),
            "{what}: {}",
            run.err
        );
        assert_eq!(world.status("alice"), "shutdown", "{what}");
        let heard = world.heard("lead");
        let ends = heard
            .iter()
            .filter(|mail| mail.starts_with("system teammate_terminated: "))
            .count();
        let outcomes = world.outcomes("lead");
        let told = outcomes
            .iter()
            .filter(|said| said.contains("'alice' is stopped"));
        assert_eq!(ends + told.count(), 1, "{what}: {heard:?} {outcomes:?}");
        for number in [1, 2] {
            assert!(!runs(&mark(number)), "{what}: something of it runs on");
        }
    }
}

#[test]
fn with_now_a_member_is_stopped_without_being_asked() {
    let world = World::playing(&shut_down_while(
        vec![bash("touch begun; sleep 600")],
        json!({ "name": "alice", "now": true }),
    ));
    world
        .run("The job")
        .ends(0)
        .complains("[alice] stopped: at once, without being asked");
    assert_eq!(world.status("alice"), "shutdown");
    assert!(
        world
            .heard("alice")
            .iter()
            .all(|mail| !mail.contains("shutdown_request"))
    );
}

// fast: the protocol of shutdowns
#[test]
fn a_working_member_hears_it_between_two_steps_and_may_refuse_with_a_reason() {
    let respond = |approve: bool, reason: &str| {
        let input = json!({ "request_id": "{{request_id}}", "approve": approve, "reason": reason });
        calls([("respond_shutdown", input)]).after_mail_of("shutdown_request")
    };
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("The job"),
                bash("until test -e begun; do sleep 0.02; done").after("'alice'"),
                calls([(
                    "request_shutdown",
                    json!({ "name": "alice", "reason": "enough" }),
                )])
                .after("exit status 0"),
                calls([("request_shutdown", json!({ "name": "alice" }))]).after("goes on"),
                say("alice went: {{mail}}").after_mail("alice agreed"),
                say("alice went at once: {{last_result}}").after("is stopped"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("touch begun; sleep 0.5"),
                respond(false, "the migration is half done"),
                bash("echo more; sleep 0.5").after("Refused"),
                respond(true, ""),
                say("never said").otherwise(),
            ],
        ),
    ]));
    world.run("The job").ends(0).says("alice went");
    let heard = world.heard("alice");
    let asked = "lead shutdown_request: lead asks you to shut down (req_000001). Reason: enough.";
    assert!(
        heard.iter().any(|mail| mail.starts_with(asked)),
        "{heard:?}"
    );
    let happened = happened(&world);
    assert_eq!(
        happened,
        [
            "1 opened shutdown",
            "1 rejected",
            "2 opened shutdown",
            "2 approved"
        ]
    );
    assert_eq!(world.status("alice"), "shutdown");
    // Agreeing ended the loop: its model was not asked again.
    let said = |entry: &Entry| matches!(entry, Entry::Answered(reply) if reply.text().contains("never said"));
    assert!(!world.entries("alice").iter().any(said));
}
