//! What is left when somebody is gone: of a member that is shut down its work and its mail, of a program that is killed its
//! questions.

use std::process::Command;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say, send, spawn},
    protocols::runs,
    world::World,
};

fn git(world: &World, args: &[&str]) {
    let done = Command::new("git")
        .args(args)
        .current_dir(world.work())
        .env("HOME", "/nowhere")
        .status();
    assert!(done.unwrap().success(), "git {args:?}");
}

/// A workspace with a commit.
fn repository(world: &World) {
    git(world, &["init", "-q", "-b", "main"]);
    git(world, &["config", "user.name", "Somebody"]);
    git(world, &["config", "user.email", "somebody@example.org"]);
    git(world, &["commit", "-q", "--allow-empty", "-m", "nothing"]);
}

fn apart(name: &str, role: &str) -> (&'static str, Value) {
    let ask = json!({ "name": name, "role": role, "prompt": "Begin", "worktree": true });
    ("spawn_teammate", ask)
}

fn shut_down(name: &str, now: bool) -> Value {
    calls([("request_shutdown", json!({ "name": name, "now": now }))])
}

#[test]
fn whoever_is_shut_down_leaves_its_task_its_work_and_nothing_that_runs() {
    let mark = format!("sleep 985{}", std::process::id());
    let serve = json!({ "command": mark, "run_in_background": true });
    let task = json!({ "subject": "Forge a nail", "requires": "role:smith" });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([
                    ("create_task", task),
                    apart("alice", "smith"),
                    apart("bob", "coder"),
                ])
                .after("The job"),
                bash("until test -e .team/worktrees/alice/nail; do sleep 0.02; done")
                    .after("'bob'"),
                shut_down("alice", true).after("exit status 0"),
                shut_down("bob", false).after("alice"),
                say("Both are gone.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([("claim_task", json!({ "task_id": 1 }))]),
                calls([("bash", serve)]),
                bash("echo half > nail; sleep 600"),
            ],
        ),
        ("bob", vec![say("ready").otherwise()]),
    ]));
    repository(&world);
    let run = world.start(&["run", "--permission-mode", "bypass", "The job"]);
    run.until("[alice] stopped: at once, without being asked");
    run.until("[bob] stopped: agreed to shut down");
    let _ = run.end();
    assert!(!runs(&mark), "her server runs on");
    let task: Value = serde_json::from_str(&world.file(".team/tasks/1.json")).unwrap();
    assert_eq!(task["status"], "pending", "{task}");
    let nail = world.file(".team/worktrees/alice/nail");
    assert_eq!(nail, "half\n");
    assert!(!world.path(".team/worktrees/bob").exists());
    // The outcomes of the calls say it, and no mail besides.
    let told = world.outcomes("lead").join("\n");
    assert!(told.contains("Its worktree is kept: "), "{told}");
    assert_eq!(told.matches("is stopped (req_").count(), 2, "{told}");
    let heard = world.heard("lead").join("\n");
    assert!(!heard.contains("teammate_terminated"), "{heard}");
}

#[test]
fn mail_that_a_stopped_member_has_not_heard_is_heard_when_it_is_woken() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("The job"),
                bash("until test -e begun; do sleep 0.02; done").after("'alice'"),
                send("alice", "Mind the gap").after("exit status 0"),
                shut_down("alice", true).after("Sent"),
                spawn([("alice", "coder", "Go on")]).after("is stopped"),
                say("She minds it.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                bash("touch begun; sleep 600").after("Begin"),
                say("I mind the gap.").otherwise(),
            ],
        ),
    ]));
    world.run("The job").ends(0).says("She minds it.");
    let told = world.outcomes("lead").join("\n");
    let waits = "It has 1 unread message.";
    assert!(told.contains(waits), "{told}");
    let heard = world.heard("alice");
    let gap = heard.iter().filter(|mail| mail.contains("Mind the gap"));
    assert_eq!(gap.count(), 1, "{heard:?}");
    world.assert_at_rest();
}

// fast: questions survive kills
#[test]
fn a_question_outlives_a_kill_and_a_yes_lets_its_call_run_once() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]).after("Go"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![bash("echo x >> x"), say("It is done.").otherwise()],
        ),
    ]));
    let asked = "asks: run echo x >> x (req_000001, no in";
    let mut run = world.start(&["run", "--answers", "wait", "Go"]);
    for _ in 0..2 {
        run.until(asked);
        run.signal(Signal::KILL);
        let _ = run.end();
        run = world.start(&["resume", "--answers", "wait"]);
    }
    run.until(asked);
    assert!(!world.path("x").exists(), "not before the answer");
    world.teammate(&["approve", "req_000001"]).ends(0);
    run.end().ends(0).complains("allowed (user, req_000001)");
    assert_eq!(world.file("x"), "x\n");
    world.resume().ends(0);
    assert_eq!(world.file("x"), "x\n", "once");
    world.assert_at_rest();
}

#[test]
fn a_yes_that_comes_while_nobody_runs_the_team_counts_when_it_is_opened() {
    let world = World::playing(&play([(
        "lead",
        vec![bash("echo x >> x"), say("It is done.").otherwise()],
    )]));
    let run = world.start(&["run", "--answers", "wait", "Go"]);
    run.until("asks: run echo x >> x (req_000001, no in");
    run.signal(Signal::KILL);
    let _ = run.end();
    world.teammate(&["approve", "1"]).ends(0);
    world
        .teammate(&["resume", "--answers", "wait"])
        .ends(0)
        .says("It is done.");
    assert_eq!(world.file("x"), "x\n");
}
