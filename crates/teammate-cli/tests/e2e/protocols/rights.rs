//! Who may ask for what, and who may answer it.

use serde_json::json;

use super::*;
use crate::play::{Scene as _, bash, calls, play, say, spawn};

// fast: who may approve
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
fn the_lead_answers_within_the_ceiling_and_nothing_beyond_it() {
    let answer = |allow: bool, because: &str| {
        let input = json!({ "request_id": "{{request_id}}", "allow": allow, "because": because });
        calls([("answer_permission", input)]).after_mail_of("permission_request")
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
