//! The plan gate, told end to end: an approval is for one piece of work and ends with it, nothing goes on behind a closed gate,
//! and what the user requires no model lifts.

use std::io::Write as _;

use rustix::process::Signal;
use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say, send},
    protocols::happened,
    world::{Running, World, until},
};

fn spawn(name: &str, prompt: &str, plan: bool) -> (&'static str, Value) {
    let input = json!({ "name": name, "role": "coder", "prompt": prompt, "require_plan": plan });
    ("spawn_teammate", input)
}

fn write(path: &str) -> Value {
    calls([("write_file", json!({ "path": path, "content": "x\n" }))])
}

fn submit(plan: &str) -> Value {
    calls([("submit_plan", json!({ "plan": plan }))])
}

fn again(mut scene: Value) -> Value {
    scene["repeat"] = true.into();
    scene
}

/// How a member's gate stands, as other programs see it.
fn gate(world: &World, name: &str) -> Value {
    let config = world.config();
    let mut members = config["members"].as_array().unwrap().iter();
    let member = members.find(|member| member["name"] == name).unwrap();
    member["plan"].clone()
}

/// The lead approves whatever plan comes.
fn approves() -> Value {
    let yes = json!({ "request_id": "{{request_id}}", "approve": true, "feedback": "go on" });
    let mut scene = again(calls([("review_plan", yes)]));
    scene["when"] = json!({ "mail_type": "plan_approval_request" });
    scene
}

fn waits() -> Value {
    say("I wait.").otherwise()
}

fn outcome_with<'a>(outcomes: &'a [String], text: &str) -> &'a str {
    let found = outcomes.iter().find(|outcome| outcome.contains(text));
    found.unwrap_or_else(|| panic!("no outcome says '{text}': {outcomes:#?}"))
}

const ENDED: &str = "the approval of req_000001 ended with the work that it was for";

/// Alice writes what was approved, and tries more when she is asked for it. `{{mail}}` names the file.
fn willing() -> Vec<Value> {
    vec![
        submit("write first.txt").after("PLAN"),
        write("first.txt").after("[Plan approved]"),
        again(write("second.txt").after("NEWJOB")),
        again(write("third.txt").after("something else")),
        again(calls([("claim_task", json!({ "task_id": 1 }))]).after("the board")),
        say("done what I may").otherwise(),
    ]
}

#[test]
fn an_approved_plan_is_no_pass_for_what_comes_after_it() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([spawn("alice", "PLAN it", true)]).after("GO1"),
                approves(),
                calls([spawn("alice", "NEWJOB", false)]).after("GO2"),
                send("alice", "do something else").after("GO3"),
                calls([
                    ("create_task", json!({ "subject": "drop the database" })),
                    (
                        "send_message",
                        json!({ "to": "alice", "content": "look at the board" }),
                    ),
                ])
                .after("GO4"),
                waits(),
            ],
        ),
        ("alice", willing()),
    ]));
    world.run("GO1").ends(0);
    assert_eq!(world.file("first.txt"), "x\n");
    assert_eq!(gate(&world, "alice"), "wanted");
    // A wake with a new assignment, plain mail, and the board.
    for job in ["GO2", "GO3", "GO4"] {
        world.run(job).ends(0);
        assert_eq!(gate(&world, "alice"), "wanted", "{job}");
    }
    for path in ["second.txt", "third.txt"] {
        assert!(!world.path(path).exists(), "{path} was written");
    }
    let outcomes = world.outcomes("alice");
    outcome_with(&outcomes, "before you claim or complete a task");
    let refused = outcomes.iter().filter(|said| said.starts_with("Not run: "));
    assert_eq!(refused.count(), 2, "{outcomes:#?}");
    let board = world.teammate(&["tasks", "--json"]).ends(0).out;
    assert!(board.contains("\"status\":\"pending\""), "{board}");
    world.assert_at_rest();
}

#[test]
fn in_one_turn_the_approval_ends_with_the_task_or_the_result() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([
                    ("create_task", json!({ "subject": "first" })),
                    spawn("alice", "PLAN it", true),
                ])
                .after("GO"),
                approves(),
                waits(),
            ],
        ),
        (
            "alice",
            vec![
                submit("claim the task").after("PLAN"),
                calls([
                    ("claim_task", json!({ "task_id": 1 })),
                    (
                        "write_file",
                        json!({ "path": "claimed.txt", "content": "x" }),
                    ),
                    ("submit_plan", json!({ "plan": "do the task" })),
                ])
                .after("(req_000001) Do exactly"),
                calls([
                    ("write_file", json!({ "path": "task.txt", "content": "x" })),
                    ("complete_task", json!({ "task_id": 1, "result": "done" })),
                    ("write_file", json!({ "path": "after.txt", "content": "x" })),
                ])
                .after("(req_000002) Do exactly"),
                waits(),
            ],
        ),
    ]));
    world.run("GO").ends(0);
    let outcomes = world.outcomes("alice");
    outcome_with(&outcomes, ENDED);
    outcome_with(&outcomes, "the approval of req_000002 ended");
    assert!(world.path("task.txt").exists());
    for path in ["claimed.txt", "after.txt"] {
        assert!(!world.path(path).exists(), "{path}: {outcomes:#?}");
    }
}

#[test]
fn who_says_that_its_work_goes_on_keeps_its_approval_and_the_lead_hears_why() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([spawn("alice", "PLAN it", true)]).after("GO"),
                approves(),
                send("alice", "here is the schema").after_mail("waits for the schema"),
                waits(),
            ],
        ),
        (
            "alice",
            vec![
                submit("two steps").after("PLAN"),
                write("one.txt").after("[Plan approved]"),
                calls([("idle", json!({ "waits_for": "the schema" }))]).after("one.txt"),
                write("two.txt").after("here is the schema"),
                waits(),
            ],
        ),
    ]));
    let run = world.run("GO").ends(0);
    assert!(
        run.err.contains("[alice] waits for the schema"),
        "{}",
        run.err
    );
    assert!(world.path("one.txt").exists() && world.path("two.txt").exists());
    let told = "alice idle_notification: waits for the schema and continues then";
    let heard = world.heard("lead");
    assert!(heard.iter().any(|mail| mail == told), "{heard:#?}");
    // And with the result it is over.
    assert_eq!(gate(&world, "alice"), "wanted");
}

#[test]
fn an_interrupt_and_a_kill_keep_an_approval_for_the_same_work() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([spawn("alice", "PLAN it", true)]).after("GO"),
                approves(),
                waits(),
            ],
        ),
        (
            "alice",
            vec![
                submit("slowly").after("PLAN"),
                bash("touch begun; sleep 600").after("[Plan approved]"),
                again(bash("touch again; sleep 600").after("go on")),
                again(write("made.txt").after("may have done all, part or none")),
                waits(),
            ],
        ),
    ]));
    let at = |file: &'static str| {
        until(
            || world.path(file).exists(),
            || format!("{file}: {:#?}", world.outcomes("alice")),
        );
    };
    let host = world.start(&["run", "--permission-mode", "bypass", "GO"]);
    at("begun");
    host.signal(Signal::INT);
    let _ = host.end();
    world.teammate(&["send", "alice", "go on"]).ends(0);
    let host = world.start(&["resume", "--permission-mode", "bypass"]);
    at("again");
    host.signal(Signal::KILL);
    let _ = host.end();
    world.resume().ends(0);
    assert_eq!(world.file("made.txt"), "x\n");
}

#[test]
fn an_answer_is_heard_before_anything_is_taken_from_the_board() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([(
                    "spawn_teammate",
                    json!({ "name": "alice", "role": "coder", "prompt": "PLAN it" }),
                )])
                .after("GO"),
                // In an answer of its own: else she would hear of it beside her prompt.
                calls([
                    ("create_task", json!({ "subject": "board job" })),
                    ("update_task", json!({ "task_id": 1, "owner": "alice" })),
                ])
                .after("'alice'"),
                approves().slowly(50),
                waits(),
            ],
        ),
        (
            "alice",
            vec![
                submit("write a file").after("PLAN"),
                write("planned.txt").after("[Plan approved]"),
                calls([("complete_task", json!({ "task_id": 1 }))]).after("Task #1 is yours"),
                waits(),
            ],
        ),
    ]));
    world.run("GO").ends(0);
    let heard = world.heard("alice");
    let at = |text: &str| {
        let found = heard.iter().position(|mail| mail.contains(text));
        found.unwrap_or_else(|| panic!("'{text}' was not heard: {heard:#?}"))
    };
    assert!(at("[Plan approved]") < at("Task #1 is yours"));
    // In a turn of its own: what was approved was over by then.
    let entries = world.entries("alice");
    let together = entries.iter().any(|entry| {
        let entry = format!("{entry:?}");
        entry.contains("Task #1 is yours") && entry.contains("[Plan approved]")
    });
    assert!(!together && world.path("planned.txt").exists());
}

#[test]
fn what_runs_in_the_background_ends_when_a_plan_is_required() {
    let mark = format!("sleep 97{}", std::process::id());
    let serve = |command: &str| json!({ "command": command, "run_in_background": true });
    let puppet =
        format!("touch begun; while sleep 0.05; do test -e go && touch puppet; done; {mark}");
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([spawn("alice", "Begin", false)]).after("GO"),
                bash("until test -e begun -a -e left -a -e at-it; do sleep 0.02; done").after("'alice'"),
                calls([("request_plan", json!({ "name": "alice", "task": "the rest" }))])
                    .after("exit status 0"),
                bash("touch go; sleep 1").after("Asked 'alice'"),
                waits(),
            ],
        ),
        (
            "alice",
            vec![
                calls([("bash", serve(&puppet))]).after("Begin"),
                // What a command leaves running ends, too.
                bash(&format!("setsid sh -c 'touch left; while sleep 0.05; do test -e go && touch left-puppet; done; {mark}' > /dev/null 2>&1 &"))
                    .after("b1"),
                // And what is on its way at that moment.
                bash(&format!("touch at-it; while sleep 0.05; do test -e go && touch busy; done; {mark}")),
                waits(),
            ],
        ),
    ]));
    world.run("GO").ends(0);
    for path in ["puppet", "left-puppet", "busy"] {
        assert!(
            !world.path(path).exists(),
            "{path} was made behind a closed gate"
        );
    }
    let said = world.outcomes("lead");
    let asked = outcome_with(&said, "Asked 'alice' for a plan");
    assert!(
        asked.contains("Its background jobs were ended: b1 (touch begun;"),
        "{asked}"
    );
    let heard = world.heard("alice");
    let told = "Your background jobs were ended: b1 (touch begun;";
    assert!(heard.iter().any(|mail| mail.contains(told)), "{heard:#?}");
    outcome_with(
        &world.outcomes("alice"),
        "Stopped: your plan gate was closed",
    );
}

#[test]
fn running_subagents_end_when_a_plan_is_required() {
    let apart = json!({ "prompt": "work", "run_in_background": true });
    let busy = |path: &str| {
        bash(&format!(
            "touch {path}; while sleep 0.05; do test -e go && touch {path}-late; done"
        ))
    };
    let world = World::playing(&json!({ "members": {
        "lead": [
            calls([spawn("alice", "Begin", false)]).after("GO"),
            bash("until test -e apart -a -e near; do sleep 0.02; done").after("'alice'"),
            calls([("request_plan", json!({ "name": "alice", "task": "the rest" }))])
                .after("exit status 0"),
            bash("touch go; sleep 1").after("Asked 'alice'"),
            waits(),
        ],
        "alice": [
            calls([("task", apart)]).after("Begin"),
            calls([("task", json!({ "prompt": "near" }))]).after("b1"),
            waits(),
        ],
        "alice/*": [busy("near").after("near"), busy("apart"), waits()],
    } }));
    world.run("GO").ends(0);
    for path in ["near-late", "apart-late"] {
        assert!(
            !world.path(path).exists(),
            "{path} was made behind a closed gate"
        );
    }
    let said = world.outcomes("lead");
    assert!(outcome_with(&said, "Asked 'alice'").contains("were ended: b1 ("));
}

#[test]
fn the_lead_lifts_what_the_lead_required() {
    let lift = json!({ "name": "alice", "lift": true });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([spawn("alice", "Begin", true), ("wait_for_team", json!({}))]).after("GO"),
                calls([("request_plan", lift)]).after("Not run"),
                calls([("request_plan", json!({ "name": "alice", "lift": true }))])
                    .after_mail_from("alice"),
                waits(),
            ],
        ),
        (
            "alice",
            vec![
                write("early.txt").after("Begin"),
                write("late.txt").after("You no longer need an approved plan"),
                waits(),
            ],
        ),
    ]));
    world.run("GO").ends(0);
    assert!(!world.path("early.txt").exists());
    assert!(world.path("late.txt").exists());
    outcome_with(
        &world.outcomes("lead"),
        "'alice' no longer needs an approved plan",
    );
}

/// The prompt, with what is typed there one line after the other, each when the screen has shown a text.
fn typed(world: &World, flags: &[&str], lines: &[(&str, &str)]) -> Running {
    let mut command = world.command(flags);
    command.stdin(std::process::Stdio::piped());
    let mut run = world.launch(command);
    let mut stdin = run.stdin();
    for (line, shown) in lines {
        writeln!(stdin, "{line}").unwrap();
        run.until(shown);
    }
    drop(stdin);
    run
}

#[test]
fn what_the_user_requires_no_trick_of_the_leads_model_lifts() {
    let lift = json!({ "name": "bob", "lift": true });
    let fresh = json!({ "name": "bob", "role": "coder", "prompt": "NEW", "fresh": true, "require_plan": false });
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([spawn("bob", "Begin", false)]).after("GO"),
                calls([("request_plan", lift), ("spawn_teammate", fresh)]).after("TRICK"),
                say("tricked").after("Spawned 'bob'"),
                waits(),
            ],
        ),
        (
            "bob",
            vec![
                again(write("tricked.txt").after("NEW")),
                again(write("lifted.txt").after("no longer need")),
                say("bob rests").otherwise(),
            ],
        ),
    ]));
    let run = typed(
        &world,
        &["--permission-mode", "bypass", "--plan-approver", "user"],
        &[
            ("GO", "bob rests"),
            (
                "/plan bob everything you do",
                "bob may only read until you approve its plan",
            ),
            ("TRICK", "tricked"),
            ("/team", "as the user requires"),
            ("/plan bob off", "bob no longer needs an approved plan"),
        ],
    );
    until(
        || world.path("lifted.txt").exists(),
        || format!("not lifted: {:#?}", world.outcomes("bob")),
    );
    let _ = run.end();
    assert!(
        !world.path("tricked.txt").exists(),
        "{:#?}",
        world.outcomes("bob")
    );
    outcome_with(
        &world.outcomes("lead"),
        "the user requires plans of 'bob', and only the user can lift that",
    );
}

fn planning() -> World {
    World::playing(&play([
        (
            "lead",
            vec![calls([spawn("bob", "PLAN it", true)]).after("GO"), waits()],
        ),
        (
            "bob",
            vec![
                submit("write a file").after("PLAN"),
                write("made.txt").after("[Plan approved]"),
                waits(),
            ],
        ),
    ]))
}

#[test]
fn a_mode_that_comes_with_an_approval_is_in_force_or_refused_with_the_reason() {
    for (team, given, is_possible) in [
        ("ask", "accept-edits", false),
        ("accept-edits", "accept-edits", true),
    ] {
        let world = planning();
        let run = world.start(&[
            "run",
            "--permission-mode",
            team,
            "--plan-approver",
            "user",
            "--answers",
            "wait",
            "GO",
        ]);
        run.until("req_000001");
        let approve = world.teammate(&["approve", "1", "--mode", given]);
        if is_possible {
            let said = format!("bob's permission mode is now '{given}'");
            approve.ends(0).says(&said);
        } else {
            approve.ends(1).complains(&format!(
                "mode '{given}' is above the team's own ('{team}'), which no member may exceed; nothing was answered"
            ));
            assert_eq!(happened(&world), ["1 opened plan"]);
            world.teammate(&["approve", "1"]).ends(0);
            run.until("write_file");
            world.teammate(&["deny", "2"]).ends(0);
        }
        run.end().ends(0);
        assert_eq!(world.path("made.txt").exists(), is_possible, "{team}");
        let told = world
            .heard("bob")
            .iter()
            .any(|mail| mail.contains("permission mode is now"));
        assert_eq!(told, is_possible, "{team}");
    }
}

#[test]
fn a_plan_that_nobody_can_be_asked_about_counts_as_refused() {
    let run = [
        "run",
        "--permission-mode",
        "bypass",
        "--plan-approver",
        "user",
    ];
    planning()
        .teammate(&[&run[..], &["GO"]].concat())
        .ends(4)
        .complains("--plan-approver lead");
    let run = planning().teammate(&[&run[..], &["--output-format", "json", "GO"]].concat());
    let result: Value = serde_json::from_str(&run.ends(4).out).unwrap();
    assert!(result.to_string().contains("\"refused\":1"), "{result}");
}
