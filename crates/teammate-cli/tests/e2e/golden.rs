//! What each `--json` and `--output-format json` prints, as golden files: one team's life, looked at with every command. Times,
//! ids, sizes and places are put in words; everything else stands there as scripts get it.

use std::{fs, path::Path};

use serde_json::{Map, Value, json};
use teammate_testkit::assert_golden;

use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    world::{Running, World, json_lines, until},
};

/// Names whose numbers differ from run to run: what is measured, and how often the lead is woken by what comes at once.
const MEASURED: [&str; 20] = [
    "model_calls",
    "mail_sent",
    "requests",
    "turns",
    "input",
    "output",
    "cache_read",
    "cache_write",
    "cache_percent",
    "tokens_in",
    "tokens_out",
    "unpriced_tokens",
    "worked",
    "worked_ms",
    "duration_ms",
    "took_ms",
    "millis",
    "ms",
    "pid",
    "bytes",
];

/// Later than this in seconds is a moment.
const A_MOMENT: f64 = 1_600_000_000.0;

/// The value with what differs from run to run in words.
fn normal(value: Value, world: &World) -> Value {
    match value {
        Value::Object(fields) => {
            let fields = fields.into_iter().map(|(name, value)| {
                let value = match value {
                    Value::Number(_) if MEASURED.contains(&name.as_str()) => json!("A NUMBER"),
                    value => normal(value, world),
                };
                (normal_text(&name, world), value)
            });
            fields.collect::<Map<_, _>>().into()
        }
        Value::Array(all) => all.into_iter().map(|one| normal(one, world)).collect(),
        Value::Number(number) if number.as_f64().is_some_and(|it| it > A_MOMENT) => {
            json!("A MOMENT")
        }
        Value::String(text) => normal_text(&text, world).into(),
        value @ (Value::Null | Value::Bool(_) | Value::Number(_)) => value,
    }
}

fn normal_text(text: &str, world: &World) -> String {
    let root = world.work().parent().unwrap().display().to_string();
    let text = text.replace(&root, "ROOT");
    let words = text.split(' ').map(|word| {
        let is_id = word.len() == 36 && word.chars().filter(|&c| c == '-').count() == 4;
        let is_digest = word.len() == 64 && word.bytes().all(|byte| byte.is_ascii_hexdigit());
        let is_call = word.starts_with("toolu_") || word.starts_with("call_");
        match word {
            _ if is_id => "AN-ID",
            _ if is_digest => "A-DIGEST",
            _ if is_call => "A-CALL",
            _ => word,
        }
    });
    let text = words.collect::<Vec<_>>().join(" ");
    match text.split_once("process ") {
        Some((before, pid)) => {
            let after = pid.trim_start_matches(|c: char| c.is_ascii_digit());
            format!("{before}process PID{after}")
        }
        None => text,
    }
}

#[track_caller]
fn same(golden: &str, value: &Value) {
    let file = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/golden/json")
        .join(format!("{golden}.json"));
    let written = format!("{}\n", serde_json::to_string_pretty(value).unwrap());
    assert_golden(&file, &written);
}

/// Runs a command that prints one JSON value, and holds it against its golden file.
#[track_caller]
fn prints(world: &World, golden: &str, arguments: &[&str]) {
    let run = world.command(arguments).output().unwrap();
    let value =
        serde_json::from_slice(&run.stdout).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    same(golden, &normal(value, world));
}

/// All fields that the lines of each kind have, by kind: which line comes first is chance.
fn by_kind(lines: &[Value]) -> Value {
    let mut kinds = json!({});
    for line in lines.iter().filter(|line| line["event"] != "result") {
        merge(&mut kinds[line["event"].as_str().unwrap()], fields(line));
    }
    kinds.sort_all_objects();
    kinds
}

fn merge(all: &mut Value, more: Value) {
    match (all, more) {
        (Value::Object(all), Value::Object(more)) => {
            for (name, value) in more {
                merge(all.entry(name).or_insert(Value::Null), value);
            }
        }
        (all, more) if all.is_null() || more != "null" => *all = more,
        _ => {}
    }
}

/// The names of a value's fields, each with the kind of its value: an event's values have golden lines of their own.
fn fields(value: &Value) -> Value {
    match value {
        Value::Object(all) => {
            let all = all
                .iter()
                .map(|(name, value)| (name.clone(), fields(value)));
            all.collect::<Map<_, _>>().into()
        }
        Value::Array(_) => json!("a list"),
        Value::Null => json!("null"),
        Value::Bool(_) => json!("a bool"),
        Value::Number(_) => json!("a number"),
        Value::String(_) => json!("a text"),
    }
}

/// The fields of an exported run: whose entries there are, and how many, is chance.
fn form_of_export(run: &Value) -> Value {
    let lists = ["conversations", "members", "mail", "tasks", "requests"];
    let mut form = fields(run);
    let mut entries = json!({});
    for (list, one) in lists.iter().flat_map(|list| {
        let all = run[list].as_array().unwrap().iter();
        all.map(move |one| (list, one))
    }) {
        if form[list] == "a list" {
            form[list] = json!({});
        }
        merge(&mut form[list], fields(one));
        for entry in one["entries"].as_array().into_iter().flatten() {
            merge(&mut entries[entry["kind"].as_str().unwrap()], fields(entry));
        }
    }
    form["members"]["entries"] = entries;
    form["cost"]["members"] = json!("by name");
    form["cost"]["total"]["models"] = json!("by name");
    form.sort_all_objects();
    form
}

/// A lead that puts a task on the board and spawns alice in a worktree, who claims it and asks twice.
fn world() -> World {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([(
                    "create_task",
                    json!({
                        "subject": "Write the notes", "description": "Two of them.", "requires": "role:coder",
                    }),
                )]),
                spawn([("alice", "coder", "Begin")]),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([("claim_task", json!({ "task_id": 1 }))]),
                calls([(
                    "todo_write",
                    json!({ "items": [{ "content": "Write", "status": "in_progress" }] }),
                )]),
                bash("echo one > one.txt"),
                bash("echo two > two.txt"),
                calls([(
                    "update_task",
                    json!({ "task_id": 1, "status": "completed", "result": "Two notes" }),
                )]),
                say("All written"),
                say("Heard.").otherwise(),
            ],
        ),
    ]));
    let config = world.path("../config.toml");
    fs::write(
        &config,
        "currency = \"EUR\"\n[prices.\"scripted:*\"]\ninput = 0\noutput = 0\n",
    )
    .unwrap();
    world.env("TEAMMATE_CONFIG", &config.display().to_string())
}

/// Waits until a request is open, and its member's turn stands still.
fn asked(world: &World, run: &Running, id: &str) {
    let seen = || fs::read_to_string(world.path(".team/config.json")).unwrap_or_default();
    until(
        || seen().contains(id),
        || format!("{}{}", seen(), run.err()),
    );
}

// fast: what scripts read stays
#[test]
fn what_scripts_read_is_what_they_always_read() {
    let world = world();
    let run = world.start(&[
        "run",
        "--answers",
        "wait",
        "--output-format",
        "stream-json",
        "--deny",
        "bash(git push:*)",
        "Write two notes",
    ]);
    asked(&world, &run, "req_000001");
    prints(&world, "team-while-asking", &["team", "--json"]);
    prints(&world, "requests", &["requests", "--json"]);
    prints(
        &world,
        "request",
        &["requests", "show", "req_000001", "--json"],
    );
    prints(
        &world,
        "approve",
        &["approve", "req_000001", "--note", "go on", "--json"],
    );
    asked(&world, &run, "req_000002");
    prints(
        &world,
        "deny",
        &["deny", "req_000002", "--because", "one is enough", "--json"],
    );
    let run = run.end();
    let lines = json_lines(&run.out);
    same("events-by-kind", &by_kind(&lines));
    same("result", &normal(lines.last().unwrap().clone(), &world));

    prints(&world, "team", &["team", "--json"]);
    prints(&world, "teams", &["team", "--all", "--json"]);
    prints(&world, "tasks", &["tasks", "--json"]);
    prints(&world, "task", &["tasks", "show", "1", "--json"]);
    prints(
        &world,
        "task-added",
        &["tasks", "add", "Read them", "--blocked-by", "1", "--json"],
    );
    prints(&world, "requests-all", &["requests", "--all", "--json"]);
    prints(&world, "conversations", &["conversations", "--json"]);
    prints(&world, "worktrees", &["worktrees", "--json"]);
    prints(&world, "cost", &["cost", "--json"]);
    prints(&world, "rules", &["rules", "--json"]);
    let export = world.teammate(&["export", "--json"]).ends(0);
    same(
        "export",
        &form_of_export(&serde_json::from_str(&export.out).unwrap()),
    );
    world.teammate(&["send", "alice", "Thank you"]).ends(0);
    prints(&world, "inbox", &["inbox", "alice", "--json"]);
    prints(&world, "stop", &["stop", "alice", "--json"]);
    let log = world.teammate(&["log", "--json"]).ends(0);
    same("log-by-kind", &by_kind(&json_lines(&log.out)));
}

#[test]
fn a_refused_job_has_a_result_too() {
    let world = World::playing(&play([(
        "lead",
        vec![bash("rm -rf build"), say("Not allowed.").otherwise()],
    )]));
    let run = world
        .teammate(&["run", "--output-format", "json", "Clean up"])
        .ends(4);
    let value = serde_json::from_str(&run.out).unwrap();
    same("result-refused", &normal(value, &world));
}
