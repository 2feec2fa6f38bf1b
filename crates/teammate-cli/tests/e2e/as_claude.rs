//! Programs that were written for `claude -p` have a team work: by its flags, and by the lines that its SDKs write and read.

mod brought;
mod caller;
mod reach;
mod sessions;

use std::{fs, os::unix::fs::symlink, process::Stdio};

use serde_json::{Value, json};

use self::caller::Caller;
use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    up::asks,
    world::World,
};

/// A lead that reads a file and says what is in it, and counts what it is asked.
fn reader() -> World {
    let world = World::playing(&play([(
        "lead",
        vec![
            calls([("read_file", json!({ "path": "title" }))]).after("read"),
            say("It says Sun.").after("Sun"),
            say("And again.").otherwise(),
        ],
    )]));
    fs::write(world.path("title"), "Sun\n").unwrap();
    world
}

const STREAM: [&str; 6] = [
    "-p",
    "--verbose",
    "--output-format",
    "stream-json",
    "--input-format",
    "stream-json",
];

// fast: the verb as-claude
#[test]
fn a_job_is_answered_as_text_as_json_and_as_lines() {
    let world = reader();
    let run = world.teammate(&["as-claude", "-p", "read title"]).ends(0);
    assert_eq!(run.out, "It says Sun.\n");

    let run = world.teammate(&["as-claude", "-p", "read title", "--output-format", "json"]);
    let result: Value = serde_json::from_str(&run.ends(0).out).unwrap();
    assert_eq!(result["type"], "result");
    assert_eq!(result["subtype"], "success");
    assert_eq!(result["is_error"], false);
    assert_eq!(result["result"], "It says Sun.");
    assert_eq!(result["num_turns"], 2);
    assert_eq!(result["permission_denials"], json!([]));

    let lines = [
        "as-claude",
        "-p",
        "read title",
        "--output-format",
        "stream-json",
        "--verbose",
    ];
    let run = world.teammate(&lines).ends(0);
    let lines = crate::world::json_lines(&run.out);
    let kinds: Vec<&str> = lines
        .iter()
        .map(|line| line["type"].as_str().unwrap())
        .collect();
    assert_eq!(
        kinds,
        ["system", "assistant", "user", "assistant", "result"]
    );
    let session = lines[0]["session_id"].as_str().unwrap();
    assert!(lines.iter().all(|line| line["session_id"] == session));
    assert_eq!(lines[0]["subtype"], "init");
    assert_eq!(lines[0]["permissionMode"], "default");
    let call = &lines[1]["message"]["content"][0];
    assert_eq!(
        (&call["type"], &call["name"]),
        (&json!("tool_use"), &json!("Read"))
    );
    let title = world.path("title").canonicalize().unwrap();
    assert_eq!(call["input"]["file_path"], title.to_str().unwrap());
    let outcome = &lines[2]["message"]["content"][0];
    assert_eq!(outcome["tool_use_id"], call["id"]);
    assert!(
        outcome["content"][0]["text"]
            .as_str()
            .unwrap()
            .contains("Sun")
    );
    assert_eq!(lines[3]["message"]["content"][0]["text"], "It says Sun.");

    // The same team, from a terminal.
    let team = lines[0]["team"].as_str().unwrap();
    world.teammate(&["team", "--team", team]).ends(0);
}

#[test]
fn a_link_with_the_name_does_the_same_and_what_is_not_done_is_named() {
    let world = reader();
    let link = world.path("../claude");
    symlink(env!("CARGO_BIN_EXE_teammate"), &link).unwrap();
    let linked = |words: &[&str], code: i32| {
        let mut command = std::process::Command::new(&link);
        command.args(words).env_clear().envs(world.variables());
        command.current_dir(world.work()).stdin(Stdio::null());
        let ended = command.output().unwrap();
        assert_eq!(ended.status.code(), Some(code), "{ended:?}");
        String::from_utf8(ended.stdout).unwrap()
    };
    assert_eq!(linked(&["-p", "read title"], 0), "It says Sun.\n");
    assert!(linked(&["--version"], 0).starts_with("teammate "));
    assert!(linked(&["--help"], 0).contains("docs/as-claude.md"));
    assert_eq!(linked(&["fix it"], 2), "");
    let words = [
        "-p",
        "x",
        "--session-mirror",
        "--output-format",
        "stream-json",
    ];
    let refused = linked(&words, 2);
    let refused: Value = serde_json::from_str(&refused).unwrap();
    assert_eq!(refused["subtype"], "error_during_execution");
    let why = refused["errors"][0].as_str().unwrap();
    assert!(
        why.starts_with("--session-mirror is not done here"),
        "{why}"
    );
}

#[test]
fn rules_and_modes_are_said_in_the_words_of_the_sdks() {
    for (words, exists) in [
        (&["--allowedTools", "Read,Bash(touch:*)"][..], true),
        (&["--permission-mode", "bypassPermissions"], true),
        (
            &[
                "--permission-mode",
                "bypassPermissions",
                "--disallowedTools",
                "Bash",
            ],
            false,
        ),
        (&["--allowedTools", "Bash", "--tools", "Read"], false),
        (&["--permission-mode", "plan"], false),
        (
            &[
                "--settings",
                r#"{"permissions":{"allow":["Bash(touch made)"]}}"#,
            ],
            true,
        ),
    ] {
        let world = asks();
        let words = [&["as-claude", "-p", "make it"], words].concat();
        world.teammate(&words).ends(0);
        assert_eq!(world.path("made").exists(), exists, "{words:?}");
    }
}

#[test]
fn teammates_are_told_as_children_of_the_call_that_began_them() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("ada", "poet", "Write it")]),
                say("ada says: {{mail}}").after_mail_from("ada"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "ada",
            vec![bash("echo rain > poem"), say("It is in the file.")],
        ),
    ]));
    let words = [
        "as-claude",
        "-p",
        "A poem",
        "--dangerously-skip-permissions",
    ];
    let words = [&words[..], &["--output-format", "stream-json"]].concat();
    let lines = crate::world::json_lines(&world.teammate(&words).ends(0).out);
    let said = |name: &str| {
        let is_it = |line: &&Value| line["message"]["content"][0]["name"] == name;
        lines
            .iter()
            .find(is_it)
            .unwrap_or_else(|| panic!("{name}: {lines:?}"))
    };
    let spawned = said("spawn_teammate");
    assert_eq!(spawned["parent_tool_use_id"], Value::Null);
    let child = said("Bash");
    assert_eq!(
        child["parent_tool_use_id"],
        spawned["message"]["content"][0]["id"]
    );
    let result = lines.last().unwrap();
    assert!(
        result["result"].as_str().unwrap().starts_with("ada says:"),
        "{result}"
    );
}

#[test]
fn a_result_has_the_form_that_is_wanted_or_is_an_error() {
    let schema = r#"{"type":"object","required":["verdict"],"properties":{"verdict":{"enum":["good","bad"]}}}"#;
    for (said, code, subtype) in [
        (r#"{"verdict":"good"}"#, 0, "success"),
        ("It is good.", 1, "error_max_structured_output_retries"),
    ] {
        let world = World::playing(&play([("lead", vec![say(said).again()])]));
        let words = [
            "as-claude",
            "-p",
            "x",
            "--output-format",
            "json",
            "--json-schema",
            schema,
        ];
        let result: Value = serde_json::from_str(&world.teammate(&words).ends(code).out).unwrap();
        assert_eq!(result["subtype"], subtype);
        let output = (code == 0).then(|| json!({ "verdict": "good" }));
        assert_eq!(result.get("structured_output"), output.as_ref());
    }
}

#[test]
fn a_limit_of_turns_is_an_error_that_says_so() {
    let world = World::playing(&play([("lead", vec![bash("true").again()])]));
    let words = [
        "as-claude",
        "-p",
        "x",
        "--max-turns",
        "2",
        "--output-format",
        "json",
    ];
    let words = [&words[..], &["--dangerously-skip-permissions"]].concat();
    let result: Value = serde_json::from_str(&world.teammate(&words).ends(1).out).unwrap();
    assert_eq!(result["subtype"], "error_max_turns");
    assert_eq!(result["is_error"], true);
    assert_eq!(result["num_turns"], 2);
}

#[test]
fn words_come_in_pieces_for_a_caller_that_wants_them() {
    let world = World::playing(&play([("lead", vec![say("Hello there.").again()])]));
    let mut caller = Caller::of(&world, &["--include-partial-messages"]);
    caller.says("hi");
    caller.result();
    let events: Vec<Value> = caller
        .heard("stream_event")
        .iter()
        .map(|line| line["event"].clone())
        .collect();
    let kinds: Vec<&str> = events
        .iter()
        .map(|event| event["type"].as_str().unwrap())
        .collect();
    assert_eq!(kinds.first(), Some(&"message_start"));
    assert_eq!(kinds.last(), Some(&"message_stop"));
    let text: String = events
        .iter()
        .filter_map(|event| event["delta"]["text"].as_str())
        .collect();
    assert_eq!(text, "Hello there.");
    assert_eq!(caller.leave(), 0);
}

#[test]
fn what_a_caller_says_wrongly_harms_nothing() {
    let world = World::playing(&play([("lead", vec![say("Hi.").again()])]));
    let mut caller = Caller::of(&world, &[]);
    for line in ["{", "[1]", "hello", r#"{"type":"tomorrow"}"#, ""] {
        caller.writes(line);
    }
    let agents = json!({ "subtype": "initialize", "agents": { "a": {} } });
    assert!(
        caller
            .asks(agents)
            .unwrap_err()
            .contains("the agent a: it has no description")
    );
    let hooks = json!({ "Notification": [{ "hookCallbackIds": ["hook_0"] }] });
    let hooks = json!({ "subtype": "initialize", "hooks": hooks });
    assert!(
        caller
            .asks(hooks)
            .unwrap_err()
            .contains("no hooks of Notification")
    );
    // An SDK may pass over that answer.
    caller.says("hi");
    let result = caller.result();
    assert!(
        result["errors"][0]
            .as_str()
            .unwrap()
            .contains("no hooks of"),
        "{result}"
    );
    caller.initialize(json!({}));
    caller.writes(
        &json!({ "type": "control_response",
        "response": { "subtype": "success", "request_id": "77", "response": {} } })
        .to_string(),
    );
    caller.writes(
        &json!({ "type": "user", "message": { "role": "user", "content": [] } }).to_string(),
    );
    assert_eq!(caller.result()["is_error"], true);
    caller.says("hi");
    assert_eq!(caller.result()["result"], "Hi.");
    assert_eq!(caller.leave(), 0);
}
