//! Hooks of a team as a whole: its beginning and end, what the user says, spawns, mail, models and summaries.

use serde_json::json;

use super::{NOTES, own, told};
use crate::{
    play::{Scene as _, calls, play, say, send, spawn},
    world::World,
};

#[test]
fn the_beginning_and_the_end_of_a_session() {
    let world = World::playing(&play([("lead", vec![say("I know: {{mail}}").otherwise()])]));
    own(
        &world,
        [
            ("SessionStart", "", NOTES),
            ("SessionStart", "startup", "echo 'the branch is main'"),
            ("SessionEnd", "settled", NOTES),
        ],
    );
    world.run("Go").ends(0);
    world.run("Go on").ends(0);
    let sources: Vec<_> = told(&world, "SessionStart")
        .iter()
        .map(|told| told["source"].clone())
        .collect();
    assert_eq!(sources, ["startup", "resume"]);
    assert_eq!(told(&world, "SessionEnd").len(), 2);
    let heard = world.heard("lead");
    assert!(
        heard[0].starts_with("system task_notification: <notes from=\"a hook of the user: echo 'the branch is main'\">\nthe branch is main"),
        "{heard:?}"
    );
    assert!(heard[1].starts_with("user message: Go"), "{heard:?}");
    assert_eq!(heard.len(), 3, "nothing is added on resuming: {heard:?}");
    let ids: Vec<_> = told(&world, "SessionStart")
        .iter()
        .map(|told| told["session_id"].clone())
        .collect();
    assert_eq!(ids[0], ids[1], "the team stays the same");
}

#[test]
fn what_the_user_says_can_be_refused_and_added_to() {
    let world = World::playing(&play([("lead", vec![say("Done.").otherwise()])]));
    let guard = r#"if grep -q 'password'; then echo 'no secrets in prompts' >&2; exit 2; else echo 'today is Monday'; fi"#;
    own(&world, [("UserPromptSubmit", "", guard)]);
    world
        .run("The password is x")
        .ends(1)
        .complains("a hook refuses it; nothing was sent")
        .complains("no secrets in prompts");
    world.run("Go").ends(0);
    let heard = world.heard("lead");
    assert_eq!(heard.len(), 1, "{heard:?}");
    assert!(
        heard[0].starts_with("user message: Go\n\n<notes from="),
        "{heard:?}"
    );
    assert!(heard[0].contains("\ntoday is Monday\n"), "{heard:?}");
}

#[test]
fn a_spawn_and_mail_can_be_refused() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("mallory", "spy", "Begin")]),
                spawn([("alice", "builder", "Begin")]),
                send("alice", "the secret plan"),
                send("alice", "the plan"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("ready").otherwise()]),
    ]));
    own(
        &world,
        [
            ("SubagentStart", "mallory", "echo 'not mallory' >&2; exit 2"),
            ("SubagentStart", "", NOTES),
            (
                "MailSent",
                "alice",
                "if grep -q 'secret plan'; then echo 'keep it' >&2; exit 2; fi",
            ),
            ("MailSent", "", NOTES),
        ],
    );
    world.run("Go").ends(0);
    let outcomes = world.outcomes("lead");
    assert!(outcomes[0].contains("]: not mallory"), "{outcomes:?}");
    assert!(outcomes[2].contains("]: keep it"), "{outcomes:?}");
    assert_eq!(world.members(), ["alice", "lead"]);
    let heard = world.heard("alice").concat();
    assert!(
        heard.contains("the plan") && !heard.contains("secret"),
        "{heard}"
    );
    let spawned = told(&world, "SubagentStart");
    assert_eq!(spawned[1]["agent_id"], "alice@default");
    assert_eq!(spawned[1]["role"], "builder");
    assert_eq!(spawned[1]["by"], "lead");
    let mail = told(&world, "MailSent");
    assert_eq!(mail[1]["to"], json!(["alice"]));
    assert_eq!(mail[1]["member"], "lead");
}

#[test]
fn a_call_of_a_model_can_be_refused_and_is_told_with_what_it_used() {
    let world = World::playing(&play([("lead", vec![say("Done.").otherwise()])]));
    own(
        &world,
        [
            ("ModelCallBefore", "", NOTES),
            // Nothing waits for it but the end of the team.
            ("ModelCallAfter", "", &format!("sleep 0.5; {NOTES}")),
        ],
    );
    world.run("Go").ends(0);
    let before = &told(&world, "ModelCallBefore")[0];
    assert_eq!(before["purpose"], "turn");
    assert!(before["model"].as_str().unwrap().starts_with("scripted:"));
    let after = &told(&world, "ModelCallAfter")[0];
    assert_eq!(after["stop_reason"], "end_turn");
    assert_ne!(after["usage"]["output_tokens"], 0);

    own(
        &world,
        [("ModelCallBefore", "", "echo 'over budget' >&2; exit 2")],
    );
    world
        .run("Go on")
        .ends(3)
        .complains("a hook of the user refuses to call the model")
        .complains("over budget");
}

#[test]
fn a_summary_can_be_refused() {
    let world = World::playing(&play([(
        "lead",
        vec![
            calls([("compact", json!({ "focus": "the parser" }))]),
            say("Done.").otherwise(),
        ],
    )]));
    own(
        &world,
        [
            ("PreCompact", "manual", "echo 'keep all of it' >&2; exit 2"),
            ("PreCompact", "auto", "exit 1"),
            ("PreCompact", "", NOTES),
        ],
    );
    let run = world.run("Go").ends(3);
    assert!(run.err.contains("keep all of it"), "{}", run.err);
    let told = told(&world, "PreCompact");
    assert_eq!(told[0]["trigger"], "manual");
    assert_eq!(told[0]["custom_instructions"], "the parser");
}
