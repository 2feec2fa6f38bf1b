//! The team as an MCP server, with the program as its users have it: what goes on when a client goes, who answers, and who comes in
//! over HTTP.

mod client;
mod on_servers;

use std::{
    fs,
    io::{Read as _, Write as _},
    net::TcpStream,
    os::unix::fs::MetadataExt as _,
    path::PathBuf,
};

use rustix::process::{Pid, test_kill_process};
use serde_json::{Value, json};

pub(crate) use self::client::Client;
use crate::{
    play::{Scene as _, bash, play, say, spawn},
    up::asks,
    world::{Running, World, until},
};

/// A lead with a poet, who takes a while.
fn poets() -> World {
    World::playing(&poets_play())
}

fn poets_play() -> Value {
    play([
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
            vec![
                bash("until test -e go; do sleep 0.02; done; echo rain > poem"),
                say("It is in the file poem."),
            ],
        ),
    ])
}

const BYPASS: &[&str] = &["--permission-mode", "bypass"];

/// The process that runs the team, as the answer names it.
fn process(started: &Value) -> Pid {
    let named = started["runs_in"].as_str().unwrap();
    let number = named.strip_prefix("process ").unwrap();
    Pid::from_raw(number.parse().unwrap()).unwrap()
}

#[test]
fn a_job_goes_on_when_the_client_kills_its_server_and_ends_by_itself() {
    let world = poets();
    let mut client = Client::of(&world, BYPASS);
    let begun = client.ask("server/discover", json!({}));
    assert_eq!(begun["result"]["capabilities"], json!({ "tools": {} }));
    let started = client.call("start_team", json!({ "job": "A poem" }));
    let process = process(&started);
    // In the middle of a wait, as clients do it: no word, no signal that can be heard.
    let mut wait = json!({ "name": "wait_for_team", "arguments": { "timeout_seconds": 240 } });
    client.begin("tools/call", &mut wait);
    client.server.program.kill().unwrap();
    drop(client);
    test_kill_process(process).unwrap();

    fs::write(world.path("go"), "").unwrap();
    let mut other = Client::of(&world, BYPASS);
    let done = other.until("idle");
    assert_eq!(done["result"]["text"], "ada says: It is in the file poem.");
    assert_eq!(world.file("poem"), "rain\n");
    until(
        || test_kill_process(process).is_err(),
        || "the process stays".to_owned(),
    );
    other.leave();
    world.assert_at_rest();
}

// fast: the team as an MCP server
#[test]
fn the_person_answers_in_a_terminal_and_sees_what_the_client_began() {
    let world = asks();
    let mut client = Client::of(&world, &[]);
    client.call("start_team", json!({ "job": "make it" }));
    let asked = client.until("asks_user");
    assert_eq!(asked["requests"][0]["id"], "req_000001");
    let listed = client.call("list_requests", json!({}));
    assert_eq!(listed["requests"][0]["shows"], "touch made");
    world.teammate(&["approve", "1"]).ends(0);
    assert_eq!(client.until("idle")["result"]["ended"], "done");
    assert!(world.path("made").exists());
    let sent = json!({ "to": "lead", "text": "thanks" });
    client.call("send_mail", sent);
    client.until("idle");
    assert!(
        world
            .heard("lead")
            .contains(&"user message: thanks".to_owned())
    );
    client.leave();
    world.assert_at_rest();
}

#[test]
fn a_client_answers_only_if_the_user_s_own_configuration_says_so_and_it_is_recorded() {
    let world = asks();
    // What a repository says of it counts for nothing.
    fs::create_dir(world.path(".teammate")).unwrap();
    for below in [".teammate/config.toml", "config.toml", "teammate.toml"] {
        fs::write(world.path(below), "[mcp_server]\nanswers = true\n").unwrap();
    }
    let mut client = Client::of(&world, &[]);
    let tools = client.ask("tools/list", json!({})).to_string();
    assert!(!tools.contains("answer_request"), "{tools}");
    client.leave();

    let config = world.path("../home/.config/teammate");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), "[mcp_server]\nanswers = true\n").unwrap();
    let mut client = Client::of(&world, &[]);
    client.call("start_team", json!({ "job": "make it" }));
    client.until("asks_user");
    let whole = client.call("list_requests", json!({ "id": "1" }));
    let answer = json!({ "id": "1", "digest": whole["digest"], "approve": true });
    client.call("answer_request", answer);
    client.until("idle");
    client.leave();
    let audit = world.teammate(&["audit", "--json"]).ends(0).out;
    let answered = crate::world::json_lines(&audit)
        .into_iter()
        .find(|entry| entry["event"] == "answered")
        .unwrap_or_else(|| panic!("{audit}"));
    assert_eq!(answered["surface"], "mcp_client");
    world.teammate(&["audit"]).ends(0).says("by an MCP client");
}

#[test]
fn why_a_team_cannot_be_opened_or_its_model_not_asked_is_said_to_the_client() {
    let world = World::with_model("nobody:nothing");
    let mut client = Client::of(&world, &[]);
    client.call("start_team", json!({ "job": "x" }));
    let failed = &client.until("idle")["result"];
    assert_eq!(failed["ended"], "failed");
    assert!(
        failed["why"].as_str().unwrap().contains("nobody"),
        "{failed}"
    );
    client.leave();
    let mut client = Client::of(&world, &["--dir", "/no/such/directory"]);
    let refused = client.refused("start_team", json!({ "job": "x" }));
    assert!(refused.contains("/no/such/directory"), "{refused}");
    let begun = world.start(&["up"]);
    begun.until("is open in process");
    let mut client = Client::of(&world, &[]);
    let refused = client.refused("start_team", json!({ "job": "x" }));
    assert!(refused.contains("runs already, in process"), "{refused}");
    assert_eq!(client.call("stop_team", json!({}))["stopped"], "team");
    begun.end().ends(0);
}

#[test]
fn a_server_that_runs_while_another_version_is_installed_starts_that_one() {
    // Where links to the program can be made.
    let world = World::outside_tmp().replay(&poets_play());
    fs::write(world.path("go"), "").unwrap();
    let file = world.path("../teammate");
    let install = || fs::hard_link(env!("CARGO_BIN_EXE_teammate"), &file).unwrap();
    install();
    let mut command = std::process::Command::new(&file);
    command
        .args(["mcp", "serve", "--permission-mode", "bypass"])
        .env_clear()
        .envs(world.variables())
        .current_dir(world.work());
    let mut client = Client::launch(command);
    client.call("team_status", json!({}));
    fs::remove_file(&file).unwrap();
    install();
    client.call("start_team", json!({ "job": "A poem" }));
    client.until("idle");
    client.leave();
    world.assert_at_rest();
}

#[test]
fn a_named_team_is_another_one() {
    let world = poets();
    fs::write(world.path("go"), "").unwrap();
    let mut client = Client::of(&world, &[BYPASS, &["--team", "poets"]].concat());
    client.call("start_team", json!({ "job": "A poem" }));
    assert_eq!(client.until("idle")["team"], "poets");
    client.leave();
    assert!(world.path(".teams/poets").exists() && !world.path(".team").exists());
}

/// A server over HTTP, with its address and the file of its key.
fn serving(world: &World) -> (Running, String, PathBuf) {
    let serving = world.start(&["mcp", "serve", "--http", "--permission-mode", "bypass"]);
    serving.until("Authorization: Bearer KEY");
    let line = serving.out();
    let (_, rest) = line.split_once("http://").unwrap();
    let address = rest.split("/mcp").next().unwrap().to_owned();
    let path = line.trim_end().rsplit(' ').next().unwrap().into();
    (serving, address, path)
}

#[test]
fn over_http_the_key_is_in_a_file_that_only_the_user_can_read() {
    let world = poets();
    let (server, address, path) = serving(&world);
    let home = world.path("..").canonicalize().unwrap().join("home");
    assert!(path.starts_with(home), "{}", path.display());
    assert_eq!(fs::metadata(&path).unwrap().mode() & 0o777, 0o600);
    let key = fs::read_to_string(&path).unwrap();
    let key = key.trim();
    assert!(!server.out().contains(key));
    for (sent, status) in [(key, "200"), ("wrong", "401")] {
        let answer = posted(&address, &format!("Bearer {sent}"));
        assert!(
            answer.starts_with(&format!("HTTP/1.1 {status}")),
            "{answer}"
        );
    }
    let command_line = fs::read(format!("/proc/{}/cmdline", server.id())).unwrap();
    assert!(!String::from_utf8_lossy(&command_line).contains(key));
    drop(server);
    // The same key the next time: people's configurations name it.
    let (_server, _, again) = serving(&world);
    assert_eq!(fs::read_to_string(again).unwrap().trim(), key);
}

/// Whether a client that is configured as a page shows it comes in.
pub(crate) fn lets_in_as_shown(shown: &Value, place: &str) {
    let shown = &shown["mcpServers"]["team"];
    let world = poets();
    let (_server, address, path) = serving(&world);
    let url = shown["url"].as_str().unwrap();
    assert_eq!(url, "http://127.0.0.1:7437/mcp", "{place}");
    let header = shown["headers"]["Authorization"].as_str().unwrap();
    let key = fs::read_to_string(path).unwrap();
    let header = header.replace("${TEAM_KEY}", key.trim());
    let answer = posted(&address, &header);
    assert!(answer.starts_with("HTTP/1.1 200"), "{place}: {answer}");
}

/// What comes of a list of tools that is asked for with this header.
fn posted(address: &str, authorization: &str) -> String {
    let list = json!({ "jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {} });
    let body = list.to_string();
    let head = format!(
        "POST /mcp HTTP/1.1\r\nhost: {address}\r\nauthorization: {authorization}\r\ncontent-type: application/json\r\n\
         accept: application/json, text/event-stream\r\ncontent-length: {}\r\nconnection: close\r\n\r\n",
        body.len()
    );
    let mut stream = TcpStream::connect(address).unwrap();
    stream
        .write_all(format!("{head}{body}").as_bytes())
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    answer
}
