//! The audit log: who allowed what, from where; every command whole, with its exit; and what is found of a log that was changed.

use std::{fs, path::PathBuf};

use rustix::process::Signal;
use serde_json::Value;

use crate::{
    play::{Scene as _, bash, play, say, spawn},
    world::{World, json_lines},
};

fn lead(scenes: impl IntoIterator<Item = Value>) -> World {
    let scenes = scenes.into_iter().chain([say("Done.").otherwise()]);
    World::playing(&play([("lead", scenes.collect())]))
}

/// The entries of one kind.
fn entries(world: &World, event: &str) -> Vec<Value> {
    let run = world.teammate(&["audit", "--json"]).ends(0);
    let mut entries = json_lines(&run.out);
    entries.retain(|entry| entry["event"] == event);
    entries
}

/// The file of the log.
fn log_file(world: &World) -> PathBuf {
    let dir = fs::read_dir(world.path("../home/.local/state/teammate/audit")).unwrap();
    let mut files = dir.map(|entry| entry.unwrap().path());
    files
        .find(|path| path.extension().is_some_and(|ending| ending == "jsonl"))
        .unwrap()
}

// fast: the verb audit
#[test]
fn commands_are_recorded_whole_with_their_exit_and_survive_the_team() {
    let script = "echo one > one\necho two > two\nexit 3";
    let world = lead([bash(script), bash("touch denied")]);
    let arguments = [
        "run",
        "--permission-mode",
        "bypass",
        "--deny",
        "bash(touch denied)",
        "Go",
    ];
    world.teammate(&arguments).ends(0);
    fs::remove_dir_all(world.path(".team")).unwrap();

    let allowed = entries(&world, "allowed");
    assert_eq!(allowed.len(), 1, "{allowed:#?}");
    assert_eq!(allowed[0]["shows"], script);
    assert_eq!(allowed[0]["by"], "mode");
    assert_eq!(allowed[0]["member"], "lead");
    let ended = entries(&world, "ended");
    assert_eq!(
        (&ended[0]["call"], &ended[0]["exit"]),
        (&allowed[0]["call"], &Value::from(3))
    );
    let refused = entries(&world, "refused");
    assert_eq!(refused[0]["shows"], "touch denied");
    let opened = entries(&world, "opened");
    assert_eq!(opened[0]["mode"], "bypass");

    world
        .teammate(&["audit"])
        .ends(0)
        .says("lead bash allowed by the mode 'bypass'")
        .says("    echo one > one\n    echo two > two\n    exit 3\n")
        .says("lead bash ended with exit code 3 after ")
        .says(
            "lead bash refused: Not run: the command line's rule 'bash(touch denied)' forbids it",
        );
    world
        .teammate(&["audit", "verify"])
        .ends(0)
        .says("whole, as they were written");
    let mode = std::os::unix::fs::PermissionsExt::mode(
        &fs::metadata(log_file(&world)).unwrap().permissions(),
    );
    assert_eq!(mode & 0o777, 0o600);
    // What happened long ago is not asked for.
    let none = world.teammate(&["audit", "--since", "2090-01-01"]).ends(0);
    assert_eq!(none.out, "Nothing is recorded here\n");
}

#[test]
fn an_answer_is_recorded_with_where_it_came_from_and_what_it_is_bound_to() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin")]),
                say("Done: {{mail}}").after_mail("made"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", vec![bash("echo made > made.txt"), say("made")]),
    ]));
    let run = world.start(&["run", "--answers", "wait", "Go"]);
    run.until("  yes: teammate approve req_000001");
    world.teammate(&["approve", "req_000001"]).ends(0);
    run.end().ends(0);
    let answered = entries(&world, "answered");
    assert_eq!(answered.len(), 1, "{answered:#?}");
    assert_eq!(answered[0]["surface"], "other_process");
    assert_eq!(
        (&answered[0]["by"], &answered[0]["yes"]),
        (&Value::from("user"), &Value::from(true))
    );
    assert_eq!(answered[0]["shows"], "echo made > made.txt");
    let allowed = entries(&world, "allowed");
    assert_eq!(allowed[0]["by"], "answer");
    assert_eq!(allowed[0]["request"], answered[0]["request"]);
    assert_eq!(allowed[0]["digest"], answered[0]["digest"]);
    world.teammate(&["audit", "verify"]).ends(0);
}

#[test]
fn a_background_command_is_recorded_with_its_end() {
    let job = crate::play::calls([(
        "bash",
        serde_json::json!({ "command": "exit 5", "run_in_background": true }),
    )]);
    let world = lead([job]);
    world.run("Go").ends(0);
    let ended = entries(&world, "job_ended");
    assert_eq!(
        (&ended[0]["exit"], &ended[0]["how"]),
        (&Value::from(5), &Value::from("failed"))
    );
}

#[test]
fn rules_that_allowed_a_command_are_named() {
    let world = lead([bash("touch a && mkdir b")]);
    let arguments = [
        "run",
        "--allow",
        "bash(touch:*)",
        "--allow",
        "bash(ls)",
        "--allow",
        "bash(mkdir *)",
        "Go",
    ];
    world.teammate(&arguments).ends(0);
    let allowed = entries(&world, "allowed");
    assert_eq!(
        allowed[0]["rules"],
        serde_json::json!([
            "the command line's rule 'bash(touch:*)'",
            "the command line's rule 'bash(mkdir *)'"
        ])
    );
}

#[test]
fn a_changed_line_is_found() {
    let world = lead([bash("rm -rf build"), bash("true")]);
    world.run("Go").ends(0);
    let path = log_file(&world);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replace("rm -rf build", "ls -la build")).unwrap();
    world
        .teammate(&["audit", "verify"])
        .ends(1)
        .says("line 2 is not as it was written")
        .says("The audit log is damaged");
    let cut: String = text
        .lines()
        .take(2)
        .map(|line| format!("{line}\n"))
        .collect();
    fs::write(&path, cut).unwrap();
    world
        .teammate(&["audit", "verify"])
        .ends(1)
        .says("entries at the end are missing");
}

#[test]
fn a_host_that_is_killed_leaves_a_whole_log() {
    let world = lead([bash("touch begun; sleep 1000")]);
    let run = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    crate::world::until(
        || world.path("begun").exists(),
        || "it does not begin".to_owned(),
    );
    run.signal(Signal::KILL);
    run.end();
    assert_eq!(entries(&world, "allowed").len(), 1);
    let world = world.replay(&play([("lead", vec![say("Well.").otherwise()])]));
    world.resume();
    world.teammate(&["audit", "verify"]).ends(0);
    assert_eq!(entries(&world, "opened").len(), 2);
}

#[test]
fn where_it_is_required_nothing_runs_without_it() {
    let world = lead([bash("touch made")]);
    let state = world.path("../home/.local/state/teammate");
    fs::create_dir_all(&state).unwrap();
    fs::write(state.join("audit"), "in its place\n").unwrap();
    world
        .run("Go")
        .ends(0)
        .complains("No audit log is written: ");
    assert!(world.path("made").exists());

    let world = lead([bash("touch made")]);
    let home = world.path("../home");
    fs::create_dir_all(home.join(".config/teammate")).unwrap();
    fs::write(
        home.join(".config/teammate/config.toml"),
        "audit = \"required\"\n",
    )
    .unwrap();
    fs::create_dir_all(home.join(".local/state/teammate")).unwrap();
    fs::write(home.join(".local/state/teammate/audit"), "in its place\n").unwrap();
    world
        .run("Go")
        .ends(1)
        .complains("the team is not opened, because the audit log cannot be written");
    assert!(!world.path("made").exists());
}

#[test]
fn what_cannot_be_recorded_any_more_does_not_run() {
    for (audit, is_run) in [("required", false), ("on", true)] {
        let waits = "touch begun; while [ ! -e go ]; do sleep 0.02; done";
        let world = lead([bash(waits), bash("touch second")]);
        let home = world.path("../home");
        fs::create_dir_all(home.join(".config/teammate")).unwrap();
        let setting = format!("audit = \"{audit}\"\n");
        fs::write(home.join(".config/teammate/config.toml"), setting).unwrap();
        let run = world.start(&["run", "--permission-mode", "bypass", "Go"]);
        crate::world::until(
            || world.path("begun").exists(),
            || "it does not begin".to_owned(),
        );
        let dir = home.join(".local/state/teammate/audit");
        fs::remove_dir_all(&dir).unwrap();
        fs::write(&dir, "in its place\n").unwrap();
        fs::write(world.path("go"), "").unwrap();
        let run = run.end().ends(0);
        assert_eq!(world.path("second").exists(), is_run, "{audit}");
        let outcome = world.outcomes("lead")[1].clone();
        let refusal = "Not run: it has to be recorded in the audit log first";
        assert_eq!(outcome.starts_with(refusal), !is_run, "{outcome}");
        if is_run {
            let notice = "the audit log cannot be written";
            assert_eq!(run.err.matches(notice).count(), 1, "{}", run.err);
        }
    }
}

#[test]
fn a_secret_in_what_was_asked_about_is_written_nowhere() {
    let edit =
        serde_json::json!({ "path": "keys.txt", "old_string": "port=1", "new_string": "port=2" });
    let world = lead([
        crate::play::calls([("read_file", serde_json::json!({ "path": "keys.txt" }))]),
        crate::play::calls([("edit_file", edit)]),
    ])
    .env("SERVICE_TOKEN", "canary-of-the-audit");
    fs::write(
        world.path("keys.txt"),
        "token=canary-of-the-audit\nport=1\n",
    )
    .unwrap();
    let run = world.start(&["run", "--answers", "wait", "Go"]);
    run.until("  yes: teammate approve req_000001");
    world
        .teammate(&["requests", "show", "req_000001"])
        .ends(0)
        .says("[secret SERVICE_TOKEN]");
    world.teammate(&["approve", "req_000001"]).ends(0);
    let run = run.end().ends(0);
    assert_eq!(
        world.file("keys.txt"),
        "token=canary-of-the-audit\nport=2\n"
    );
    let answered = entries(&world, "answered");
    let shows = answered[0]["shows"].as_str().unwrap();
    assert!(shows.contains("[secret SERVICE_TOKEN]"), "{shows}");
    assert!(!(run.out + &run.err).contains("canary-of"));
    let state = world.path("../home/.local/state/teammate");
    for dir in [state, world.path(".team")] {
        for path in crate::world::files(&dir) {
            let text = String::from_utf8_lossy(&fs::read(&path).unwrap()).into_owned();
            assert!(!text.contains("canary-of"), "{}: {text}", path.display());
        }
    }
}

#[test]
fn a_command_that_was_interrupted_is_recorded_with_its_end() {
    let world = lead([bash("touch begun; sleep 1000")]);
    let run = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    crate::world::until(
        || world.path("begun").exists(),
        || "it does not begin".to_owned(),
    );
    run.signal(Signal::INT);
    run.end().ends(130);
    let ended = entries(&world, "ended");
    assert_eq!(ended.len(), 1, "{ended:#?}");
    assert_eq!(ended[0]["call"], entries(&world, "allowed")[0]["call"]);
    assert_eq!(
        (&ended[0]["ok"], &ended[0]["exit"]),
        (&Value::from(false), &Value::Null)
    );
    // Everything is recorded before the team is closed.
    let last = world.teammate(&["audit", "--json"]).ends(0);
    let last = json_lines(&last.out).pop().unwrap();
    assert_eq!(last["event"], "closed");
}
