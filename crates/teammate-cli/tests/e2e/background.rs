//! What members run in the background: it outlives turns, tells its owner when it ends, and never outlives the team.

use std::fs;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    play::{Scene as _, calls, play, say, spawn},
    world::{World, until},
};

/// A command that goes on until the lead has rested once.
const UNTIL_REST: &str = "until test -e rested; do sleep 0.02; done";

fn in_background(command: &str) -> Value {
    let input = json!({ "command": command, "run_in_background": true });
    calls([("bash", input)])
}

/// A server that has left its session and written a file, and does not hear TERM.
fn server(file: &str) -> String {
    format!(
        "trap '' TERM; setsid bash -c 'trap \"\" TERM HUP; (echo $BASHPID >{file}; while :; do sleep 0.05; done) & exit'; \
         while :; do sleep 0.05; done"
    )
}

/// Whether what wrote the file runs: a shell in the workspace. Its number there may be another than out here.
pub(crate) fn runs(world: &World, file: &str) -> bool {
    let work = world.work().canonicalize().unwrap();
    let is_ours = |process: fs::DirEntry| {
        let name = fs::read_to_string(process.path().join("comm"));
        let place = fs::read_link(process.path().join("cwd"));
        name.is_ok_and(|name| name == "bash\n") && place.is_ok_and(|place| place == work)
    };
    let written = fs::read_to_string(world.path(file)).unwrap_or_default();
    !written.trim().is_empty() && fs::read_dir("/proc").unwrap().flatten().any(is_ours)
}

fn until_runs(world: &World, file: &str) {
    until(|| runs(world, file), || format!("{file} does not begin"));
}

fn notices(world: &World, name: &str) -> Vec<String> {
    let mut heard = world.heard(name);
    heard.retain(|mail| mail.starts_with("system task_notification: "));
    heard
}

/// How often a member's model was asked.
fn asked(world: &World, name: &str) -> usize {
    let events = world.json_lines(".team/events.jsonl");
    let is_asked = |event: &&Value| event["event"] == "asked" && event["member"] == name;
    events.iter().filter(is_asked).count()
}

// fast: background jobs
#[test]
fn a_job_that_ends_wakes_its_owner_and_nobody_else() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                in_background(&format!("{UNTIL_REST}; echo built; exit 2")),
                spawn([("alice", "coder", "Begin")]),
                say("It has failed, as it should.").after_mail("Background job b1"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![say("hello")]),
    ]));
    world.touch_when(".team/events.jsonl", "rested", "rested");
    world
        .run("Go")
        .ends(0)
        .says("It has failed, as it should.")
        .complains("[lead] b1 in the background: until test")
        .complains("[lead] failed b1: until test");
    let notices = notices(&world, "lead");
    assert_eq!(notices.len(), 1, "{notices:?}");
    let said = "has ended: failed. The end of its output:\nbuilt\nexit status 2\nIts output is in \
                .team/outputs/lead-b1.txt.";
    assert!(notices[0].ends_with(said), "{notices:?}");
    assert_eq!(world.file(".team/outputs/lead-b1.txt"), "built\n");
    assert_eq!(world.heard("alice"), ["lead task_assignment: Begin"]);
    world.assert_at_rest();
}

#[test]
fn a_teammate_s_jobs_are_its_own() {
    let stop = |job: &str| calls([("task_stop", json!({ "job_id": job }))]);
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin"), ("bob", "tester", "Begin")]),
                stop("b1").after("it runs"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                in_background("echo begun; while :; do sleep 0.05; done"),
                calls([("send_message", json!({ "to": "bob", "content": "Stop b1" }))]),
                say("alice waits"),
                say("alice knows").after_mail("stopped by lead"),
            ],
        ),
        (
            "bob",
            vec![
                stop("b1").after_mail("Stop b1"),
                stop("b7").after("only alice"),
                calls([(
                    "send_message",
                    json!({ "to": "lead", "content": "it runs" }),
                )])
                .after("no job"),
                say("I listen.").otherwise(),
            ],
        ),
    ]));
    world
        .run("Go")
        .ends(0)
        .complains("[alice] done: alice knows");
    let bob = world.outcomes("bob");
    assert_eq!(
        bob[0],
        "Error: b1 is alice's job; only alice and the lead may touch it. You have none."
    );
    assert_eq!(bob[1], "Error: there is no job 'b7'. You have none.");
    assert_eq!(notices(&world, "alice").len(), 1);
    assert!(notices(&world, "lead").is_empty() && notices(&world, "bob").is_empty());
    world.assert_at_rest();
}

#[test]
fn who_ends_a_job_or_takes_its_output_is_not_asked_again() {
    let world = World::playing(&play([(
        "lead",
        vec![
            in_background("echo one; while :; do sleep 0.05; done"),
            in_background("sleep 0.1; echo two"),
            calls([("task_output", json!({ "job_id": "b2" }))]),
            calls([("task_stop", json!({ "job_id": "b1" }))]),
            say("All is over."),
        ],
    )]));
    world.run("Go").ends(0).says("All is over.");
    let outcomes = world.outcomes("lead");
    assert!(outcomes[2].contains("has ended: done."), "{outcomes:?}");
    assert!(
        outcomes[3].contains("has ended: stopped by lead."),
        "{outcomes:?}"
    );
    assert_eq!(asked(&world, "lead"), 5);
    assert_eq!(notices(&world, "lead").len(), 2, "told all the same");
    world.assert_at_rest();
}

#[test]
fn a_server_is_not_waited_for_for_ever_and_ends_with_the_team() {
    let world = World::playing(&play([(
        "lead",
        vec![
            in_background(&server("server")),
            say("It serves."),
            say("It is lost.").after_mail("has ended: lost: the program stopped"),
        ],
    )]));
    let flags = ["run", "--permission-mode", "bypass", "Go"];
    let short = [&flags[..], &["--background-wait-minutes", "0.02"]].concat();
    world
        .teammate(&short)
        .ends(0)
        .says("It serves.")
        .complains("waiting for lead's b1 (trap ")
        .complains("no longer waiting for lead's b1");
    assert!(!world.file("server").is_empty());
    assert!(!runs(&world, "server"));
    // Its end is reported once, when the team continues.
    world.resume().ends(0).says("It is lost.");
    world.resume().ends(0);
    assert_eq!(notices(&world, "lead").len(), 1);
    world.assert_at_rest();
}

#[test]
fn an_interrupted_run_does_not_wait_for_jobs() {
    let world = World::playing(&play([(
        "lead",
        vec![
            in_background(&server("server")),
            say("Slow").slowly(600_000),
        ],
    )]));
    let running = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    until_runs(&world, "server");
    running.signal(Signal::INT);
    running.end().ends(130);
    assert!(!runs(&world, "server"));
}

#[test]
fn a_killed_host_s_jobs_end_when_the_team_is_opened_again() {
    let world = World::playing(&play([(
        "lead",
        vec![
            in_background(&server("server")),
            say("It serves."),
            say("It is lost.").after_mail("has ended: lost"),
        ],
    )]));
    let running = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    running.until("waiting for lead's b1");
    until_runs(&world, "server");
    let team = world.teammate(&["team"]).ends(0);
    assert!(team.out.contains("\n      b1: trap "), "{}", team.out);
    running.signal(Signal::KILL);
    running.end();
    until(|| !runs(&world, "server"), || "it goes on".to_owned());
    world
        .resume()
        .ends(0)
        .says("It is lost.")
        .complains("[lead] lost: the program stopped b1: trap");
    assert_eq!(notices(&world, "lead").len(), 1);
    world.assert_at_rest();
}
