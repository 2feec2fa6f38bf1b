//! What other programs get is what was published: every JSON that the program prints in these tests, every golden line and every
//! example of the documents fits its schema, closed to fields that the schema does not name.

use std::{collections::BTreeSet, fs, path::Path};

use serde_json::{Value, json};
use teammate::{
    Event,
    schema::{self, Schema},
};

use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    world::{World, json_lines},
};

/// The schema, with no room for what it does not name. Where everything is allowed, it stays so.
fn closed(schema: &str) -> Schema {
    let mut schema: Value = serde_json::from_str(schema).unwrap();
    close(&mut schema);
    Schema::of(&schema).unwrap()
}

fn close(schema: &mut Value) {
    match schema {
        Value::Object(words) => {
            words.values_mut().for_each(close);
            if words.contains_key("properties") && words.get("type") == Some(&json!("object")) {
                words.entry("additionalProperties").or_insert(json!(false));
            }
        }
        Value::Array(all) => all.iter_mut().for_each(close),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

#[track_caller]
fn assert_fits(schema: &Schema, value: &Value) {
    let misfits = schema.check(value);
    let misfits: Vec<String> = misfits.iter().map(ToString::to_string).collect();
    assert!(misfits.is_empty(), "{}\n{value}", misfits.join("\n"));
}

/// What the program printed fits what was published of it.
#[track_caller]
pub(crate) fn assert_as_published(arguments: &[String], out: &str) {
    let says = |word: &str| arguments.iter().any(|argument| argument == word);
    if says("as-claude") {
        // It prints what another program published.
        return;
    }
    let values = || {
        let lines = out.lines().map(serde_json::from_str::<Value>);
        // Half a line, where the program was killed or its reader went.
        lines.filter_map(Result::ok).collect::<Vec<_>>()
    };
    let is_result = |value: &Value| value["event"] == "result";
    if says("stream-json") || says("json") {
        let (events, result) = (closed(schema::EVENTS), closed(schema::RESULT));
        for value in values() {
            assert_fits(if is_result(&value) { &result } else { &events }, &value);
        }
    } else if says("--json") {
        let published = [
            ("team", schema::TEAM),
            ("tasks", schema::TASKS),
            ("log", schema::EVENTS),
        ];
        // The command is the first of them: `log team` is a log.
        let command = arguments
            .iter()
            .find_map(|argument| published.iter().find(|(verb, _)| verb == argument));
        if let Some((_, schema)) = command {
            let schema = closed(schema);
            values()
                .iter()
                .for_each(|value| assert_fits(&schema, value));
        }
    }
}

fn repository(path: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../..")
        .join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All kinds of events there are: a name that is none is refused with all that are.
fn kinds() -> BTreeSet<String> {
    let none = json!({ "at": 0, "member": "lead", "event": "none such" });
    let refusal = serde_json::from_value::<Event>(none)
        .unwrap_err()
        .to_string();
    let (_, listed) = refusal.split_once("expected one of ").unwrap();
    let words = listed.split('`').skip(1).step_by(2);
    words.map(str::to_owned).collect()
}

/// The kinds of events in these lines, all of which fit.
fn kinds_in(lines: &[Value]) -> BTreeSet<String> {
    let events = closed(schema::EVENTS);
    for line in lines {
        assert_fits(&events, line);
        serde_json::from_value::<Event>(line.clone())
            .unwrap_or_else(|error| panic!("{error}: {line}"));
    }
    lines
        .iter()
        .map(|line| line["event"].as_str().unwrap().to_owned())
        .collect()
}

#[test]
fn every_kind_of_event_has_a_schema_and_every_golden_line_fits_it() {
    let schema: Value = serde_json::from_str(schema::EVENTS).unwrap();
    let alternatives = schema["oneOf"].as_array().unwrap();
    let named = alternatives
        .iter()
        .map(|one| one["$ref"].as_str().unwrap().replace("#/$defs/", ""));
    assert_eq!(named.collect::<BTreeSet<_>>(), kinds());
    let golden = repository("crates/teammate-store/tests/golden/events-1.jsonl");
    assert_eq!(kinds_in(&json_lines(&golden)), kinds());
}

#[test]
fn a_field_that_no_schema_names_and_one_that_is_missing_are_found() {
    let events = closed(schema::EVENTS);
    let line = json!({ "at": 1, "member": "lead", "event": "notice", "text": "look out" });
    assert_fits(&events, &line);
    let with = |name: &str, value: Value| {
        let mut line = line.clone();
        line[name] = value;
        events.check(&line)
    };
    assert!(!with("new", json!(1)).is_empty());
    assert!(!with("text", json!(1)).is_empty());
    assert!(!with("event", json!("none such")).is_empty());
    // Others may read with the schema as it is: new fields come with any version.
    let open = Schema::read(schema::EVENTS).unwrap();
    let mut newer = line.clone();
    newer["new"] = json!(1);
    assert_fits(&open, &newer);
}

#[test]
fn the_documents_show_every_kind_of_event_and_the_result_as_they_are() {
    let text = repository("docs/events.md");
    let shown = text
        .lines()
        .filter(|line| line.starts_with("{\""))
        .collect::<Vec<_>>()
        .join("\n");
    let (results, events): (Vec<Value>, Vec<Value>) = json_lines(&shown)
        .into_iter()
        .partition(|line| line["event"] == "result");
    assert_eq!(kinds_in(&events), kinds());
    assert_eq!(results.len(), 1);
    assert_fits(&closed(schema::RESULT), &results[0]);
    for kind in kinds() {
        assert!(
            text.contains(&format!("### `{kind}`")),
            "{kind} has no heading"
        );
    }
}

// fast: the verb schema
#[test]
fn the_published_schemas_are_printed() {
    let world = World::with_model("");
    for (of, schema) in [
        ("events", schema::EVENTS),
        ("result", schema::RESULT),
        ("team", schema::TEAM),
        ("tasks", schema::TASKS),
    ] {
        let run = world.teammate(&["schema", of]).ends(0);
        assert_eq!(run.out.trim_end(), schema.trim_end());
    }
    world.teammate(&["schema", "mail"]).ends(2);
}

// fast: the verbs team and tasks as JSON
#[test]
fn the_team_and_the_board_are_printed_as_published_whatever_their_state() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([
                    (
                        "create_task",
                        json!({ "subject": "one", "check": "true", "requires": "role:coder" }),
                    ),
                    (
                        "create_task",
                        json!({ "subject": "two", "blocked_by": [1] }),
                    ),
                    (
                        "create_task",
                        json!({ "subject": "three", "requires": "role:nobody" }),
                    ),
                ]),
                spawn([("alice", "coder", "Take one")]),
                say("Begun.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([(
                    "bash",
                    json!({ "command": "sleep 300", "run_in_background": true }),
                )]),
                calls([("claim_task", json!({ "id": 1 }))]),
                calls([("complete_task", json!({ "id": 1, "result": "one is done" }))]),
                bash("sleep 301"),
            ],
        ),
    ]));
    let running = world.start(&[
        "run",
        "--permission-mode",
        "bypass",
        "--answers",
        "wait",
        "Go",
    ]);
    running.until("[alice] bash: sleep 301");
    // What is printed is held against the schemas as soon as it is there.
    let team = world.teammate(&["team", "--json"]).ends(0);
    assert!(team.out.contains("sleep 300"), "{}", team.out);
    world
        .teammate(&["tasks", "--json"])
        .ends(0)
        .says("one is done");
    world
        .teammate(&["tasks", "fail", "3", "--because", "nobody can", "--json"])
        .ends(0);
    world.teammate(&["tasks", "delete", "2", "--json"]).ends(0);
    world
        .teammate(&["tasks", "--all", "--json"])
        .ends(0)
        .says("deleted");
    world
        .teammate(&["tasks", "show", "1", "--json"])
        .ends(0)
        .says("claimed by alice");
}
