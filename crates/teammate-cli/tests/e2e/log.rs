//! The log as it is read later, and what the verbs say to people.

use std::{fs, io::Write as _};

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    world::{Run, World},
};

fn lead(scenes: Vec<Value>) -> World {
    World::playing(&play([("lead", scenes)]))
}

/// A log with so many events, one a second from midnight UTC of 2026-11-22 on.
fn long_log(count: u64) -> World {
    let world = lead(vec![say("Well.").otherwise()]).env("TZ", "UTC");
    world.run("Go").ends(0);
    let midnight = 1_795_305_600_000_u64;
    let lines: String = (0..count)
        .map(|n| {
            let at = midnight + n * 1000;
            json!({ "at": at, "member": "lead", "event": "notice", "text": format!("event {n}") })
                .to_string()
                + "\n"
        })
        .collect();
    fs::write(world.path(".team/events.jsonl"), lines).unwrap();
    world
}

fn log(world: &World, arguments: &[&str]) -> Run {
    let mut all = vec!["log"];
    all.extend(arguments);
    world.teammate(&all)
}

// fast: the verb log
#[test]
fn each_entry_has_its_time_and_each_day_a_line() {
    let world = long_log(1);
    let text = world.file(".team/events.jsonl");
    let tomorrow = text.replace("1795305600000", "1795392001000");
    fs::write(world.path(".team/events.jsonl"), text + &tomorrow).unwrap();
    let out = log(&world, &[]).ends(0).out;
    let expected =
        "2026-11-22\n00:00:00 [lead] note: event 0\n2026-11-23\n00:00:01 [lead] note: event 0\n";
    assert_eq!(out, expected);
    // Berlin is an hour ahead in November.
    let there = world.env("TZ", "CET-1");
    assert!(
        log(&there, &[])
            .ends(0)
            .out
            .starts_with("2026-11-22\n01:00:00 [lead]")
    );
}

#[test]
fn the_last_entries_of_a_long_log_are_read_from_its_end() {
    let world = long_log(20_000);
    let out = log(&world, &["--tail", "2"]).ends(0).out;
    let expected =
        "2026-11-22\n05:33:18 [lead] note: event 19998\n05:33:19 [lead] note: event 19999\n";
    assert_eq!(out, expected);
    let lines = |arguments: &[&str]| log(&world, arguments).ends(0).out.lines().count();
    assert_eq!(lines(&["--tail", "0"]), 0);
    assert_eq!(lines(&["--tail", "3", "--json"]), 3);
    // More than the first look at the end holds, and more than there is.
    assert_eq!(lines(&["--tail", "15000"]), 15_001);
    assert_eq!(lines(&["--tail", "99999"]), 20_001);
    assert_eq!(lines(&["--since", "2026-11-22T05:33:10"]), 11);
    assert_eq!(
        lines(&["--since", "2026-11-22 06:33:10+01:00", "--tail", "4"]),
        5
    );
    log(&world, &["--since", "yesterday"])
        .ends(2)
        .complains("write how long ago (45s, 10m, 2h or 3d)");
}

#[test]
fn what_was_rotated_away_is_still_in_the_log() {
    let world = long_log(20_000);
    let lines = world.file(".team/events.jsonl");
    let half = lines.match_indices('\n').nth(9_999).unwrap().0 + 1;
    fs::write(world.path(".team/events.1.jsonl"), &lines[..half]).unwrap();
    fs::write(world.path(".team/events.jsonl"), &lines[half..]).unwrap();
    let lines = |arguments: &[&str]| log(&world, arguments).ends(0).out.lines().count();
    assert_eq!(lines(&["--tail", "2"]), 3);
    assert_eq!(lines(&["--tail", "10001"]), 10_002);
    assert_eq!(lines(&["--tail", "99999"]), 20_001);
    assert_eq!(lines(&["--since", "2026-11-22T00:00:10"]), 19_991);
    assert_eq!(lines(&[]), 20_001);
    // All that is written now is a few lines.
    fs::write(world.path(".team/events.jsonl"), "").unwrap();
    let out = log(&world, &["--tail", "1"]).ends(0).out;
    assert_eq!(out, "2026-11-22\n02:46:39 [lead] note: event 9999\n");
}

#[test]
fn the_persons_words_are_in_the_log_and_in_the_event_stream() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin the work")]),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                say("First of all:\n- one\n- two").after("Begin"),
                say("I heard it.").otherwise(),
            ],
        ),
    ]));
    world.run("Please fix\nthe limiter").ends(0);
    world.teammate(&["send", "alice", "from outside"]).ends(0);
    world.resume().ends(0);
    let out = log(&world, &[]).ends(0).out;
    for text in [
        "[you -> lead] Please fix\n         the limiter\n",
        "[alice] done: First of all:\n         - one\n         - two\n",
        "[you -> alice] from outside\n",
    ] {
        assert!(out.contains(text), "{text:?} is not in\n{out}");
    }
    assert_eq!(out.matches("Please fix").count(), 1, "{out}");

    let events = world.json_lines(".team/events.jsonl");
    let said: Vec<_> = events
        .iter()
        .filter(|event| event["event"] == "person_said")
        .collect();
    let [said] = said[..] else { panic!("{said:?}") };
    assert_eq!(
        (&said["to"], &said["by"], &said["content"]),
        (
            &json!("lead"),
            &json!("user"),
            &json!("Please fix\nthe limiter")
        )
    );
    let heard = |id: &Value| {
        let mut heard = events.iter().filter(|event| event["event"] == "mail_heard");
        heard.find(|event| event["id"] == *id).unwrap().clone()
    };
    assert_eq!(
        heard(&said["id"])["content"],
        Value::Null,
        "it was told already"
    );
    let of = |content: &str| {
        events
            .iter()
            .any(|event| event["event"] == "mail_heard" && event["content"] == content)
    };
    assert!(of("from outside") && of("Begin the work"), "{events:?}");
}

// fast: the verb send
#[test]
fn what_send_is_given_on_standard_input_is_the_text() {
    let world = lead(vec![say("Heard: {{mail}}").otherwise()]);
    world.run("Go").ends(0);
    let piped = |text: &str| {
        let mut command = world.command(&["send", "lead", "-"]);
        command.stdin(std::process::Stdio::piped());
        let mut send = world.launch(command);
        send.stdin().write_all(text.as_bytes()).unwrap();
        send.end()
    };
    piped("line one\nline two\n").ends(0);
    let inbox = world.teammate(&["inbox", "--json"]).ends(0).out;
    let inbox: Value = serde_json::from_str(&inbox).unwrap();
    assert_eq!(inbox[0]["content"], "line one\nline two");
    piped("\n").ends(2).complains("the text is empty");
}

#[test]
fn usage_names_what_is_missing_and_nothing_from_the_environment() {
    let world = lead(vec![say("Well.").otherwise()]);
    for (verb, usage) in [
        ("approve", "Usage: teammate approve <ID>"),
        ("send", "Usage: teammate send <TO> <TEXT>..."),
    ] {
        let run = world.teammate(&[verb]).ends(2);
        assert!(run.err.contains(usage), "{}", run.err);
    }
    let place = world.work().canonicalize().unwrap();
    let complaint = format!("there is no team in {}\n", place.display());
    world.teammate(&["team"]).ends(1).complains(&complaint);
    world.run("Go").ends(0);
    let run = world.teammate(&["send", "zed", "hi"]).ends(1);
    assert!(!run.err.contains("Did you mean"), "{}", run.err);
    world
        .teammate(&["tasks", "show", "abc"])
        .ends(2)
        .complains("ids are numbers");
}

#[test]
fn what_a_failed_check_printed_is_no_result() {
    let world = lead(vec![
        calls([(
            "create_task",
            json!({ "subject": "Build it", "check": "echo broken; exit 1" }),
        )]),
        calls([("claim_task", json!({ "task_id": 1 }))]),
        calls([("complete_task", json!({ "task_id": 1, "result": "done" }))]),
        bash("true"),
        say("I could not."),
    ]);
    world.run("Go");
    let out = world.teammate(&["tasks", "show", "1"]).ends(0).out;
    assert!(out.contains("last attempt: "), "{out}");
    assert!(
        !out.contains("result:") && !out.contains("incarnation"),
        "{out}"
    );
}
