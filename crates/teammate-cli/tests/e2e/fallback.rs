//! A member whose model fails goes on with the next, over another wire, in the same turn.

use std::fs;

use serde_json::{Value, json};
use teammate_testkit::Answer;

use crate::{
    play::{Scene as _, bash, play, say},
    wires::Vendor,
    world::{World, json_lines},
};

/// Two servers: `first` on Anthropic's wire, and after it `second` on chat completions.
fn world(first: &Vendor, second: &Vendor) -> World {
    let world = World::with_model("first:m");
    let home = world.path("../home/.config/teammate");
    fs::create_dir_all(&home).unwrap();
    let text = format!(
        "fallback = [\"second:n\"]\n\n[providers.first]\nwire = \"anthropic\"\nbase_url = \"{}\"\n\n\
         [providers.second]\nwire = \"openai\"\nbase_url = \"{}/v1\"\n",
        first.url(),
        second.url()
    );
    fs::write(home.join("config.toml"), text).unwrap();
    world
}

fn answers_with_thought_and_call() -> Answer {
    let thought = r#"{"type":"thinking","thinking":"Hm.","signature":"c2lnbmVk"}"#;
    let thought = teammate_core::block::Block::from_json(thought.to_owned()).unwrap();
    let call = teammate_core::block::Block::tool_use(&teammate_core::tool::ToolCall {
        id: teammate_core::tool::CallId::new("c1".into()),
        name: "bash".into(),
        input: teammate_core::tool::ToolInput::from_json(r#"{"command":"echo one > one"}"#.into()),
    });
    let stop = teammate_core::model::StopReason::ToolUse;
    Answer::reply(teammate_testkit::reply(vec![thought, call], stop))
}

// fast: fallback models
#[test]
fn a_key_that_is_refused_in_the_middle_of_a_turn_costs_no_work() {
    let mut answers = vec![answers_with_thought_and_call()];
    let first = Vendor::answering(move |_| {
        let refused = || Answer::error(401, "authentication_error", "the key has expired");
        answers.pop().unwrap_or_else(refused)
    });
    let rest = play([(
        "lead",
        vec![
            bash("cat one").after("exit status"),
            say("It says: {{last_result}}").after("one"),
            say("?").otherwise(),
        ],
    )]);
    let second = Vendor::playing("127.0.0.1:0", &rest);
    let world = world(&first, &second);
    let run = world.teammate(&[
        "run",
        "--permission-mode",
        "bypass",
        "--output-format",
        "stream-json",
        "Go",
    ]);
    let run = run.ends(0);
    let changed: Vec<Value> = json_lines(&run.out)
        .into_iter()
        .filter(|event| event["event"] == "model_changed")
        .collect();
    assert_eq!(changed.len(), 1, "{}", run.out);
    assert_eq!(changed[0]["from"], "first:m");
    assert_eq!(changed[0]["to"], "second:n");
    let why = changed[0]["why"].as_str().unwrap();
    assert!(
        why.contains("answered 401") && why.contains("the key has expired"),
        "{why}"
    );
    assert_eq!(world.file("one"), "one\n");
    second.assert_content();
    // The conversation went along, but for what only the first can read.
    let body = second.bodies()[0].to_string();
    assert!(
        body.contains("echo one > one") && !body.contains("c2lnbmVk"),
        "{body}"
    );
    assert_eq!(second.bodies()[0]["model"], "n");
    // What each used is counted where it was used.
    let cost: Value =
        serde_json::from_str(&world.teammate(&["cost", "--json"]).ends(0).out).unwrap();
    let models = &cost["members"]["lead"]["models"];
    assert_eq!(models["first:m"]["requests"], 1, "{cost}");
    assert!(models["second:n"]["requests"].as_u64() >= Some(1), "{cost}");
}

#[test]
fn every_screen_says_that_a_member_goes_on_with_another_model() {
    let first = Vendor::answering(|_| Answer::error(404, "not_found_error", "model: m"));
    let second = Vendor::answering(|_| Answer::text("Here I am."));
    let world = world(&first, &second);
    let run = world.run("Go").ends(0);
    let line = "goes on with second:n instead of first:m";
    assert!(
        (run.out.clone() + &run.err).contains(line),
        "{} {}",
        run.out,
        run.err
    );
    run.says("Here I am.");
    let log = world.teammate(&["log"]).ends(0).out;
    assert!(log.contains(line), "{log}");
}

#[test]
fn an_effort_that_a_server_refuses_is_said_once_and_the_work_goes_on() {
    let mut refusals = 1;
    let vendor = Vendor::answering(move |seen| {
        let asks = seen.json()["reasoning_effort"].is_string();
        if asks && refusals > 0 {
            refusals -= 1;
            let what =
                "Unsupported parameter: 'reasoning_effort' is not supported with this model.";
            return Answer::error(400, "invalid_request_error", what);
        }
        Answer::text("Done.")
    });
    let world = world(&vendor, &vendor);
    let config = world.path("../home/.config/teammate/config.toml");
    let more = "\n[models.\"second:*\"]\nthinking = { form = \"reasoning-effort\", levels = { low = \"low\" }, default = \"low\" }\n";
    let text = fs::read_to_string(&config).unwrap() + more;
    fs::write(&config, text).unwrap();
    let run = world
        .teammate(&[
            "run",
            "--model",
            "second:n",
            "--permission-mode",
            "bypass",
            "Go",
        ])
        .ends(0);
    let told = "second:n takes no effort in this form";
    let shown = run.out.clone() + &run.err;
    assert_eq!(shown.matches(told).count(), 1, "{shown}");
    let asked: Vec<Value> = (vendor.bodies().iter())
        .map(|body| body["reasoning_effort"].clone())
        .collect();
    assert_eq!(asked, [json!("low"), Value::Null]);
}
