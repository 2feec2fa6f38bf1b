//! Orders from a second terminal to the process that runs the team: interrupts, summaries, and words that are taken back.

use std::{io::Write as _, process::Stdio};

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::{Running, World, json_lines, until},
};

/// A lead who has spawned alice, who rests, and bob, whose command lasts until a file is there.
fn team() -> World {
    World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin"), ("bob", "coder", "Begin")]).after("Go"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                say("She said ready.")
                    .after("Write a summary of this conversation")
                    .again(),
                say("ready").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                bash("echo begun > begun; until test -e go; do sleep 0.02; done"),
                say("bob is through").otherwise(),
            ],
        ),
    ]))
}

/// A prompt that stays open, in which bob's command runs and alice rests.
fn at_work(world: &World) -> (Running, std::process::ChildStdin) {
    let mut command = world.command(&["--permission-mode", "bypass"]);
    command.stdin(Stdio::piped());
    let mut repl = world.launch(command);
    let mut keys = repl.stdin();
    keys.write_all(b"Go\n").unwrap();
    repl.until("[alice] done: ready");
    until(|| world.path("begun").exists(), || repl.out());
    (repl, keys)
}

fn events(world: &World) -> Vec<Value> {
    json_lines(&world.file(".team/events.jsonl"))
}

/// Waits for an event of this kind of a member.
fn event(world: &World, kind: &str, member: &str) -> Value {
    let find = || {
        let mut events = events(world).into_iter();
        events.find(|event| event["event"] == kind && event["member"] == member)
    };
    until(|| find().is_some(), || format!("no {kind} of {member}"));
    find().unwrap()
}

/// The events of the journal with these words.
fn recorded(world: &World, kinds: &[&str]) -> Vec<Value> {
    let lines = world.json_lines(".team/journal.jsonl");
    let events = lines
        .iter()
        .flat_map(|line| line["events"].as_array().cloned().unwrap_or_default());
    events
        .filter(|event| kinds.iter().any(|kind| event["event"] == *kind))
        .collect()
}

// fast: the verb interrupt
#[test]
fn one_or_all_are_interrupted_from_a_second_terminal() {
    let world = team();
    let (repl, mut keys) = at_work(&world);
    world
        .teammate(&["interrupt", "dora"])
        .ends(1)
        .complains("there is no member 'dora'");
    let told = world.teammate(&["interrupt", "bob", "--json"]).ends(0).out;
    assert_eq!(
        serde_json::from_str::<Value>(&told).unwrap(),
        json!({ "interrupted": "bob" })
    );
    let rested = event(&world, "rested", "bob");
    assert_eq!(rested["why"], "interrupted");
    world
        .teammate(&["interrupt"])
        .ends(0)
        .says("Interrupted all turns");
    let ends: Vec<Value> = recorded(&world, &["ordered", "order_ended"]);
    let words: Vec<_> = ends
        .iter()
        .map(|event| {
            (
                event["id"].as_str().unwrap(),
                event["event"].as_str().unwrap(),
            )
        })
        .collect();
    assert_eq!(
        words,
        [
            ("o1", "ordered"),
            ("o1", "order_ended"),
            ("o2", "ordered"),
            ("o2", "order_ended")
        ]
    );
    keys.write_all(b"/quit\n").unwrap();
    repl.end().ends(0);
    world
        .teammate(&["interrupt"])
        .ends(1)
        .complains("the team is not running");
    world.assert_valid();
}

// fast: the verb recall
#[test]
fn words_that_nobody_heard_are_taken_back_and_others_stay_said() {
    let world = team();
    let (repl, mut keys) = at_work(&world);
    world
        .teammate(&["send", "bob", "keep the old name"])
        .ends(0);
    world
        .teammate(&["send", "bob", "and update the docs"])
        .ends(0);
    world
        .teammate(&["recall"])
        .ends(0)
        .says("Taken back from bob: and update the docs");
    let recalled = event(&world, "mail_recalled", "bob");
    world
        .teammate(&["recall", recalled["id"].as_str().unwrap()])
        .ends(1)
        .complains("was taken back before");
    world
        .teammate(&["inbox", "bob"])
        .ends(0)
        .says("keep the old name");
    assert!(
        !world
            .teammate(&["inbox", "bob"])
            .ends(0)
            .out
            .contains("docs")
    );
    world.teammate(&["send", "alice", "hello"]).ends(0);
    // Her transcript has it before the stream of events.
    let hello = || {
        let mut events = events(&world).into_iter();
        events.find(|event| event["event"] == "mail_heard" && event["content"] == "hello")
    };
    until(|| hello().is_some(), || repl.out());
    world
        .teammate(&["recall", "no such mail"])
        .ends(1)
        .complains("no mail of yours");
    let heard = hello().unwrap()["id"].as_str().unwrap().to_owned();
    world
        .teammate(&["recall", &heard])
        .ends(1)
        .complains("alice has heard it");
    std::fs::write(world.path("go"), "").unwrap();
    repl.until("[bob] done: bob is through");
    let heard = world.heard("bob").join("\n");
    assert!(
        heard.contains("keep the old name") && !heard.contains("docs"),
        "{heard}"
    );
    world
        .teammate(&["recall"])
        .ends(1)
        .complains("all that you said was heard");
    keys.write_all(b"/quit\n").unwrap();
    repl.end().ends(0);
    world.assert_at_rest();
}

#[test]
fn what_was_taken_back_stays_so_over_a_crash() {
    let world = team();
    let (repl, _keys) = at_work(&world);
    world
        .teammate(&["send", "bob", "and update the docs"])
        .ends(0);
    world.teammate(&["recall"]).ends(0);
    repl.signal(Signal::KILL);
    drop(repl);
    std::fs::write(world.path("go"), "").unwrap();
    let resumed = world.teammate(&["resume", "--permission-mode", "bypass"]);
    assert!(
        resumed.out.contains("bob is through") || world.heard("bob").len() == 1,
        "{}",
        resumed.out
    );
    assert!(!world.heard("bob").join("\n").contains("docs"));
    world.assert_valid();
}

// fast: the verb compact
#[test]
fn a_conversation_is_made_shorter_from_a_second_terminal() {
    let world = team();
    let (repl, mut keys) = at_work(&world);
    world
        .teammate(&["compact", "alice", "what", "she", "said"])
        .ends(0)
        .says("alice makes its conversation shorter");
    let compacted = event(&world, "compacted", "alice");
    assert_eq!(compacted["how"], "summarized");
    let order = &recorded(&world, &["ordered"])[0];
    assert_eq!(
        (&order["order"], &order["focus"]),
        (&json!("compact"), &json!("what she said"))
    );
    std::fs::write(world.path("go"), "").unwrap();
    keys.write_all(b"/quit\n").unwrap();
    repl.end().ends(0);
}

#[test]
fn an_order_that_its_run_did_not_hear_is_dropped_and_not_carried_out_late() {
    let world = team();
    let (repl, _keys) = at_work(&world);
    repl.signal(Signal::STOP);
    let interrupts = world.start(&["interrupt"]);
    until(
        || !recorded(&world, &["ordered"]).is_empty(),
        || interrupts.err(),
    );
    repl.signal(Signal::KILL);
    drop(repl);
    interrupts
        .end()
        .ends(1)
        .complains("the team was closed before it could act on that");
    std::fs::write(world.path("go"), "").unwrap();
    world.teammate(&["resume", "--permission-mode", "bypass"]);
    let ended = &recorded(&world, &["order_ended"])[0];
    assert_eq!(
        (&ended["id"], &ended["how"]),
        (&json!("o1"), &json!("dropped"))
    );
    let told = |event: &Value| {
        event["text"]
            .as_str()
            .is_some_and(|text| text.contains("an order to interrupt everybody came too late"))
    };
    assert!(
        events(&world).iter().any(told),
        "{}",
        world.file(".team/events.jsonl")
    );
    let interrupted = |event: &Value| event["why"] == "interrupted";
    assert!(!events(&world).iter().any(interrupted));
}
