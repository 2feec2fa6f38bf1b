//! An approval is for one piece of work and ends with it.

use rustix::process::Signal;

use super::*;

const ENDED: &str = "the approval of req_000001 ended with the work that it was for";

/// Alice writes what was approved, and tries more when she is asked for it. `{{mail}}` names the file.
fn willing() -> Vec<Value> {
    vec![
        submit("write first.txt").after("PLAN"),
        write("first.txt").after("[Plan approved]"),
        write("second.txt").after("NEWJOB").again(),
        write("third.txt").after("something else").again(),
        calls([("claim_task", json!({ "task_id": 1 }))])
            .after("the board")
            .again(),
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
                bash("touch again; sleep 600").after("go on").again(),
                write("made.txt")
                    .after("may have done all, part or none")
                    .again(),
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
