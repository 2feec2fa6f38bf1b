//! Stops: of a teammate that is idle or works, of the whole team, with and without a program that runs it.

use std::{
    process::{ChildStdin, Stdio},
    sync::Arc,
};

use rustix::process::Signal;
use serde_json::{Value, json};
use teammate::platform::is_suspended;
use teammate_core::{
    Timestamp,
    port::{Disk, DiskLock},
};
use teammate_store::{
    disk::RealDisk,
    files::{HostLock, TeamDir},
};

use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    world::{HANG, Running, World, until},
};
use std::io::Write as _;

/// A lead, alice who is idle, bob whose command never ends, and carol who agrees when she is asked.
fn team() -> World {
    let agrees = json!({ "request_id": "req_000001", "approve": true, "reason": "all is saved" });
    World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("alice"),
                spawn([("bob", "coder", "Begin")]).after("bob"),
                spawn([("carol", "coder", "Begin")]).after("carol"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("ready").otherwise()]),
        ("bob", vec![bash("echo begun; sleep 1000")]),
        (
            "carol",
            vec![
                calls([("respond_shutdown", agrees)]).after("asks you to shut down"),
                bash("sleep 0.05; echo tick").again(),
            ],
        ),
    ]))
}

/// A prompt in a terminal that stays open, with this team at work.
fn prompt(world: &World, job: &str, sign: &str) -> (Running, ChildStdin) {
    let mut command = world.command(&["--permission-mode", "bypass"]);
    command.stdin(Stdio::piped());
    let mut repl = world.launch(command);
    let mut keys = repl.stdin();
    keys.write_all(format!("{job}\n").as_bytes()).unwrap();
    repl.until(sign);
    (repl, keys)
}

#[test]
fn one_that_rests_is_stopped_without_its_model() {
    let world = team();
    let (repl, mut keys) = prompt(&world, "Spawn alice", "[alice] done: ready");
    world
        .teammate(&["stop", "alice"])
        .ends(0)
        .says("alice agreed to shut down and is stopped");
    repl.until("[alice] stopped: agreed to shut down");
    world.teammate(&["team"]).ends(0).says("stopped");
    world
        .teammate(&["stop", "alice"])
        .ends(1)
        .complains("'alice' is stopped already");
    world
        .teammate(&["stop", "dora"])
        .ends(1)
        .complains("there is no member 'dora'; members: lead, alice");
    keys.write_all(b"/quit\n").unwrap();
    repl.end().ends(0);
    world.assert_at_rest();
}

// fast: a member is stopped between two calls
#[test]
fn one_that_works_agrees_between_two_calls() {
    let world = team();
    let (repl, _keys) = prompt(&world, "Spawn carol", "[carol] bash: sleep 0.05; echo tick");
    world
        .teammate(&["stop", "carol"])
        .ends(0)
        .says("carol agreed to shut down and is stopped: all is saved");
    drop(repl);
}

#[test]
fn one_that_is_deaf_is_stopped_at_the_deadline_or_at_once() {
    for (flags, how) in [
        (
            &["--within", "0.2"][..],
            "was stopped at the deadline, without agreeing",
        ),
        (&["--now"], "was stopped at once, without being asked"),
    ] {
        let world = team();
        let (repl, mut keys) = prompt(&world, "Spawn bob", "[bob] bash: echo begun");
        let stop = world.teammate(&[&["stop", "bob", "--json"], flags].concat());
        let stop: Value = serde_json::from_str(&stop.ends(0).out).unwrap();
        assert_eq!(
            stop,
            json!({ "stopped": "bob", "is_team": false, "request": "req_000001", "how": how, "unheard": {} })
        );
        keys.write_all(b"/quit\n").unwrap();
        repl.end().ends(0);
        assert_eq!(world.status("bob"), "shutdown");
    }
}

/// A lead who has given alice a task that she works on in two commands, the first of which lasts until a file is there.
fn at_work() -> World {
    let task = json!({ "subject": "Forge a nail", "requires": "role:smith" });
    World::playing(&play([
        (
            "lead",
            vec![
                calls([("create_task", task)]).after("Go"),
                spawn([("alice", "smith", "Begin")]).after("#1"),
                spawn([("bob", "coder", "Begin")]).after("alice"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([("claim_task", json!({ "task_id": 1 }))]).after("Begin"),
                bash("echo half >> nail; until test -e go; do sleep 0.02; done"),
                bash("echo whole >> nail"),
                calls([("complete_task", json!({ "task_id": 1, "result": "forged" }))]),
                say("It is forged.").otherwise(),
            ],
        ),
        ("bob", vec![say("ready").otherwise()]),
    ]))
}

/// The task as its view shows it.
fn task(world: &World) -> Value {
    serde_json::from_str(&world.file(".team/tasks/1.json")).unwrap()
}

// fast: the verb stop
#[test]
fn a_stop_of_the_whole_team_is_a_pause_and_resume_goes_on_with_every_member_and_task() {
    for how in ["in time", "--within", "--now", "SIGINT", "SIGTERM"] {
        let world = at_work();
        let run = world.start(&["run", "--permission-mode", "bypass", "Go"]);
        run.until("[bob] done: ready");
        let nail = world.path("nail");
        until(
            || std::fs::read_to_string(&nail).is_ok_and(|text| text == "half\n"),
            || run.err(),
        );
        let stop = |flags: &[&str]| {
            let stop = world.start(&[&["stop"], flags].concat());
            if how == "in time" {
                // Her step ends, and no other begins.
                std::thread::sleep(std::time::Duration::from_millis(300));
                std::fs::write(world.path("go"), "").unwrap();
            }
            stop.end()
                .ends(0)
                .says("The team is paused. `teammate resume` continues with every member and task");
        };
        match how {
            "in time" => stop(&["--within", "60"]),
            "--within" => stop(&["--within", "0.5"]),
            "--now" => stop(&["--now"]),
            "SIGINT" => run.signal(Signal::INT),
            _ => run.signal(Signal::TERM),
        }
        let ended = run.end().ends(130);
        let says_so = how == "SIGTERM" || ended.err.contains("paused");
        assert!(says_so, "{how}: {}", ended.err);
        assert!(!ended.err.contains("expired"), "{how}: {}", ended.err);
        assert_eq!(world.file("nail"), "half\n", "{how}");
        let held = task(&world);
        assert_eq!(
            (&held["status"], &held["owner"]),
            (&"in_progress".into(), &"alice".into()),
            "{how}"
        );
        let roster = world.teammate(&["team"]).ends(0);
        assert!(!roster.out.contains("stopped"), "{how}: {}", roster.out);
        std::fs::write(world.path("go"), "").unwrap();
        let resumed = world.resume().ends(0);
        assert!(!resumed.err.contains("stopped"), "{how}: {}", resumed.err);
        assert_eq!(world.file("nail"), "half\nwhole\n", "{how}");
        assert_eq!(task(&world)["status"], "completed", "{how}");
        world.assert_at_rest();
    }
}

#[test]
fn a_prompt_leaves_when_its_team_is_paused() {
    let world = team();
    let (repl, _keys) = prompt(&world, "Spawn bob", "[bob] bash: echo begun");
    world.teammate(&["stop", "--now"]).ends(0);
    repl.end()
        .ends(0)
        .says("The team was paused from another terminal");
    world
        .teammate(&["stop"])
        .ends(1)
        .complains("the team is not running");
}

/// A host in which bob works, suspended at a moment when it does not write: this process holds the journal's lock.
fn suspended(world: &World) -> (Running, Box<dyn DiskLock>) {
    let run = world.start(&["run", "--permission-mode", "bypass", "Spawn bob"]);
    run.until("[bob] bash: echo begun");
    let lock = world.path(".team/journal.lock");
    let held = RealDisk.lock(&lock, HANG).unwrap();
    run.signal(Signal::STOP);
    until(|| is_suspended(run.id()), || "it runs on".to_owned());
    (run, held)
}

#[test]
fn a_host_that_is_suspended_is_named_by_the_deadline_and_stops_when_it_goes_on() {
    let world = team();
    let (run, held) = suspended(&world);
    drop(held);
    for flags in [&["--now"][..], &["bob", "--within", "1"]] {
        world
            .teammate(&[&["stop"], flags].concat())
            .ends(1)
            .complains("which runs the team, is suspended (SIGSTOP). Nothing is lost")
            .complains("`kill -CONT ")
            .complains("`kill -9 ");
    }
    run.signal(Signal::CONT);
    run.end()
        .ends(130)
        .complains("the team was paused from another terminal");
}

#[test]
fn a_host_that_is_suspended_while_it_writes_is_named_before_the_lock_it_holds() {
    let world = team();
    let (_run, held) = suspended(&world);
    // The lock is held as if by the host.
    let stop = world.teammate(&["stop", "--now"]).ends(1);
    stop.complains("which runs the team, is suspended (SIGSTOP). Nothing is lost, but it holds the journal's lock")
        .complains("`kill -CONT ");
    drop(held);
}

#[test]
fn a_host_that_hangs_is_named_soon_after_the_deadline_with_what_ends_it() {
    let world = team();
    world.run("Spawn alice").ends(0);
    // This process holds the lock as a host does, and neither reads the journal nor obeys anybody.
    let disk: Arc<dyn Disk> = Arc::new(RealDisk);
    let dir = TeamDir::at(world.path(".team"));
    let host = HostLock::take(&disk, &dir, Timestamp(1)).unwrap();
    let pid = std::process::id();
    let stops = [&["stop", "--now"][..], &["stop", "alice", "--within", "1"]];
    for stop in stops.map(|stop| world.start(stop)) {
        stop.end()
            .ends(1)
            .complains(&format!(
                "not stopped yet: process {pid}, which runs the team, did not act on it in time. Nothing is lost"
            ))
            .complains(&format!("`kill -9 {pid}` ends it"));
    }
    drop(host);
    world.run("Hello").ends(0);
    assert_eq!(
        world.status("alice"),
        "shutdown",
        "the stop stayed asked for"
    );
}

#[test]
fn who_is_stopped_and_what_waits_for_it_is_said_where_the_team_is_opened_and_stopped() {
    let world = team();
    let (repl, mut keys) = prompt(&world, "Spawn bob", "[bob] bash: echo begun");
    world.teammate(&["send", "bob", "Mind the gap"]).ends(0);
    world
        .teammate(&["stop", "bob", "--now"])
        .ends(0)
        .says("bob was stopped at once, without being asked; 1 message waits for it");
    keys.write_all(b"/quit\n").unwrap();
    repl.end().ends(0);
    let stopped = "stopped: bob (1 message waits for it). Only the lead can wake a stopped member: `teammate send lead \"wake bob\"`";
    // The lead hears of the end first.
    world.resume().complains(stopped);
    world
        .resume()
        .ends(0)
        .complains(stopped)
        .complains("note: nothing to continue");
    world.run("Spawn alice").ends(0).complains(stopped);
    let (repl, _keys) = prompt(&world, "Spawn carol", "[carol] bash: sleep 0.05; echo tick");
    world.teammate(&["stop", "--now"]).ends(0).says(stopped);
    repl.end().ends(0).says(stopped);
}

#[test]
fn where_nobody_runs_the_team_a_member_is_stopped_by_word() {
    let world = team();
    world.run("Spawn alice").ends(0);
    world
        .teammate(&["stop", "alice"])
        .ends(0)
        .says("alice was stopped; the team does not run");
    world.teammate(&["team"]).ends(0).says("stopped");
    world
        .teammate(&["stop", "alice"])
        .ends(1)
        .complains("alice is already stopped");
    world.resume().ends(0);
    assert_eq!(world.status("alice"), "shutdown", "it stays stopped");
}
