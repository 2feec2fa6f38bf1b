//! Hooks of the board: what they refuse has never been, and what is refused to be done is still to be done.

use serde_json::{Value, json};

use super::{NOTES, own, told};
use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    world::World,
};

/// Tasks of the board as `teammate tasks --json` lists them.
fn board(world: &World) -> Vec<Value> {
    let run = world.teammate(&["tasks", "--json"]).ends(0);
    let board: Value = serde_json::from_str(&run.out).unwrap();
    board["tasks"].as_array().unwrap().clone()
}

fn create(subject: &str) -> Value {
    calls([(
        "create_task",
        json!({ "subject": subject, "description": "Whole" }),
    )])
}

#[test]
fn a_task_that_a_hook_refuses_is_never_on_the_board() {
    let world = World::playing(&play([(
        "lead",
        vec![
            create("wish"),
            create("[ABC-1] work"),
            say("Done.").otherwise(),
        ],
    )]));
    let named = r#"if ! grep -q 'task_subject":"\['; then echo '{"decision":"block","reason":"name a ticket"}'; fi"#;
    own(
        &world,
        [("TaskCreated", "", named), ("TaskCreated", "", NOTES)],
    );
    world.run("Go").ends(0);
    let outcome = &world.outcomes("lead")[0];
    assert!(
        outcome.starts_with("Error: TaskCreated hook feedback:\n[")
            && outcome.ends_with("]: name a ticket"),
        "{outcome}"
    );
    let board = board(&world);
    assert_eq!(board.len(), 1);
    assert_eq!(board[0]["subject"], "[ABC-1] work");
    let told = told(&world, "TaskCreated");
    assert_eq!(told[0]["task_subject"], "wish");
    assert_eq!(told[1]["task_id"], board[0]["id"].to_string());
    assert_eq!(told[1]["task_description"], "Whole");
    assert_eq!(told[1].get("teammate_name"), None);
}

/// Alice takes a task, says that it is done, and makes it so when she reads why it is not.
fn worker() -> Value {
    let done = || {
        let input = json!({ "task_id": "1", "result": "It is done." });
        calls([("complete_task", input)])
    };
    play([
        (
            "lead",
            vec![
                create("Build it"),
                spawn([("alice", "builder", "Begin")]),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                done().after(" is yours"),
                bash("touch tested").after("the tests fail"),
                done().after("exit status 0"),
                say("ready").otherwise(),
            ],
        ),
    ])
}

const CHECKS: &str = "if [ ! -e tested ]; then echo 'the tests fail' >&2; exit 2; fi";

#[test]
fn a_task_that_a_hook_does_not_accept_is_still_to_be_done() {
    let world = World::playing(&worker());
    own(
        &world,
        [("TaskCompleted", "", CHECKS), ("TaskCompleted", "", NOTES)],
    );
    world.run("Go").ends(0);
    let outcome = &world.outcomes("alice")[0];
    assert!(
        outcome.starts_with("Error: TaskCompleted hook feedback:\n[")
            && outcome.ends_with("]: the tests fail"),
        "{outcome}"
    );
    assert_eq!(board(&world)[0]["status"], "completed");
    let told = told(&world, "TaskCompleted");
    assert_eq!(told.len(), 2, "{told:?}");
    assert_eq!(told[0]["task_id"], "1");
    assert_eq!(told[0]["teammate_name"], "alice");
    assert_eq!(told[0]["at_turn_end"], false);
    // The board says nothing of what was refused.
    let history = world.teammate(&["tasks", "show", "1", "--json"]).ends(0);
    assert!(!history.out.contains("failed"), "{}", history.out);
}

#[test]
fn who_ends_a_turn_with_an_unfinished_task_hears_the_same_hook() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                create("Build it"),
                spawn([("alice", "builder", "Begin")]),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("touch tested").after("TaskCompleted hook feedback"),
                say("I think that is it.").otherwise(),
            ],
        ),
    ]));
    own(
        &world,
        [("TaskCompleted", "", CHECKS), ("TaskCompleted", "", NOTES)],
    );
    world.run("Go");
    assert!(world.path("tested").exists());
    let told = told(&world, "TaskCompleted");
    assert!(
        told.iter().all(|told| told["at_turn_end"] == true),
        "{told:?}"
    );
    assert_eq!(told[0]["task_subject"], "Build it");
    assert_eq!(board(&world)[0]["status"], "in_progress");
}

#[test]
fn the_check_of_a_task_comes_before_its_hook() {
    let checked = json!({ "subject": "Build it", "check": "test -e tested" });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([("create_task", checked)]),
                spawn([("alice", "builder", "Begin")]),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([(
                    "complete_task",
                    json!({ "task_id": "1", "result": "It is done." }),
                )])
                .after(" is yours"),
                bash("touch tested").after("its check"),
                calls([(
                    "complete_task",
                    json!({ "task_id": "1", "result": "It is done." }),
                )])
                .after("exit status 0"),
                say("ready").otherwise(),
            ],
        ),
    ]));
    own(&world, [("TaskCompleted", "", NOTES)]);
    world.run("Go").ends(0);
    assert_eq!(board(&world)[0]["status"], "completed");
    let said_done = told(&world, "TaskCompleted");
    let said_done = said_done.iter().filter(|told| told["at_turn_end"] == false);
    assert_eq!(said_done.count(), 1, "a failed check is no end of a task");
}

#[test]
fn what_the_user_does_to_the_board_runs_no_hook() {
    let world = World::playing(&play([("lead", vec![say("Done.").otherwise()])]));
    own(
        &world,
        [
            ("TaskCreated", "", "exit 2"),
            ("TaskCompleted", "", "exit 2"),
        ],
    );
    world.run("Go").ends(0);
    world.teammate(&["tasks", "add", "Mine"]).ends(0);
    world.teammate(&["tasks", "complete", "1"]).ends(0);
    assert_eq!(board(&world)[0]["status"], "completed");
}
