//! Agreements, told end to end: members that are shut down whatever they are doing, plans that are approved before anything is
//! written; over both wires, and whenever the program is killed.

use std::time::Instant;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    crash::{Chance, kill_until_done, seeds},
    play::{Scene as _, bash, calls, play, say, spawn},
    wires::{Vendor, WIRES, world_at},
    world::{World, until},
};

/// The demo's play, without its pauses.
fn the_demo() -> Value {
    let mut play: Value = serde_json::from_str(include_str!("../../plays/protocols.json")).unwrap();
    for scenes in play["members"].as_object_mut().unwrap().values_mut() {
        for scene in scenes.as_array_mut().unwrap() {
            scene.as_object_mut().unwrap().remove("pause_ms");
        }
    }
    play
}

const PROMPT: &str =
    "Have alice create a config file and shut her down. Then have bob refactor auth.sh.";

/// What happened to requests, in the order of the journal: `req_1 opened plan`.
pub(crate) fn happened(world: &World) -> Vec<String> {
    let records = world.json_lines(".team/journal.jsonl");
    let events = records
        .iter()
        .flat_map(|record| record["events"].as_array().unwrap());
    events
        .filter(|event| {
            event["event"] == "request"
                && !["told", "heard"].contains(&event["change"].as_str().unwrap())
        })
        .map(|event| {
            let (id, change) = (&event["request"], event["change"].as_str().unwrap());
            let kind = event["kind"].as_str().map(|kind| format!(" {kind}"));
            format!("{id} {change}{}", kind.unwrap_or_default())
        })
        .collect()
}

/// What both scenes of the document come to.
fn both_scenes(world: &World) {
    assert_eq!(world.file("config.ini"), "port = 8080\n");
    assert!(world.file("auth.sh").contains("is_known()"));
    assert_eq!(
        happened(world),
        [
            "1 opened shutdown",
            "1 approved",
            "2 opened plan",
            "2 rejected",
            "3 opened plan",
            "3 approved",
            "4 opened shutdown",
            "4 approved"
        ]
    );
    for name in ["alice", "bob"] {
        assert_eq!(world.status(name), "shutdown");
    }
    // The id goes out with the plan and comes back with the answer.
    let heard = world.heard("bob");
    let answers: Vec<&String> = heard
        .iter()
        .filter(|mail| mail.starts_with("lead plan_approval_response: "))
        .collect();
    let [rejected, approved] = &answers[..] else {
        panic!("{heard:?}")
    };
    assert!(
        rejected.contains("[Plan rejected] (req_000002) Feedback: Do not rewrite"),
        "{rejected}"
    );
    assert!(
        approved.contains("[Plan approved] (req_000003)"),
        "{approved}"
    );
    let refused = &world.outcomes("bob")[1];
    assert!(refused.contains("your plan must be approved"), "{refused}");
    world.assert_at_rest();
}

#[test]
fn the_demo_of_agreements_does_what_it_says() {
    let world = World::with_model("none:none");
    let dir = world.path("demo").display().to_string();
    let run = world
        .teammate(&["demo", "protocols", "--speed", "10", "--dir", &dir])
        .ends(0)
        .complains("[alice] stopped: agreed to shut down")
        .complains("plan rejected by lead: Do not rewrite it")
        .complains("plan approved by lead: Good. Go on.")
        .says("Both agreed to go, and nothing of theirs runs any more.");
    assert!(!run.out.contains("no scene for this"), "{}", run.out);
    assert!(world.file("demo/auth.sh").contains("is_known()"));
}

#[test]
fn both_scenes_run_over_both_wires() {
    for wire in WIRES {
        let vendor = Vendor::playing("127.0.0.1:0", &the_demo());
        let world = world_at(wire, &vendor.server.url());
        std::fs::write(
            world.path("auth.sh"),
            include_str!("../../plays/protocols/auth.sh"),
        )
        .unwrap();
        world
            .run(PROMPT)
            .ends(0)
            .says("nothing of theirs runs any more");
        both_scenes(&world);
        vendor.assert_content();
    }
}

/// The same with members that try again after they were cut.
fn tried_again() -> Value {
    let again = |mut scene: Value| {
        scene["repeat"] = true.into();
        scene
    };
    let request = |tool: &str, approve: bool| {
        let input =
            json!({ "request_id": "{{request_id}}", "approve": approve, "feedback": "smaller" });
        calls([(tool, input)])
    };
    let when = |mut scene: Value, kind: &str, text: &str| {
        scene["when"] = json!({ "mail_type": kind, "mail_contains": text });
        scene["repeat"] = true.into();
        scene
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
                when(
                    request("review_plan", false),
                    "plan_approval_request",
                    "large",
                ),
                when(
                    request("review_plan", true),
                    "plan_approval_request",
                    "small",
                ),
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
                again(
                    calls([("submit_plan", json!({ "plan": "small" }))]).after("[Plan rejected]"),
                ),
                again(write("made\n").after("[Plan approved]")),
                again(write("made\n").after("may have done all, part or none")),
                again(say("bob is ready").after("made (")),
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

/// Whether anything runs that has this in its command line.
pub(crate) fn runs(what: &str) -> bool {
    let processes = std::fs::read_dir("/proc").unwrap().filter_map(Result::ok);
    processes
        .filter_map(|process| std::fs::read(process.path().join("cmdline")).ok())
        .any(|line| {
            let line = String::from_utf8_lossy(&line).replace('\0', " ");
            line.contains(what)
        })
}

#[test]
fn whatever_a_member_does_it_is_gone_after_the_deadline() {
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
            vec![{
                let mut scene = bash(&format!("touch begun; {} & true", mark(2)));
                scene["repeat"] = true.into();
                scene
            }],
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

#[test]
fn a_working_member_hears_it_between_two_steps_and_may_refuse_with_a_reason() {
    let respond = |approve: bool, reason: &str| {
        let input = json!({ "request_id": "{{request_id}}", "approve": approve, "reason": reason });
        calls([("respond_shutdown", input)])
    };
    let on_request = |mut scene: Value| {
        scene["when"] = json!({ "mail_type": "shutdown_request" });
        scene
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
                on_request(respond(false, "the migration is half done")),
                bash("echo more; sleep 0.5").after("Refused"),
                on_request(respond(true, "")),
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
    let said = world.entries("alice").iter().filter(|entry| matches!(entry, teammate_core::transcript::Entry::Answered(reply) if reply.text().contains("never said"))).count();
    assert_eq!(said, 0);
}

#[test]
fn a_teammate_shuts_nobody_down_and_approves_nothing() {
    let try_all = calls([
        ("request_shutdown", json!({ "name": "lead" })),
        ("request_shutdown", json!({ "name": "bob" })),
        (
            "review_plan",
            json!({ "request_id": "req_000001", "approve": true }),
        ),
        (
            "respond_shutdown",
            json!({ "request_id": "req_000001", "approve": true }),
        ),
        (
            "respond_shutdown",
            json!({ "request_id": "req_000099", "approve": true }),
        ),
        (
            "answer_permission",
            json!({ "request_id": "1", "allow": true }),
        ),
    ]);
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([
                    ("spawn_teammate", json!({ "name": "bob", "role": "coder", "prompt": "Plan", "require_plan": true })),
                    ("wait_for_team", json!({})),
                    ("spawn_teammate", json!({ "name": "alice", "role": "coder", "prompt": "Try" })),
                ])
                .after("The job"),
                say("I wait.").otherwise(),
            ],
        ),
        ("bob", vec![calls([("submit_plan", json!({ "plan": "step" }))]), say("waiting").otherwise()]),
        ("alice", vec![try_all, say("tried").otherwise()]),
    ]));
    world.run("The job").ends(0);
    let outcomes = world.outcomes("alice");
    assert!(
        outcomes[..3]
            .iter()
            .all(|said| said.contains("Only the lead may call")),
        "{outcomes:?}"
    );
    assert!(
        outcomes[3].contains(
            "req_000001 is a request for plan, not for shutdown; open: req_000001 (plan)"
        ),
        "{outcomes:?}"
    );
    assert!(
        outcomes[4].contains("there is no request req_000099"),
        "{outcomes:?}"
    );
    assert!(outcomes[5].contains("Unknown tool"), "{outcomes:?}");
    assert_eq!(happened(&world), ["1 opened plan"]);
}

#[test]
fn neither_an_interrupt_nor_a_kill_opens_the_gate() {
    let bob = json!({ "name": "bob", "role": "coder", "prompt": "Plan", "require_plan": true });
    let mut write =
        calls([("write_file", json!({ "path": "early", "content": "no" }))]).after("try now");
    write["repeat"] = true.into();
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

#[test]
fn the_lead_answers_within_the_ceiling_and_nothing_beyond_it() {
    let answer = |allow: bool, because: &str| {
        let input = json!({ "request_id": "{{request_id}}", "allow": allow, "because": because });
        let mut scene = calls([("answer_permission", input)]);
        scene["when"] = json!({ "mail_type": "permission_request" });
        scene
    };
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("The job"),
                answer(true, ""),
                answer(false, "once is enough"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("touch made-1"),
                bash("touch made-2"),
                bash("rm -rf made-1"),
                say("tried").otherwise(),
            ],
        ),
    ]));
    // Nobody is at a prompt: what the lead may not allow is refused at once.
    world
        .teammate(&["run", "--lead-may-allow", "bash(touch:*)", "The job"])
        .ends(4);
    let outcomes = world.outcomes("alice");
    assert!(world.path("made-1").exists() && !world.path("made-2").exists());
    assert!(
        outcomes[1].contains("lead denied it (once is enough)"),
        "{outcomes:?}"
    );
    assert!(
        outcomes[2].contains("nobody can be asked here"),
        "{outcomes:?}"
    );
    assert_eq!(
        happened(&world),
        [
            "1 opened permission",
            "1 approved",
            "1 used",
            "2 opened permission",
            "2 rejected"
        ]
    );
}
