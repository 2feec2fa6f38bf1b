//! The user's hooks judge what the user says by every door: where another process runs the team, that process asks them, and who
//! sent it gets the refusal.

use std::{io::Write as _, process::Stdio};

use super::{audited, own};
use crate::{
    mcp_serve,
    play::{Scene as _, bash, play, say},
    world::{Running, World, until},
};

/// Refuses words with `password` in them, adds to others.
const GUARD: &str =
    "if grep -q 'password'; then echo 'no passwords' >&2; exit 2; else echo 'today is Monday'; fi";

fn world() -> World {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash("echo begun > begun; until test -e go; do sleep 0.02; done").after_mail("work"),
            say("Done.").otherwise(),
        ],
    )]));
    own(&world, [("UserPromptSubmit", "", GUARD)]);
    world
}

fn host(world: &World) -> Running {
    let up = world.start(&["up", "--permission-mode", "bypass"]);
    up.until("is open in process");
    up
}

/// Waits until the lead has heard so much of the user.
fn heard(world: &World, count: usize) -> Vec<String> {
    until(
        || world.heard("lead").len() >= count,
        || format!("{:#?}", world.heard("lead")),
    );
    world.heard("lead")
}

// fast: hooks at every door
#[test]
fn what_is_sent_to_a_running_team_is_judged_there_and_the_sender_gets_the_refusal() {
    let world = world();
    let _host = host(&world);
    world
        .teammate(&["send", "lead", "the password is x"])
        .ends(1)
        .complains("a hook refuses it; nothing was sent")
        .complains("no passwords");
    world
        .teammate(&["send", "lead", "Go"])
        .ends(0)
        .says("Sent to lead");
    let lines = heard(&world, 1);
    assert!(
        lines[0].starts_with("user message: Go\n\n<notes from="),
        "{lines:?}"
    );
    assert!(lines[0].contains("\ntoday is Monday\n"), "{lines:?}");

    // An attached prompt, and a program.
    let mut command = world.command(&[]);
    command.stdin(Stdio::piped());
    let mut prompt = world.launch(command);
    let mut keys = prompt.stdin();
    prompt.until("Attached");
    writeln!(keys, "another password").unwrap();
    prompt.until("no passwords");
    let mut client = mcp_serve::Client::of(&world, &[]);
    let why = client.refused(
        "send_mail",
        serde_json::json!({ "to": "lead", "text": "password" }),
    );
    assert!(why.contains("no passwords"), "{why}");

    writeln!(keys, "Well").unwrap();
    let lines = heard(&world, 2);
    assert!(lines[1].starts_with("user message: Well"), "{lines:?}");
    assert_eq!(lines.len(), 2, "{lines:?}");
    assert_eq!(
        world
            .teammate(&["inbox", "lead"])
            .out
            .matches("password")
            .count(),
        0
    );
    assert_eq!(audited(&world).len(), 3);
}

#[test]
fn the_verdict_comes_while_the_member_works() {
    let world = world();
    let _host = host(&world);
    world.teammate(&["send", "lead", "work"]).ends(0);
    until(
        || world.path("begun").exists(),
        || "the command does not run".to_owned(),
    );
    world
        .teammate(&["send", "lead", "the password"])
        .ends(1)
        .complains("no passwords");
    world.teammate(&["send", "lead", "and then"]).ends(0);
    std::fs::write(world.path("go"), "").unwrap();
    let lines = heard(&world, 2);
    assert!(
        lines[1].starts_with("user message: and then\n\n<notes"),
        "{lines:?}"
    );
}

#[test]
fn what_was_sent_while_nobody_ran_the_team_is_judged_before_it_is_heard() {
    let world = world();
    world.run("Go").ends(0);
    for text in ["first", "the password is x", "second"] {
        world
            .teammate(&["send", "lead", text])
            .ends(0)
            .says("Saved for lead");
    }
    let resumed = world.resume();
    assert!(
        resumed.out.contains("no passwords") || resumed.err.contains("no passwords"),
        "{}{}",
        resumed.out,
        resumed.err
    );
    let lines = world.heard("lead");
    let begins: Vec<&str> = lines
        .iter()
        .map(|line| line.lines().next().unwrap())
        .collect();
    assert_eq!(
        begins,
        [
            "user message: Go",
            "user message: first",
            "user message: second"
        ]
    );
    assert!(!world.teammate(&["inbox", "lead"]).out.contains("password"));
}

#[test]
fn where_no_hook_is_nothing_is_asked_and_nothing_recorded() {
    let world = World::playing(&play([("lead", vec![say("Done.").otherwise()])]));
    let _host = host(&world);
    world.teammate(&["send", "lead", "Go"]).ends(0);
    heard(&world, 1);
    let journal = world.file(".team/journal.jsonl");
    assert!(!journal.contains("judge"), "{journal}");
}
