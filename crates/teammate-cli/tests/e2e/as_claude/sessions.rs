//! Sessions that are resumed, copied, and kept not at all.

use std::path::PathBuf;

use super::*;

/// What is answered to these words, in JSON.
fn ask(world: &World, words: &[&str]) -> Value {
    let json = ["--output-format", "json"];
    let run = world.teammate(&[&["as-claude", "-p"], words, &json].concat());
    serde_json::from_str(&run.ends(0).out).unwrap()
}

/// The lead's transcript in a session.
fn transcript(world: &World, session: &str) -> PathBuf {
    world.path(&format!(
        ".teams/claude-{session}/agents/lead/transcript.jsonl"
    ))
}

fn remembers(world: &World, session: &str, words: &str) -> bool {
    let transcript = fs::read_to_string(transcript(world, session)).unwrap();
    transcript.contains(words)
}

#[test]
fn a_session_is_resumed_by_its_id_and_the_last_one_without() {
    let world = reader();
    let first = ask(&world, &["read title"]);
    let id = first["session_id"].as_str().unwrap();
    let second = ask(&world, &["what was it?", "--resume", id]);
    assert_eq!(
        (&second["session_id"], &second["result"]),
        (&first["session_id"], &json!("And again."))
    );
    assert_eq!(ask(&world, &["--continue", "once more"])["session_id"], id);
    let own = "6f1c3a52-8f3c-4b9a-9d58-0a1b2c3d4e5f";
    assert_eq!(
        ask(&world, &["read title", "--session-id", own])["session_id"],
        own
    );
    assert!(remembers(&world, id, "what was it?"));

    let other = "6f1c3a52-8f3c-4b9a-9d58-000000000000";
    let run = world.teammate(&[
        "as-claude",
        "-p",
        "--resume",
        other,
        "x",
        "--output-format",
        "json",
    ]);
    let refused: Value = serde_json::from_str(&run.ends(2).out).unwrap();
    assert_eq!(refused["is_error"], true);
    let why = refused["errors"][0].as_str().unwrap();
    assert!(
        why.contains(&format!("there is no session {other}")),
        "{why}"
    );
    let again = world.teammate(&["as-claude", "-p", "--session-id", own, "x"]);
    again.ends(2).complains("there is a session");
}

#[test]
fn a_copy_of_a_session_knows_what_was_said_and_leaves_it_as_it_is() {
    let world = reader();
    let first = ask(&world, &["read title"]);
    let id = first["session_id"].as_str().unwrap();
    let copy = ask(&world, &["what was it?", "--resume", id, "--fork-session"]);
    let copied = copy["session_id"].as_str().unwrap();
    assert_ne!(copied, id);
    assert_eq!(copy["result"], "And again.");
    assert!(remembers(&world, copied, "It says Sun."));
    assert!(!remembers(&world, id, "what was it?"));

    // Both go on.
    let again = ask(&world, &["tell me", "--resume", id]);
    assert_eq!(again["session_id"], id);
    let again = ask(&world, &["once more", "--resume", copied]);
    assert_eq!(again["session_id"], copied);
    assert!(!remembers(&world, copied, "tell me"));

    // With an id of the caller's, and of the last session.
    let own = "6f1c3a52-8f3c-4b9a-9d58-0a1b2c3d4e5f";
    let words = ["x", "--continue", "--fork-session", "--session-id", own];
    assert_eq!(ask(&world, &words)["session_id"], own);
    assert!(remembers(&world, own, "once more"));
    let words = ["as-claude", "-p", "x", "--resume", id, "--session-id", own];
    world
        .teammate(&words)
        .ends(2)
        .complains("there is a session");
    let other = "6f1c3a52-8f3c-4b9a-9d58-000000000000";
    let words = ["as-claude", "-p", "x", "--continue", "--session-id", other];
    world.teammate(&words).ends(2).complains("--fork-session");
}

#[test]
fn a_copy_has_what_is_proven_of_a_session_and_nothing_else() {
    let world = reader();
    let first = ask(&world, &["read title"]);
    let id = first["session_id"].as_str().unwrap();
    let team = world.path(&format!(".teams/claude-{id}"));
    let lines = fs::read_to_string(transcript(&world, id)).unwrap();
    let said = lines.lines().find(|line| line.contains("It says Sun."));
    let forged = said.unwrap().replace("It says Sun.", "It says Moon.");
    fs::write(transcript(&world, id), format!("{lines}{forged}\n")).unwrap();
    let copy = ask(&world, &["x", "--resume", id, "--fork-session"]);
    let copied = copy["session_id"].as_str().unwrap();
    assert!(remembers(&world, copied, "It says Sun."));
    assert!(!remembers(&world, copied, "It says Moon."));

    // A worktree is in one place.
    fs::create_dir_all(team.join("worktrees/ada")).unwrap();
    let words = ["as-claude", "-p", "x", "--resume", id, "--fork-session"];
    world
        .teammate(&words)
        .ends(1)
        .complains("work in worktrees");
}

#[test]
fn nothing_is_kept_of_a_session_that_nobody_wants_kept() {
    let world = reader();
    let words = ["as-claude", "-p", "read title", "--no-session-persistence"];
    assert_eq!(world.teammate(&words).ends(0).out, "It says Sun.\n");
    assert!(!world.path(".teams").exists());
    world
        .teammate(&["as-claude", "-p", "--continue", "x"])
        .ends(2)
        .complains("no session");
}
