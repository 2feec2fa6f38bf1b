//! Agreements hold whenever the program is killed.

use rustix::process::Signal;
use serde_json::{Value, json};

use super::*;
use crate::{
    crash::{Chance, kill_until_done, seeds},
    play::{Scene as _, calls, play, say, spawn},
    world::until,
};

/// Both scenes, with members that try again after they were cut.
fn tried_again() -> Value {
    let reviews = |approve: bool, text: &str| {
        let input =
            json!({ "request_id": "{{request_id}}", "approve": approve, "feedback": "smaller" });
        let mut scene = calls([("review_plan", input)]).after_mail_of("plan_approval_request");
        scene["when"]["mail_contains"] = text.into();
        scene.again()
    };
    let bob = json!({ "name": "bob", "role": "coder", "prompt": "Refactor", "require_plan": true });
    let write = |text: &str| {
        let input = json!({ "path": "made", "content": text });
        calls([("write_file", input)])
    };
    play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Create")]).after("The job"),
                calls([("request_shutdown", json!({ "name": "alice" }))])
                    .after_mail("alice is ready"),
                calls([("spawn_teammate", bob)]).after("'alice' is stopped"),
                reviews(false, "large"),
                reviews(true, "small"),
                calls([("request_shutdown", json!({ "name": "bob" }))]).after_mail("bob is ready"),
                say("Both are gone.").after("'bob' is stopped"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("alice is ready").otherwise()]),
        (
            "bob",
            vec![
                calls([
                    ("write_file", json!({ "path": "early", "content": "no" })),
                    ("submit_plan", json!({ "plan": "large" })),
                ])
                .after("Refactor"),
                calls([("submit_plan", json!({ "plan": "small" }))])
                    .after("[Plan rejected]")
                    .again(),
                write("made\n").after("[Plan approved]").again(),
                write("made\n")
                    .after("may have done all, part or none")
                    .again(),
                say("bob is ready").after("made (").again(),
                say("I wait.").otherwise(),
            ],
        ),
    ])
}

#[test]
fn whenever_the_program_is_killed_agreements_hold() {
    let mut kills = 0;
    for seed in seeds(5) {
        println!("TEAMMATE_SEED={seed}");
        let world = World::playing(&tried_again());
        kills += kill_until_done(&world, &mut Chance(seed), 3_000);
        assert!(
            !world.path("early").exists(),
            "written before the plan was approved"
        );
        assert_eq!(world.file("made"), "made\n");
        let happened = happened(&world);
        let count = |what: &str| {
            happened
                .iter()
                .filter(|event| event.ends_with(what))
                .count()
        };
        assert_eq!(
            (count("opened plan"), count("rejected")),
            (2, 1),
            "{happened:?}"
        );
        assert_eq!(count("opened shutdown"), 2, "{happened:?}");
        for name in ["alice", "bob"] {
            assert_eq!(world.status(name), "shutdown");
        }
        // A repeated request may wait for a stopped member; it is for that incarnation only.
        world.assert_valid();
    }
    assert!(kills > 0, "nothing was killed: this tests nothing");
}

// fast: the plan gate
#[test]
fn neither_an_interrupt_nor_a_kill_opens_the_gate() {
    let bob = json!({ "name": "bob", "role": "coder", "prompt": "Plan", "require_plan": true });
    let write = calls([("write_file", json!({ "path": "early", "content": "no" }))])
        .after("try now")
        .again();
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([("spawn_teammate", bob)]).after("The job"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                calls([("submit_plan", json!({ "plan": "step" }))]).after("Plan"),
                write,
                say("waiting").otherwise().slowly(20),
            ],
        ),
    ]));
    let host = world.start(&["run", "--permission-mode", "bypass", "The job"]);
    until(
        || world.path(".team/journal.jsonl").exists() && happened(&world) == ["1 opened plan"],
        || format!("no plan comes: {:?}", happened(&world)),
    );
    host.signal(Signal::INT);
    let _ = host.end();
    world.teammate(&["send", "bob", "try now"]).ends(0);
    let host = world.start(&["resume", "--permission-mode", "bypass"]);
    until(
        || {
            world
                .outcomes("bob")
                .iter()
                .any(|said| said.contains("has no answer yet"))
        },
        || format!("{:?}", world.outcomes("bob")),
    );
    host.signal(Signal::KILL);
    let _ = host.end();
    world.teammate(&["send", "bob", "try now"]).ends(0);
    world.resume().ends(0);
    let refused = world
        .outcomes("bob")
        .iter()
        .filter(|said| said.contains("has no answer yet"))
        .count();
    assert_eq!(refused, 2, "{:?}", world.outcomes("bob"));
    assert!(!world.path("early").exists());
    assert_eq!(happened(&world), ["1 opened plan"]);
}
