//! Stops: of a teammate that rests or works, of the whole team, with and without a program that runs it.

use std::process::{ChildStdin, Stdio};

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    world::{Running, World},
};
use std::io::Write as _;

/// A lead, alice who rests, bob whose command never ends, and carol who agrees when she is asked.
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
                {
                    let mut works = bash("sleep 0.05; echo tick");
                    works["repeat"] = true.into();
                    works
                },
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
            "did not agree in time and was stopped",
        ),
        (&["--now"], "was stopped at once, without being asked"),
    ] {
        let world = team();
        let (repl, mut keys) = prompt(&world, "Spawn bob", "[bob] bash: echo begun");
        let stop = world.teammate(&[&["stop", "bob", "--json"], flags].concat());
        let stop: Value = serde_json::from_str(&stop.ends(0).out).unwrap();
        assert_eq!(
            stop,
            json!({ "stopped": "bob", "is_team": false, "request": "req_000001", "how": how })
        );
        keys.write_all(b"/quit\n").unwrap();
        repl.end().ends(0);
        assert_eq!(world.status("bob"), "shutdown");
    }
}

#[test]
fn the_whole_team_is_stopped_and_its_program_leaves() {
    let world = team();
    let (repl, _keys) = prompt(&world, "Spawn bob", "[bob] bash: echo begun");
    world
        .teammate(&["stop", "--now"])
        .ends(0)
        .says("The team is stopped; `teammate resume` goes on");
    repl.end()
        .ends(0)
        .says("The team was stopped from another terminal");
    world
        .teammate(&["stop"])
        .ends(1)
        .complains("nobody runs the team");
}

#[test]
fn a_job_that_is_stopped_was_not_done() {
    let world = team();
    let run = world.start(&["run", "--permission-mode", "bypass", "Spawn bob"]);
    run.until("[bob] bash: echo begun");
    world.teammate(&["stop", "lead", "--now"]).ends(0);
    run.end()
        .ends(130)
        .complains("the team was stopped from another terminal");
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
        .complains("alice is stopped already");
    world.resume().ends(0);
    assert_eq!(world.status("alice"), "shutdown", "it stays stopped");
}
