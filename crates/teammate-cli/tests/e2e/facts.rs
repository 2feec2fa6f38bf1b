//! What the event stream and the journal carry for those who watch: numbers, changes, reasons, evidence.

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say},
    world::{World, json_lines, until},
};

fn events(world: &World) -> Vec<Value> {
    json_lines(&world.file(".team/events.jsonl"))
}

#[test]
fn events_are_numbered_without_holes_over_runs_and_torn_lines() {
    let world = World::playing(&play([("lead", vec![say("done").otherwise()])]));
    world.run("One").ends(0);
    let first = events(&world);
    let path = world.path(".team/events.jsonl");
    // A crash in the middle of a line.
    let mut log = std::fs::read_to_string(&path).unwrap();
    log.push_str("{\"at\":1795304386875,\"member\":\"lead\",\"event\":\"notice\",\"text\":\"to");
    std::fs::write(&path, log).unwrap();
    world.run("Two").ends(0);
    let lines: Vec<Value> = world
        .file(".team/events.jsonl")
        .lines()
        .filter_map(|line| serde_json::from_str(line).ok())
        .collect();
    let numbers: Vec<u64> = lines
        .iter()
        .map(|event| event["n"].as_u64().unwrap())
        .collect();
    assert!(first.len() < lines.len());
    assert_eq!(numbers, (0..lines.len() as u64).collect::<Vec<_>>());
    let lengths: Vec<u64> = lines
        .iter()
        .map(|event| event["r"].as_u64().unwrap())
        .collect();
    assert!(lengths.is_sorted() && lengths[0] > 0, "{lengths:?}");
}

/// A lead has written a poem of two lines and changed the first, in a run that is over.
pub(crate) fn with_poem() -> World {
    let edit = json!({ "path": "poem", "old_text": "rain", "new_text": "snow" });
    let scenes = vec![
        calls([(
            "write_file",
            json!({ "path": "poem", "content": "rain\nand sun\n" }),
        )]),
        calls([("edit_file", edit)]),
        say("done").otherwise(),
    ];
    let world = World::playing(&play([("lead", scenes)]));
    world
        .teammate(&["run", "--permission-mode", "bypass", "Go"])
        .ends(0);
    world
}

#[test]
fn an_edit_that_nobody_is_asked_about_comes_with_its_diff() {
    let world = with_poem();
    let changes: Vec<Value> = events(&world)
        .into_iter()
        .filter(|event| event["event"] == "tool_finished")
        .map(|event| event["change"].clone())
        .collect();
    assert_eq!(
        changes,
        [
            json!({ "path": "poem", "added": 2, "removed": 0, "diff": "--- poem\n+++ poem\n@@ -0,0 +1,2 @@\n+rain\n+and sun\n" }),
            json!({ "path": "poem", "added": 1, "removed": 1, "diff": "--- poem\n+++ poem\n@@ -1,2 +1,2 @@\n-rain\n+snow\n and sun\n" }),
        ]
    );
}

#[test]
fn a_question_says_why_and_is_answered_only_as_it_was_seen() {
    let scenes = vec![bash("sort < in > out"), say("done").otherwise()];
    let world = World::playing(&play([("lead", scenes)]));
    std::fs::write(world.path("in"), "b\na\n").unwrap();
    let run = world.start(&["run", "--answers", "wait", "Go"]);
    run.until("req_000001");
    let shown = world.teammate(&["requests", "show", "1", "--json"]).ends(0);
    let shown: Value = serde_json::from_str(&shown.out).unwrap();
    assert_eq!(
        shown["asked_because"],
        "no rule allows it, and the mode is ask"
    );
    assert_eq!(
        shown["touches"],
        json!({ "reads": ["in"], "writes": ["out"] })
    );
    world
        .teammate(&["requests", "show", "1"])
        .ends(0)
        .says("asked because: no rule allows it")
        .says("writes: out");
    let waits = |event: &Value| {
        event["waits"]["on"] == "permission" && event["waits"]["id"] == "req_000001"
    };
    until(
        || events(&world).iter().any(waits),
        || world.file(".team/events.jsonl"),
    );
    let other = ["approve", "1", "--saw", "000000000000"];
    world
        .teammate(&other)
        .ends(1)
        .complains("asks for something else than 000000000000");
    assert!(!world.path("out").exists());
    let digest = shown["digest"].as_str().unwrap();
    world
        .teammate(&["approve", "1", "--saw", &digest[..12]])
        .ends(0);
    run.end().ends(0);
    assert_eq!(world.file("out"), "a\nb\n");
}

#[test]
fn a_task_with_a_check_is_completed_with_evidence() {
    let task = json!({ "subject": "Make it", "check": "echo 41 passed" });
    let complete = json!({ "task_id": 1, "result": "made" });
    let scenes = vec![
        calls([("create_task", task)]),
        calls([("claim_task", json!({ "task_id": 1 }))]),
        calls([("complete_task", complete)]),
        say("done").otherwise(),
    ];
    let world = World::playing(&play([("lead", scenes)]));
    world
        .teammate(&["run", "--permission-mode", "bypass", "Go"])
        .ends(0);
    let shown = world.teammate(&["tasks", "show", "1", "--json"]).ends(0);
    let shown: Value = serde_json::from_str(&shown.out).unwrap();
    let evidence = &shown["evidence"];
    assert_eq!(
        (&evidence["check"], &evidence["exit"], &evidence["tail"]),
        (&json!("echo 41 passed"), &json!(0), &json!("41 passed"))
    );
    assert!(evidence["took_ms"].is_u64());
    world
        .teammate(&["tasks", "show", "1"])
        .ends(0)
        .says("verified: exit 0 in ")
        .says("printed: 41 passed");
    let told = events(&world)
        .into_iter()
        .find(|event| event["event"] == "task" && event["change"]["change"] == "completed");
    assert_eq!(told.unwrap()["change"]["evidence"], *evidence);
}
