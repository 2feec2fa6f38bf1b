//! `teammate export`: a run as people and programs get it.

use std::fs;

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say, send, spawn},
    world::World,
};

/// A lead that has a task done with a check, and hears of it.
fn done() -> World {
    let task = json!({ "subject": "Greet", "description": "In a file.", "check": "test -s hello" });
    let lead = vec![
        calls([("create_task", task)]).after("Begin"),
        spawn([("alice", "coder", "Take the task")]),
        say("I wait.").otherwise(),
    ];
    let done = json!({ "task_id": 1, "status": "completed", "result": "A greeting" });
    let alice = vec![
        calls([("claim_task", json!({ "task_id": 1 }))]),
        bash("echo 'hello `all`' > hello; cat hello"),
        send("lead", "The *file* is there"),
        calls([("update_task", done)]),
        say("Greeted."),
        say("Heard.").otherwise(),
    ];
    let world = World::playing(&play([("lead", lead), ("alice", alice)]));
    world.run("Begin").ends(0);
    world
}

fn exported(world: &World) -> Value {
    let run = world.teammate(&["export", "--json"]).ends(0);
    serde_json::from_str(&run.out).unwrap()
}

#[test]
fn a_run_longer_than_screens_keep_is_exported_from_its_first_entry() {
    let world = done();
    let log = world.path(".team/events.jsonl");
    let mut events = fs::read_to_string(&log).unwrap();
    // As a run of many more rounds would have written it.
    for number in 0..2_500 {
        let id = format!("00000000-0000-5000-8000-{number:012x}");
        let mail = json!({ "at": 1, "member": "alice", "event": "mail_sent", "id": id, "to": "lead", "kind": "message",
            "content": format!("letter {number}") });
        let said = json!({ "at": 1, "member": "alice", "event": "answered", "text": format!("word {number}"), "stop": "end_turn",
            "usage": { "input": 1, "output": 1, "cache_read": 0, "cache_write": 0 } });
        events += &format!("{mail}\n{said}\n");
    }
    fs::write(&log, events).unwrap();
    let run = exported(&world);
    let alice = find(&run["members"], "name", "alice");
    let entries = alice["entries"].as_array().unwrap();
    assert!(entries.len() > 5_000, "{} entries", entries.len());
    assert_eq!(entries[0]["number"], 0);
    assert_eq!(entries[0]["kind"], "began");
    for (list, what) in [("mail_left_out", &run), ("entries_left_out", alice)] {
        assert_eq!(what[list], 0, "{list}");
    }
    find(&run["mail"], "content", "The *file* is there");
    find(&run["mail"], "content", "letter 0");
    find(&run["mail"], "content", "letter 2499");
    let text = world.teammate(&["export"]).ends(0);
    text.says("letter 0").says("word 0").says("word 2499");
}

#[test]
fn what_the_event_log_no_longer_has_is_said() {
    let world = done();
    let log = world.path(".team/events.jsonl");
    let events = fs::read_to_string(&log).unwrap();
    let later: Vec<&str> = events.lines().skip(3).collect();
    fs::write(&log, later.join("\n") + "\n").unwrap();
    assert_eq!(exported(&world)["events_left_out"], 3);
    let text = world.teammate(&["export"]).ends(0);
    text.says("The event log begins with event 3");
}

fn find<'a>(list: &'a Value, name: &str, is: &str) -> &'a Value {
    let mut all = list.as_array().unwrap().iter();
    let found = all.find(|one| one[name] == is);
    found.unwrap_or_else(|| panic!("no {name} {is} in {list:#}"))
}

// fast: the verb export
#[test]
fn a_program_gets_members_mail_tasks_requests_and_cost() {
    let world = done();
    let run = exported(&world);
    assert_eq!(run["version"], 1);
    assert_eq!(run["conversations"][0]["prompt"], "Begin");
    assert_eq!(run["tasks"][0]["result"], "A greeting");
    assert_eq!(run["tasks"][0]["evidence"]["exit"], 0);
    let alice = find(&run["members"], "name", "alice");
    assert_eq!(
        (&alice["role"], &alice["status"]),
        (&json!("coder"), &json!("idle"))
    );
    let called = alice["entries"].as_array().unwrap().iter();
    let bash = called
        .clone()
        .find(|entry| entry["tool"] == "bash")
        .unwrap();
    assert_eq!(bash["ended"]["output"]["head"], "hello `all`\n");
    let mut said = called.filter(|entry| entry["kind"] == "said");
    assert!(
        said.next_back().unwrap()["text"]
            .as_str()
            .unwrap()
            .ends_with('.')
    );
    let mail = find(&run["mail"], "content", "The *file* is there");
    assert_eq!(
        (&mail["from"], &mail["to"]),
        (&json!("alice"), &json!("lead"))
    );
    assert_eq!(mail["receipt"]["state"], "acted");
    assert!(mail["receipt"]["heard"].as_u64() >= mail["at"].as_u64());
    assert!(run["cost"]["members"]["alice"]["requests"].as_u64() > Some(3));
}

#[test]
fn a_person_gets_the_same_as_markdown() {
    let world = done();
    let run = world.teammate(&["export"]).ends(0);
    for text in [
        "# Team default\n",
        "- alice (coder): ",
        "(finished): Begin\n",
        "- #1 Greet (completed by alice: A greeting)\n  `test -s hello`: exit 0 in ",
        "**alice to lead**",
        "  The *file* is there\n",
        "## What alice heard, said and did\n",
        "### answer\n\nGreeted.\n",
        "- `bash echo 'hello 'all'' > hello; cat hello`\n",
    ] {
        assert!(run.out.contains(text), "{text}: {}", run.out);
    }
    let same = world.teammate(&["export", "--markdown"]).ends(0);
    assert_eq!(run.out, same.out);
    world
        .teammate(&["export", "--markdown", "--json"])
        .ends(2)
        .complains("cannot be used with");
}

#[test]
fn what_is_exported_of_a_question_is_what_was_asked_and_answered() {
    let world = World::playing(&play([(
        "lead",
        vec![bash("rm -rf build"), say("Not allowed.").otherwise()],
    )]));
    world.teammate(&["run", "Clean up"]).ends(4);
    let plan = world.teammate(&["export"]).ends(0);
    plan.says("Not allowed.");
    let run = exported(&world);
    let lead = find(&run["members"], "name", "lead");
    let request = find(&lead["entries"], "kind", "request");
    assert!(request["text"].as_str().unwrap().contains("rm -rf build"));
    world
        .teammate(&["--team", "other", "export"])
        .ends(1)
        .complains("no team");
}
