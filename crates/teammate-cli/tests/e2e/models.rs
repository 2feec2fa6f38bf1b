//! `teammate models`: what servers list, and what is known of it; prices of the catalogue; what `doctor` says of the model.

use std::{
    io::{BufRead, BufReader, Write},
    net::TcpListener,
    thread,
};

use serde_json::{Value, json};

use crate::{
    play::{play, say},
    wires::configure,
    world::World,
};

/// A server that has this list of models, and nothing else.
fn listing(list: Value) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}", listener.local_addr().unwrap());
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            let mut reader = BufReader::new(stream.try_clone().unwrap());
            let mut line = String::new();
            let _ = reader.read_line(&mut line);
            let is_list = line.starts_with("GET /v1/models");
            let mut header = String::new();
            while reader.read_line(&mut header).is_ok_and(|read| read > 2) {
                header.clear();
            }
            let (status, body) = match is_list {
                true => ("200 OK", list.to_string()),
                false => ("404 Not Found", "{}".to_owned()),
            };
            let head = format!(
                "HTTP/1.1 {status}\r\ncontent-type: application/json\r\nconnection: close\r\ncontent-length: {}\r\n\r\n",
                body.len()
            );
            let _ = stream.write_all((head + &body).as_bytes());
        }
    });
    url
}

fn world() -> World {
    let url = listing(json!({ "data": [
        { "id": "gpt-oss:20b", "max_model_len": 8192 },
        { "id": "home-made" },
        { "id": "claude-haiku-5-5", "max_model_len": 16384 },
    ] }));
    let world = World::with_model("local:gpt-oss:20b");
    configure(
        &world,
        &format!(
            "[providers.local]\nwire = \"chat\"\nbase_url = \"{url}/v1\"\ntemperature = 0.5\nbeta = [\"x\"]\n\n\
             [providers.gone]\nwire = \"chat\"\nbase_url = \"http://127.0.0.1:9/v1\"\n"
        ),
    );
    world
}

#[test]
fn the_models_of_each_server_are_listed_with_what_is_known() {
    let run = world().teammate(&["models"]).ends(0);
    for expected in [
        "local: 3 models",
        "the server gives only 16k",
        "  gpt-oss:20b\n      gpt-oss · context 8k · tools · effort low/medium/high (medium)",
        "  home-made\n      not in the catalogue",
        "anthropic: no key is set, so it was not asked",
        "gone: gone (http://127.0.0.1:9/v1/chat/completions) cannot be reached",
        "Prices and limits of the catalogue are as of 20",
    ] {
        assert!(run.out.contains(expected), "{expected}\n{}", run.out);
    }
    let json: Value = serde_json::from_str(
        &world()
            .teammate(&["models", "--provider", "local", "--json"])
            .ends(0)
            .out,
    )
    .unwrap();
    let model = &json["providers"][0]["models"][0];
    assert_eq!(model["family"], "gpt-oss");
    assert_eq!(model["server"]["context_tokens"], 8192);
    assert_eq!(model["default_effort"], "medium");
    // One that cannot be asked is an error if there is no other.
    let gone = world().teammate(&["models", "--provider", "gone"]).ends(1);
    assert!(gone.out.contains("cannot be reached"), "{}", gone.out);
    world()
        .teammate(&["models", "--provider", "nowhere"])
        .ends(1)
        .says("there is no provider 'nowhere'");
}

// fast: the verb models
#[test]
fn the_catalogue_is_listed_without_asking_anybody() {
    let world = World::playing(&play([("lead", vec![say("hi")])]));
    let run = world.teammate(&["models", "--known"]).ends(0);
    assert!(
        run.out.contains("Claude Sonnet 5.5 (claude-sonnet-5-5*)"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("effort off/low/medium/high/max (high)"),
        "{}",
        run.out
    );
    let json: Value =
        serde_json::from_str(&world.teammate(&["models", "--known", "--json"]).ends(0).out)
            .unwrap();
    let families = json["families"].as_array().unwrap();
    assert!(
        families.len() > 60 && families[0]["context_tokens"].is_u64(),
        "{json}"
    );
}

#[test]
fn doctor_says_what_is_asked_of_the_model_and_what_is_not() {
    let run = world().teammate(&["doctor", "--offline"]);
    for expected in [
        "local:gpt-oss:20b: gpt-oss in the catalogue (as of 20",
        "it thinks at effort medium, which counts as output",
        "beta is not sent: only Anthropic's API has such features",
    ] {
        assert!(run.out.contains(expected), "{expected}\n{}", run.out);
    }
    let run = world().teammate(&["doctor", "--offline", "--model", "local:home-made"]);
    assert!(
        run.out
            .contains("does not know it, so nothing is asked about thinking"),
        "{}",
        run.out
    );
    let run = world().teammate(&["doctor", "--offline", "--model", "openai:gpt-5"]);
    assert!(
        run.out.contains("its vendor ends it on 2026-12-11"),
        "{}",
        run.out
    );
}

#[test]
fn a_server_that_speaks_responses_is_asked_so_after_a_trial() {
    let vendor = crate::wires::Vendor::answering(|_| teammate_testkit::Answer::text("Hello."));
    let world = World::with_model("local:m");
    let config = |wire: &str| {
        let text = format!(
            "[providers.local]\nwire = \"{wire}\"\nbase_url = \"{}/v1\"\n",
            vendor.url()
        );
        configure(&world, &text);
    };
    let last_path = || vendor.server.seen().last().unwrap().path.clone();
    config("openai");
    world.run("Hi").ends(0).says("Hello.");
    assert_eq!(last_path(), "/v1/chat/completions");
    let doctor = world.teammate(&["doctor"]);
    assert!(
        doctor.out.contains("local: speaks the Responses API"),
        "{}",
        doctor.out
    );
    world.run("Hi").ends(0).says("Hello.");
    assert_eq!(last_path(), "/v1/responses");
    config("chat");
    world.run("Hi").ends(0).says("Hello.");
    assert_eq!(last_path(), "/v1/chat/completions");
    vendor.assert_content();
}

#[test]
fn what_a_server_refused_is_known_to_the_next_program_until_it_is_forgotten() {
    let vendor =
        crate::wires::Vendor::answering(|seen| match seen.body.contains("stream_options") {
            true => teammate_testkit::Answer::error(
                400,
                "invalid_request_error",
                "Unrecognized request argument supplied: stream_options",
            ),
            false => teammate_testkit::Answer::text("Hello."),
        });
    let world = World::with_model("local:m");
    let url = vendor.url().replace("http://", "http://me:pw@");
    configure(
        &world,
        &format!("[providers.local]\nwire = \"chat\"\nbase_url = \"{url}/v1?key=sk-1\"\n"),
    );
    let asked = || {
        let before = vendor.server.seen().len();
        world.run("Hi").ends(0).says("Hello.");
        vendor.server.seen().len() - before
    };
    assert_eq!((asked(), asked()), (2, 1));
    let listed = world.teammate(&["models", "--provider", "local"]);
    for expected in [
        "local: learnt of what it refused\n  of m: takes no stream_options; learnt ",
        "`teammate models --forget` forgets what was learnt of servers",
    ] {
        assert!(listed.out.contains(expected), "{expected}\n{}", listed.out);
    }
    let doctor = world.teammate(&["doctor", "--offline"]);
    let expected = "local:m: its server takes no stream_options; learnt ";
    assert!(doctor.out.contains(expected), "{}", doctor.out);
    let json = world
        .teammate(&["models", "--provider", "local", "--json"])
        .out;
    let json: Value = serde_json::from_str(&json).unwrap();
    let learnt = &json["providers"][0]["learnt"][0];
    assert_eq!(learnt["model"], "m");
    assert_eq!(learnt["refused"], json!(["stream_options"]));
    assert_eq!(learnt["says"], json!(["takes no stream_options"]));
    let forget = || world.teammate(&["models", "--forget"]).ends(0).out;
    assert_eq!(forget(), "Forgot what was learnt of 1 model.\n");
    assert_eq!(forget(), "Nothing was learnt.\n");
    assert_eq!(asked(), 2);
}

#[test]
fn calls_in_the_text_run_where_the_template_is_known_and_are_asked_for_elsewhere() {
    let call = r#"{"name": "bash", "arguments": {"command": "echo seen > made"}}"#;
    let text = format!("I make it.\n<tool_call>\n{call}\n</tool_call>");
    let vendor = crate::wires::Vendor::answering(move |seen| {
        let messages = &seen.json()["messages"];
        let last = messages.as_array().and_then(|all| all.last()).cloned();
        let last = last.unwrap_or_default().to_string();
        teammate_testkit::Answer::text(match last.contains("Begin") {
            true => &text,
            false => "It is done.",
        })
    });
    let config = format!(
        "[providers.local]\nwire = \"chat\"\nbase_url = \"{}/v1\"\n",
        vendor.url()
    );
    let world = World::with_model("local:qwen2.5-coder:7b");
    configure(&world, &config);
    let run = world.teammate(&["run", "--permission-mode", "bypass", "Begin"]);
    let run = run.ends(0).says("It is done.");
    assert!(!run.out.contains("tool_call"), "{}", run.out);
    assert_eq!(
        std::fs::read_to_string(world.path("made")).unwrap(),
        "seen\n"
    );
    // By a permission, as any other call.
    let world = World::with_model("local:qwen2.5-coder:7b");
    configure(&world, &config);
    world.teammate(&["run", "Begin"]).ends(4);
    assert!(!world.path("made").exists());
    // Of a model that nobody knows: the program says so, to it and to you.
    let world = World::with_model("local:m");
    configure(&world, &config);
    let run = world.run("Begin").ends(0).says("It is done.");
    assert!(!world.path("made").exists());
    let told = "the answer has what looks like a call of a tool as text";
    assert_eq!(run.err.matches(told).count(), 1, "{}", run.err);
}
