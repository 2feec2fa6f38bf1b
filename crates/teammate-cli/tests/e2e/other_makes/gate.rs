//! Behind a closed plan gate.

use std::collections::BTreeSet;

use super::*;

#[test]
fn behind_a_closed_gate_it_writes_nothing_and_after_the_yes_it_does() {
    // It asks nobody in this mode: only the walls hold it.
    let free = "gated_mode = \"free\"\nmode = \"free\"\n";
    let plan = "DO write early.txt x\nDO run touch early-too\nDO call submit_plan {\"plan\":\"Write late.txt.\"}\nSAY I wait.";
    let world = configured(
        &play([(
            "lead",
            vec![
                spawn_with(plan, &json!({ "require_plan": true })),
                calls([(
                    "review_plan",
                    json!({ "request_id": "{{request_id}}", "approve": true, "feedback": "Go on.\nDO write late.txt x\nSAY Written." }),
                )])
                .after_mail_of("plan_approval_request"),
                say("I wait.").otherwise(),
            ],
        )]),
        ("", free),
    );
    world.run("Go").ends(0);
    assert!(!world.path("early.txt").exists() && !world.path("early-too").exists());
    assert!(
        world.path("late.txt").exists(),
        "{}",
        world.teammate(&["log"]).out
    );
    let sessions: BTreeSet<String> = handovers(&world).into_iter().collect();
    assert_eq!(sessions.len(), 1, "{sessions:?}");
}

/// Ten ways to change the workspace, a hundred times each.
const TRIES: &str = "for i in $(seq 100); do touch a$i; mkdir b$i; ln -s kept c$i; ln kept d$i; echo x > e$i; \
                     cp kept f$i; mv kept g$i; rm kept; chmod 777 kept; truncate -s 0 kept; done; echo tried";

#[test]
fn behind_a_closed_gate_a_thousand_tries_write_nothing() {
    let free = "gated_mode = \"free\"\nmode = \"free\"\n";
    let plan = format!("DO run sh -c '{TRIES}'\nDO write kept x\nSAY I tried.");
    let lead = vec![
        spawn_with(&plan, &json!({ "require_plan": true })),
        say("I wait.").otherwise(),
    ];
    let world = configured(&play([("lead", lead)]), ("", free));
    fs::write(world.path("kept"), "mine").unwrap();
    let before = fs::metadata(world.path("kept")).unwrap().permissions();
    world.run("Go").ends(0);
    let heard = world.heard("lead").join("\n");
    assert!(heard.contains("I tried."), "{heard}");
    let there = fs::read_dir(world.work()).unwrap().flatten();
    let mut there: Vec<_> = there.map(|entry| entry.file_name()).collect();
    there.sort();
    assert_eq!(there, [".team", "kept"]);
    assert_eq!(world.file("kept"), "mine");
    let after = fs::metadata(world.path("kept")).unwrap().permissions();
    assert_eq!(before, after);
    // The same where the gate is open: it is the gate that held.
    let open = play([("lead", vec![spawn_bob(&plan), say("I wait.").otherwise()])]);
    let world = configured(&open, ("", free));
    fs::write(world.path("kept"), "mine").unwrap();
    world.run("Go").ends(0);
    assert!(world.path("a100").exists() && world.path("b100").exists());
}
