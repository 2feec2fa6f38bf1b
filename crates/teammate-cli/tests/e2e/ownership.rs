//! Whose a team is: a directory that the user's state directory does not know is nobody's until it is adopted, and what was
//! taken out of one that it knows, or put back into it, is missed.

use std::{fs, path::Path};

use serde_json::json;

use crate::{
    play::{Scene as _, bash, calls, play, say},
    world::{World, until},
};

/// A lead with alice, who has heard her assignment.
fn two() -> World {
    let alice = json!({ "name": "alice", "role": "coder", "prompt": "Begin" });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([("spawn_teammate", alice)]).after("The job"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("I am here.").otherwise()]),
    ]));
    world.run("The job").ends(0);
    world
}

/// Everything below a directory with its content.
fn tree(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let mut all = Vec::new();
    let mut open = vec![dir.to_owned()];
    while let Some(dir) = open.pop() {
        for entry in fs::read_dir(&dir).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                open.push(path);
            } else {
                all.push((path.display().to_string(), fs::read(&path).unwrap()));
            }
        }
    }
    all.sort();
    all
}

// fast: teams of other users
#[test]
fn another_users_team_is_not_opened_by_any_verb_and_stays_as_it_is() {
    let world = as_other_user(&two());
    let before = tree(&world.path(".team"));
    for words in [
        &["run", "The job"][..],
        &["run", "--answers", "wait", "The job"],
        &["resume"],
        &["team"],
        &["tasks"],
        &["tasks", "add", "evil"],
        &["inbox"],
        &["send", "lead", "hello"],
        &["requests"],
        &["approve", "req_000001"],
        &["deny", "req_000001"],
        &["stop"],
        &["cost"],
        &["worktrees"],
        &["trust", "--team"],
    ] {
        world.teammate(words).ends(1).complains(match words {
            ["trust", ..] => "cannot ask here",
            _ => "teammate trust --team",
        });
    }
    world.teammate(&["log"]).ends(0).says("I am here.");
    world.teammate(&["doctor"]).says("is not opened");
    assert_eq!(tree(&world.path(".team")), before);
}

#[test]
fn an_adopted_team_goes_on_and_is_its_first_users_no_more() {
    let first = two();
    let world = as_other_user(&first);
    world
        .teammate(&["trust", "--team", "--yes"])
        .ends(0)
        .says("alice (coder)")
        .says("The team is yours now");
    world
        .teammate(&["trust", "--team"])
        .ends(0)
        .says("already yours");
    world.teammate(&["team"]).ends(0).says("alice");
    assert!(world.path(".team/journal.jsonl.found").exists());
    assert!(
        world
            .heard("alice")
            .iter()
            .any(|mail| mail.contains("Begin"))
    );
    world.run("Say something").ends(0).says("I wait.");
    world.assert_at_rest();
    first
        .teammate(&["team"])
        .ends(1)
        .complains("bears the seal of the team that your state directory knows here");
}

/// The same workspace for a user with another state directory.
fn as_other_user(world: &World) -> World {
    let state = world.path("../other-state").display().to_string();
    world.again().env("XDG_STATE_HOME", &state)
}

#[test]
fn yes_to_a_project_is_no_yes_to_its_team() {
    let world = as_other_user(&two());
    world.teammate(&["trust", "--yes"]).ends(0);
    world.teammate(&["team"]).ends(1);
}

#[test]
fn a_team_put_back_to_an_earlier_state_is_missed_and_its_permissions_lapse() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash("touch first").after("One"),
            bash("touch second").after("Two"),
            say("Done.").otherwise(),
        ],
    )]));
    let held = world.start(&["run", "--answers", "wait", "One"]);
    until(
        || world.teammate(&["requests"]).out.contains("req_000001"),
        || held.err(),
    );
    world.teammate(&["approve", "req_000001"]).ends(0);
    let run = held.end().ends(0);
    assert!(world.path("first").exists(), "{}", run.err);
    // The record that the permission was used is taken out.
    let journal = world.file(".team/journal.jsonl");
    let (before, _) = journal.split_once("\"change\":\"used\"").unwrap();
    let whole = before.rfind('\n').unwrap() + 1;
    fs::write(world.path(".team/journal.jsonl"), &journal[..whole]).unwrap();
    fs::remove_file(world.path("first")).unwrap();
    world.teammate(&["resume"]).complains("missing at the end");
    assert!(!world.path("first").exists());
    // Said once: what was lost is known from now on.
    let again = world.teammate(&["resume"]);
    assert!(!again.err.contains("missing at the end"), "{}", again.err);
}

#[test]
fn a_call_does_not_run_again_when_its_outcome_was_taken_out() {
    let world = World::playing(&play([(
        "lead",
        vec![
            calls([("list_teammates", json!({}))]).after("One"),
            say("Done.").otherwise(),
        ],
    )]));
    world.run("One").ends(0);
    let path = ".team/agents/lead/transcript.jsonl";
    let text = world.file(path);
    let answered = text
        .lines()
        .position(|line| line.contains("list_teammates") && line.contains("tool_use"))
        .unwrap();
    let cut: String = text
        .lines()
        .take(answered + 1)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(world.path(path), cut).unwrap();
    world.resume().ends(0);
    let outcomes = world.outcomes("lead");
    assert!(outcomes[0].starts_with("Not run again"), "{outcomes:?}");
    world.assert_at_rest();
}

#[test]
fn where_nothing_can_be_written_down_a_team_begins_and_must_be_adopted_next_time() {
    let world = two();
    fs::remove_dir_all(world.path(".team")).unwrap();
    let teams = world.path("../home/.local/state/teammate/teams");
    fs::remove_dir_all(&teams).unwrap();
    fs::write(&teams, "in the way").unwrap();
    world
        .run("Hello")
        .ends(0)
        .complains("nothing will prove that this team is yours");
    fs::remove_file(&teams).unwrap();
    world.teammate(&["team"]).ends(1);
    world.teammate(&["trust", "--team", "--yes"]).ends(0);
    world.teammate(&["team"]).ends(0);
}

#[test]
fn a_team_that_is_gone_is_said_and_a_new_team_begins() {
    let world = two();
    fs::remove_dir_all(world.path(".team")).unwrap();
    let run = world
        .run("Hello")
        .complains("the team that was here is gone");
    assert!(!run.out.contains("alice"), "{}", run.out);
    world.teammate(&["team"]).ends(0).says("lead");
}

#[test]
fn a_first_opening_that_was_cut_off_is_no_ones_team() {
    let world = two();
    let journal = world.path(".team/journal.jsonl");
    // Nobody had begun yet.
    fs::remove_dir_all(world.path(".team/agents")).unwrap();
    for left in [&b""[..], b"{\"n\":0,\"at\":17"] {
        fs::write(&journal, left).unwrap();
        world.run("Hello").ends(0);
        fs::remove_dir_all(world.path(".team/agents")).unwrap();
    }
}
