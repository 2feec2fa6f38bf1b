//! The same stop through different doors: a tool of the lead's, the prompt, another terminal. What follows is the same.

use std::{
    io::Write as _,
    process::{ChildStdin, Stdio},
};

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, calls, play, say, spawn},
    world::{Running, World, until},
};

/// How an action is asked for.
enum Door {
    /// A job for the lead, whose play calls the tool.
    Tool(&'static str),
    Prompt(&'static str),
    Terminal(&'static [&'static str]),
}

use Door::{Prompt, Terminal, Tool};

/// A lead that follows its script, and an idle alice.
fn team() -> World {
    let stop = |now: bool| calls([("request_shutdown", json!({ "name": "alice", "now": now }))]);
    World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("Go"),
                stop(true).after("alice-now"),
                stop(false).after("alice-soon"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("ready").otherwise()]),
    ]))
}

fn prompt(world: &World) -> (Running, ChildStdin) {
    let mut command = world.command(&["--permission-mode", "bypass"]);
    command.stdin(Stdio::piped());
    let mut repl = world.launch(command);
    let mut keys = repl.stdin();
    type_in(&mut keys, "Go");
    repl.until("[alice] done: ready");
    (repl, keys)
}

fn type_in(keys: &mut ChildStdin, line: &str) {
    keys.write_all(format!("{line}\n").as_bytes()).unwrap();
}

/// What the journal says of requests, and who was stopped; without who asked, by which call and when.
fn happened(world: &World) -> Vec<Value> {
    let records = world.json_lines(".team/journal.jsonl");
    let events = records.iter().flat_map(|record| {
        let events = record["events"].as_array().unwrap();
        events.iter().cloned()
    });
    let is_kept = |event: &Value| {
        ["request", "stopped"]
            .iter()
            .any(|kind| event["event"] == *kind)
    };
    let mut kept: Vec<Value> = events.filter(is_kept).collect();
    for event in &mut kept {
        let fields = event.as_object_mut().unwrap();
        fields.retain(|name, _| !["by", "from", "call", "deadline"].contains(&name.as_str()));
    }
    kept
}

#[test]
fn a_stop_ends_in_the_same_way_through_every_door() {
    let table: [(&str, &str, &[Door]); 2] = [
        (
            "stop an idle member at once",
            "[alice] stopped: agreed to shut down",
            &[
                Tool("alice-now"),
                Prompt("/shutdown alice now"),
                Terminal(&["stop", "alice", "--now"]),
            ],
        ),
        (
            "stop an idle member",
            "[alice] stopped: agreed to shut down",
            &[
                Tool("alice-soon"),
                Prompt("/shutdown alice"),
                Terminal(&["stop", "alice"]),
            ],
        ),
    ];
    for (action, sign, doors) in table {
        let mut first = None;
        for door in doors {
            let world = team();
            let (repl, mut keys) = prompt(&world);
            match door {
                Tool(job) => type_in(&mut keys, job),
                Prompt(line) => type_in(&mut keys, line),
                Terminal(words) => drop(world.teammate(words).ends(0)),
            }
            repl.until(sign);
            // The note that all were asked comes after that.
            let is_told = || {
                let events = happened(&world);
                let of_request = |event: &&Value| event["event"] == "request";
                let last = events.iter().rfind(of_request).cloned();
                last.is_none_or(|event| event["change"] == "told")
            };
            until(is_told, || format!("{action}: {:?}", happened(&world)));
            let events = happened(&world);
            let expected = first.get_or_insert_with(|| events.clone());
            assert_eq!(&events, expected, "{action}");
            drop(repl);
        }
    }
}
