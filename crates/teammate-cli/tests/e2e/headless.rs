//! How a job ends where nobody sits at a prompt: exit codes, results, times.

use std::{fs::File, process::Stdio};

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    world::{Run, World, json_lines},
};

fn json_run(world: &World, more: &[&str]) -> (Run, Value) {
    let run = world.teammate(
        &[
            &[
                "run",
                "--permission-mode",
                "bypass",
                "--output-format",
                "json",
            ],
            more,
        ]
        .concat(),
    );
    let result = serde_json::from_str(&run.out).unwrap_or_else(|error| panic!("{error}: {run:?}"));
    (run, result)
}

#[test]
fn a_member_that_failed_leaves_the_job_unfinished() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Write it")]),
                say("Well.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![json!({ "fail": { "what": "no such model", "remedy": "never" } })],
        ),
    ]));
    let (run, result) = json_run(&world, &["Go"]);
    run.ends(7);
    assert_eq!(
        (&result["ending"], &result["exit_code"]),
        (&json!("unfinished"), &json!(7))
    );
    let why = result["why"].as_str().unwrap();
    assert!(
        why.contains("alice failed: ") && why.contains("no such model"),
        "{why}"
    );
    // A later job of the same team is not blamed for it.
    world.run("Again").ends(0);
}

#[test]
fn a_member_that_failed_and_was_stopped_by_the_lead_is_dealt_with() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Write it")]),
                calls([("request_shutdown", json!({ "name": "alice", "now": true }))])
                    .after("failed"),
                say("Without alice, then.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![json!({ "fail": { "what": "no such model", "remedy": "never" } })],
        ),
    ]));
    world.run("Go").ends(0);
}

#[test]
fn a_task_that_stays_in_hand_leaves_the_job_unfinished() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([("create_task", json!({ "subject": "Write the parser" }))]),
                spawn([("alice", "coder", "Take a task")]),
                say("All done, I think.").otherwise(),
            ],
        ),
        (
            "alice",
            vec![
                calls([("claim_task", json!({ "id": 1 }))]),
                say("Tired.").otherwise(),
            ],
        ),
    ]));
    world.run("Go").ends(7).complains(
        "error: alice has task #1 in progress. See `teammate team` and `teammate tasks`",
    );
}

#[test]
fn an_answer_without_text_is_asked_for_once_more() {
    // A play cannot say nothing at all; nobody sees this, either.
    let empty = || say("\u{200b}");
    let world = World::playing(&play([(
        "lead",
        vec![empty(), say("42.").after("Answer with your result")],
    )]));
    let (run, result) = json_run(&world, &["Go"]);
    run.ends(0);
    assert_eq!(
        (&result["result"], &result["total"]["model_calls"]),
        (&json!("42."), &json!(2))
    );

    let world = World::playing(&play([("lead", vec![empty(), empty()])]));
    let (run, result) = json_run(&world, &["Go"]);
    run.ends(3);
    assert_eq!(
        (&result["ending"], &result["total"]["model_calls"]),
        (&json!("failed"), &json!(2))
    );
    assert!(
        result["why"].as_str().unwrap().contains("has no text"),
        "{result}"
    );
}

#[test]
fn a_time_that_is_over_pauses_the_members_and_resume_goes_on() {
    let world = World::playing(&play([(
        "lead",
        vec![bash("test -e go || sleep 300"), say("Through.").otherwise()],
    )]));
    let (run, result) = json_run(&world, &["--timeout", "1s", "Go"]);
    run.ends(124);
    assert_eq!(
        (&result["ending"], &result["exit_code"]),
        (&json!("timeout"), &json!(124))
    );
    assert_eq!(
        result["why"],
        "not done after 1 s; `teammate resume` continues"
    );
    std::fs::write(world.path("go"), "").unwrap();
    world.resume().ends(0).says("Through.");
    world
        .teammate(&["run", "--timeout", "soon", "Go"])
        .ends(2)
        .complains("write seconds, or a number with s, m or h");
}

#[test]
fn output_that_cannot_be_written_is_an_error() {
    let world = World::playing(&play([("lead", vec![say("42.").otherwise()])]));
    for arguments in [
        &["run", "Go"][..],
        &["run", "--output-format", "json", "Go"],
        &["run", "--output-format", "stream-json", "Go"],
        &["team"],
        &["log"],
        &["schema", "events"],
    ] {
        let mut command = world.command(arguments);
        command
            .stdout(File::options().write(true).open("/dev/full").unwrap())
            .stderr(Stdio::piped());
        let output = command.output().unwrap();
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{arguments:?}: {said}");
        assert!(
            said.contains("standard output could not be written: No space left"),
            "{arguments:?}: {said}"
        );
    }
}

#[test]
fn a_refused_call_is_told_once() {
    let world = World::playing(&play([(
        "lead",
        vec![
            bash("echo hi > made"),
            bash("echo ho > made"),
            say("I may not."),
        ],
    )]));
    let run = world.teammate(&["run", "Write"]).ends(4);
    assert_eq!(
        run.err.matches("echo hi > made").count(),
        3,
        "the call, the refusal and its hint: {}",
        run.err
    );
    assert_eq!(
        run.err.matches("nobody can be asked").count(),
        0,
        "{}",
        run.err
    );
    assert_eq!(run.err.matches("refused bash").count(), 2, "{}", run.err);
}

#[test]
fn a_refused_plan_counts_and_is_told_once() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([(
                    "spawn_teammate",
                    json!({ "name": "bob", "role": "coder", "prompt": "Plan it", "require_plan": true }),
                )]),
                say("Well.").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                calls([("submit_plan", json!({ "plan": "look, then write" }))]),
                say("I wait.").otherwise(),
            ],
        ),
    ]));
    let run = world
        .teammate(&["run", "--plan-approver", "user", "Go"])
        .ends(4);
    assert_eq!(
        run.err.matches("the user cannot be asked here").count(),
        1,
        "{}",
        run.err
    );
    assert_eq!(
        run.err.matches("--plan-approver lead").count(),
        1,
        "{}",
        run.err
    );
}

#[test]
fn every_event_of_an_opening_has_its_run_and_so_has_the_result() {
    let world = World::playing(&play([("lead", vec![say("Well.").otherwise()])]));
    let runs: Vec<Value> = (0..2)
        .map(|_| {
            let run = world
                .teammate(&["run", "--output-format", "stream-json", "Go"])
                .ends(0);
            let lines = json_lines(&run.out);
            let id = lines[0]["run"].clone();
            assert!(id.is_string() && lines[0]["pid"].is_u64(), "{}", lines[0]);
            assert!(lines.iter().all(|line| line["run"] == id), "{}", run.out);
            let [.., closed, result] = &lines[..] else {
                panic!()
            };
            assert_eq!(
                (&closed["event"], &closed["why"]),
                (&json!("team_closed"), &json!("settled"))
            );
            assert_eq!(result["event"], "result");
            id
        })
        .collect();
    assert_ne!(runs[0], runs[1]);
}

#[test]
fn who_runs_on_which_model_is_told() {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Write it")]),
                say("Well.").otherwise(),
            ],
        ),
        ("alice", vec![say("Done.")]),
    ]));
    world.run("Go").ends(0);
    let team: Value =
        serde_json::from_str(&world.teammate(&["team", "--json"]).ends(0).out).unwrap();
    let model = json!(
        world
            .variables()
            .iter()
            .find(|(name, _)| name == "TEAMMATE_MODEL")
            .unwrap()
            .1
    );
    for member in team["members"].as_array().unwrap() {
        assert_eq!(member["model"], model, "{member}");
    }
    let events = world.json_lines(".team/events.jsonl");
    let of = |kind: &str| {
        events
            .iter()
            .filter(move |event| event["event"] == kind)
            .collect::<Vec<_>>()
    };
    let [spawned] = of("spawned")[..] else {
        panic!()
    };
    assert_eq!(
        (&spawned["model"], &spawned["mode"], &spawned["by"]),
        (&model, &json!("bypass"), &json!("lead"))
    );
    assert!(
        of("answered")
            .iter()
            .all(|answered| answered["model"] == model)
    );
}

fn verdict_schema(world: &World) -> String {
    let schema = json!({
        "type": "object",
        "properties": {"verdict": {"enum": ["good", "bad"]}, "files": {"type": "array", "items": {"type": "string"}}},
        "required": ["verdict", "files"],
        "additionalProperties": false,
    });
    let path = world.path("schema.json");
    std::fs::write(&path, schema.to_string()).unwrap();
    path.display().to_string()
}

// fast: results with a schema
#[test]
fn a_result_that_fits_its_schema_is_given_as_a_value() {
    let answer = r#"{"verdict": "good", "files": ["a.rs"]}"#;
    for said in [answer.to_owned(), format!("```json\n{answer}\n```")] {
        let world = World::playing(&play([("lead", vec![say(&said)])]));
        let schema = verdict_schema(&world);
        let (run, result) = json_run(&world, &["--output-schema", &schema, "Judge it"]);
        run.ends(0);
        assert_eq!(
            result["output"],
            json!({"verdict": "good", "files": ["a.rs"]})
        );
        let heard = &world.heard("lead")[0];
        assert!(
            heard.starts_with("user message: Judge it\n")
                && heard.contains("\"additionalProperties\":false"),
            "{heard}"
        );
    }
    // In words, the value is all that standard output has.
    let world = World::playing(&play([(
        "lead",
        vec![
            json!({ "say": "Let me see.", "calls": [{ "tool": "bash", "input": { "command": "true" } }] }),
            say(answer),
        ],
    )]));
    let schema = verdict_schema(&world);
    let run = world
        .teammate(&[
            "run",
            "--permission-mode",
            "bypass",
            "--output-schema",
            &schema,
            "Judge it",
        ])
        .ends(0);
    assert_eq!(run.out, "{\"verdict\":\"good\",\"files\":[\"a.rs\"]}\n");
}

#[test]
fn a_result_that_does_not_fit_is_repaired_once() {
    let world = World::playing(&play([(
        "lead",
        vec![
            say(r#"{"verdict": "maybe", "files": [1]}"#),
            say(r#"{"verdict": "bad", "files": []}"#).after("/verdict is not"),
        ],
    )]));
    let schema = verdict_schema(&world);
    let (run, result) = json_run(&world, &["--output-schema", &schema, "Judge it"]);
    run.ends(0);
    assert_eq!(result["output"]["verdict"], "bad");
    let asked = &world.heard("lead")[1];
    assert!(
        asked.contains("- /verdict is not \"good\" or \"bad\"\n- /files/0 is not a string"),
        "{asked}"
    );

    let world = World::playing(&play([(
        "lead",
        vec![say("It is good."), say("It is very good.")],
    )]));
    let schema = verdict_schema(&world);
    let (run, result) = json_run(&world, &["--output-schema", &schema, "Judge it"]);
    run.ends(3);
    assert_eq!(
        (&result["ending"], &result["result"]),
        (&json!("failed"), &json!("It is very good."))
    );
    assert!(
        result["why"]
            .as_str()
            .unwrap()
            .contains("it is not a JSON value"),
        "{result}"
    );
    assert!(result.get("output").is_none(), "{result}");
}

#[test]
fn a_schema_that_cannot_be_used_is_refused_before_anything_begins() {
    let world = World::playing(&play([("lead", vec![say("42.")])]));
    std::fs::write(
        world.path("bad.json"),
        r#"{"properties": {"a": {"minimun": 1}}}"#,
    )
    .unwrap();
    for (file, why) in [
        (
            "bad.json",
            "at #/properties/a: the keyword 'minimun' is not understood here",
        ),
        ("none.json", "cannot read it: No such file"),
    ] {
        world
            .teammate(&["run", "--output-schema", file, "Go"])
            .ends(2)
            .complains(why);
    }
    assert!(!world.path(".team").exists());
}
