//! Subagents: they do one piece of work and are gone; of the team they see nothing, and it sees nothing of them.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    background::runs,
    play::{Scene as _, bash, calls, play, say, spawn},
    world::{World, until},
};

fn explore(prompt: &str) -> (&'static str, Value) {
    let input = json!({ "description": "look", "prompt": prompt, "agent_type": "explore" });
    ("task", input)
}

fn general(prompt: &str) -> (&'static str, Value) {
    ("task", json!({ "description": "work", "prompt": prompt }))
}

fn in_background(prompt: &str) -> Value {
    let input = json!({ "description": "work", "prompt": prompt, "run_in_background": true });
    calls([("task", input)])
}

fn reads(path: &str) -> Value {
    calls([("read_file", json!({ "path": path }))])
}

/// How often the lead's model was asked; what its subagents ask does not count.
fn lead_was_asked(world: &World) -> usize {
    let events = world.json_lines(".team/events.jsonl");
    let is_asked = |event: &&Value| event["event"] == "asked" && event["member"] == "lead";
    events.iter().filter(is_asked).count()
}

fn notices(world: &World) -> Vec<String> {
    let mut heard = world.heard("lead");
    heard.retain(|mail| mail.starts_with("system task_notification: "));
    heard
}

// fast: subagents
#[test]
fn a_subagent_hands_back_its_last_word_and_leaves_nothing() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([explore("What is the answer?")]).after("Find out"),
                say("It says: {{last_result}}"),
            ],
        ),
        (
            "lead/explore",
            vec![
                reads("answer.txt").after("What is"),
                say("42, in answer.txt"),
            ],
        ),
    ]));
    fs::write(world.path("answer.txt"), "42\n").unwrap();
    world
        .run("Find out")
        .ends(0)
        .says("It says: 42, in answer.txt")
        .complains("[lead/explore] begins: look")
        .complains("[lead/explore] read_file: answer.txt")
        .complains("[lead/explore] done: 42, in answer.txt");
    assert_eq!(world.outcomes("lead"), ["42, in answer.txt"]);
    assert_eq!(world.heard("lead"), ["user message: Find out"]);
    assert_eq!(world.config()["members"], json!([]));
    assert_eq!(world.members(), ["lead"]);
    // What it cost is its member's.
    let spent = world.teammate(&["cost", "--json"]).ends(0);
    let spent: Value = serde_json::from_str(&spent.out).unwrap();
    assert_eq!(spent["total"]["requests"], 4, "{spent}");
    world.assert_at_rest();
}

#[test]
fn several_in_one_answer_run_side_by_side() {
    // Each waits for what the other leaves.
    let meets = |mine: &str, other: &str| {
        bash(&format!(
            "touch {mine}; until [ -e {other} ]; do sleep 0.02; done; echo met {other}"
        ))
        .after(&format!("be {mine}"))
    };
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([general("be one"), general("be two")]),
                say("Both are back."),
            ],
        ),
        (
            "lead/general",
            vec![
                meets("one", "two"),
                meets("two", "one"),
                say("I met {{after:met }}"),
            ],
        ),
    ]));
    world.run("Go").ends(0).says("Both are back.");
    assert_eq!(world.outcomes("lead"), ["I met two", "I met one"]);
    world.assert_at_rest();
}

#[test]
fn explore_only_reads_and_no_subagent_has_the_teams_tools() {
    let refused = |tools: [(&str, Value); 3]| calls(tools).after("Do");
    let outcome = |name: &'static str| json!({ "when": { "tool_result_contains": name }, "say": "{{last_result}}" });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Ask for help")]),
                calls([explore("Do what you may not")]).after("Ask"),
                say("{{last_result}}").after("do not have the tool"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "lead/explore",
            vec![
                refused([
                    ("task", json!({ "prompt": "more" })),
                    ("bash", json!({ "command": "touch made" })),
                    ("write_file", json!({ "path": "made", "content": "x" })),
                ]),
                outcome("do not have the tool 'write_file'"),
                say("It was possible."),
            ],
        ),
        (
            "alice",
            vec![calls([general("Do more")]), say("{{last_result}}")],
        ),
        (
            "alice/general",
            vec![
                refused([
                    ("bash", json!({ "command": "touch made-by-alice" })),
                    ("send_message", json!({ "to": "lead", "content": "hi" })),
                    ("task", json!({ "prompt": "more" })),
                ]),
                outcome("may call 'task'"),
                say("It was possible."),
            ],
        ),
    ]));
    world.run("Go").ends(0);
    world.run("Ask").ends(0);
    let lead = world.outcomes("lead").pop().unwrap();
    assert_eq!(
        lead,
        "You do not have the tool 'write_file'. Your tools: glob, grep, read_file."
    );
    assert!(!world.path("made").exists());
    let alice = world.outcomes("alice");
    assert!(
        alice[0].starts_with(
            "Only members of the team may call 'task', and you are a subagent. Your tools: "
        ),
        "{alice:?}"
    );
    assert!(!alice[0].contains("send_message"), "{alice:?}");
    assert!(
        world.path("made-by-alice").exists(),
        "a general one does everything"
    );
    let heard = world.heard("lead");
    assert!(
        heard.iter().all(|mail| !mail.ends_with(": hi")),
        "{heard:?}"
    );
    world.assert_at_rest();
}

#[test]
fn a_subagent_in_the_background_wakes_its_owner_once() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                in_background("Work long").after("Go"),
                say("I have other things to do.").after("Started in the background"),
                calls([("task_output", json!({ "task_id": "b1" }))]).after_mail("b1"),
                say("It says: {{last_result}}"),
            ],
        ),
        (
            "lead/general",
            vec![
                bash("until test -e rested; do sleep 0.02; done"),
                say("It took its time."),
            ],
        ),
    ]));
    world.touch_when(".team/events.jsonl", "rested", "rested");
    world
        .run("Go")
        .ends(0)
        .says("I have other things to do.")
        .says("It took its time.");
    assert_eq!(notices(&world).len(), 1, "{:?}", notices(&world));
    assert!(notices(&world)[0].contains("It took its time."));
    assert_eq!(lead_was_asked(&world), 4);
    assert_eq!(world.members(), ["lead"]);
    world.assert_at_rest();
}

#[test]
fn a_subagent_in_the_background_can_be_stopped() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                in_background("Work for ever"),
                bash("until [ -e works ]; do sleep 0.02; done; echo it works").after("Started"),
                calls([("task_stop", json!({ "task_id": "b1" }))]).after("it works"),
                say("Stopped: {{last_result}}"),
            ],
        ),
        (
            "lead/general",
            vec![bash("echo $$ > works; while :; do sleep 0.05; done")],
        ),
    ]));
    world.run("Go").ends(0).says("Stopped: ");
    assert!(world.path("works").exists());
    assert!(!runs(&world, "works"), "what it had started goes on");
    assert_eq!(
        lead_was_asked(&world),
        4,
        "who stops it is not woken for it"
    );
    world.assert_at_rest();
}

#[test]
fn a_program_that_is_killed_during_a_subagent_says_so() {
    let world = World::playing(&play([
        (
            "lead",
            vec![calls([general("Work")]), say("It says: {{last_result}}")],
        ),
        (
            "lead/general",
            vec![bash("touch works; sleep 60"), say("through")],
        ),
    ]));
    let host = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    until(|| world.path("works").exists(), || host.err());
    host.signal(Signal::KILL);
    host.end().ends(137);
    world.resume().ends(0).says("It says: Interrupted: ");
    assert_eq!(world.outcomes("lead").len(), 1);
    world.assert_at_rest();
}
