//! An editor drives a team, with the program as its users have it: a strict client over pipes, which reads every message with the
//! protocol's own types.

mod client;
#[cfg(debug_assertions)]
mod planted;

use std::{fs, net::TcpListener};

use rustix::process::{Pid, Signal, kill_process, test_kill_process};
use serde_json::{Value, json};

pub(crate) use self::client::Client;
use crate::{
    play::{Scene as _, bash, calls, play, say, spawn},
    up::asks,
    world::{World, until},
};

/// A lead that makes a task, edits a file, spawns ada and says what she says.
fn poets() -> World {
    let world = World::playing(&play([
        (
            "lead",
            vec![
                calls([("read_file", json!({ "path": "title" }))]),
                calls([
                    (
                        "create_task",
                        json!({ "subject": "Write a poem", "requires": "role:critic" }),
                    ),
                    (
                        "write_file",
                        json!({ "path": "title", "content": "Rain\n" }),
                    ),
                ]),
                spawn([("ada", "poet", "Write it")]),
                say("ada says: {{mail}}").after_mail_from("ada"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "ada",
            vec![bash("echo rain > poem"), say("It is in the file poem.")],
        ),
    ]));
    fs::write(world.path("title"), "Sun\n").unwrap();
    world
}

// fast: the verb acp
#[test]
fn a_session_is_a_team_and_its_past_is_told_when_it_is_loaded() {
    let world = poets();
    let mut client = Client::of(&world, &["--permission-mode", "bypass"]);
    let hello = client.initialize();
    assert_eq!(hello["agentCapabilities"]["loadSession"], true);
    let begun = client.ask("session/new", opening(&world)).unwrap();
    assert_eq!(begun["modes"]["currentModeId"], "run");
    let session = begun["sessionId"].as_str().unwrap().to_owned();
    // Nothing was said: nothing is kept.
    assert!(!world.path(".teams").exists());

    let stop = client.prompt(&session, "A poem");
    assert_eq!(stop, "end_turn");
    let shown = client.shown();
    let answer = shown.answer();
    // What the lead says next is a paragraph of its own.
    assert!(answer.starts_with("I wait.\n\n"), "{answer}");
    assert!(
        answer.contains("ada says: It is in the file poem."),
        "{answer}"
    );
    assert_eq!(world.file("poem"), "rain\n");
    assert_eq!(shown.commands(), ["team", "tasks", "inbox", "cost"]);
    let call = shown.call("ada: bash");
    assert_eq!(call["kind"], "execute");
    let edit = shown.call("lead: write_file");
    let place = world.work().canonicalize().unwrap().join("title");
    assert_eq!(edit["kind"], "edit");
    assert_eq!(edit["locations"][0]["path"], place.to_str().unwrap());
    let diff = &edit["content"][0];
    assert_eq!(
        (&diff["oldText"], &diff["newText"]),
        (&json!("Sun\n"), &json!("Rain\n"))
    );
    assert_eq!(shown.plan(), ["pending: Write a poem"]);
    assert!(shown.thoughts().contains("ada: "), "{}", shown.thoughts());

    client.prompt(&session, "/team");
    let team = client.shown().answer();
    assert!(team.contains("ada (poet): idle"), "{team}");
    let twice = client.ask(
        "session/prompt",
        json!({ "sessionId": session, "prompt": [] }),
    );
    assert_eq!(twice.unwrap_err()["code"], -32602);
    client.leave();

    let mut client = Client::of(&world, &[]);
    client.initialize();
    let listed = client
        .ask("session/list", json!({ "cwd": world.work() }))
        .unwrap();
    assert_eq!(listed["sessions"][0]["sessionId"], session.as_str());
    assert_eq!(listed["sessions"][0]["title"], "A poem");
    let loaded = client
        .ask("session/load", loading(&world, &session))
        .unwrap();
    assert_eq!(loaded["modes"]["currentModeId"], "ask");
    let shown = client.shown();
    assert_eq!(shown.user(), "A poem");
    assert!(shown.answer().contains("ada says: It is in the file poem."));
    assert_eq!(shown.call("lead: write_file")["status"], "completed");
    assert_eq!(shown.plan(), ["pending: Write a poem"]);
    assert_eq!(client.prompt(&session, "more"), "end_turn");
    client.leave();
    world.teammate(&["team", "--team", &session]).ends(0);
}

fn opening(world: &World) -> Value {
    json!({ "cwd": world.work(), "mcpServers": [] })
}

fn loading(world: &World, session: &str) -> Value {
    json!({ "sessionId": session, "cwd": world.work(), "mcpServers": [] })
}

/// A client with a session.
pub(crate) fn begun(world: &World, arguments: &[&str]) -> (Client, String) {
    let mut client = Client::of(world, arguments);
    client.initialize();
    let begun = client.ask("session/new", opening(world)).unwrap();
    let session = begun["sessionId"].as_str().unwrap().to_owned();
    (client, session)
}

// fast: questions in an editor
#[test]
fn a_question_is_asked_once_with_exactly_what_will_run() {
    for (option, exists) in [("allow", true), ("reject", false)] {
        let world = asks();
        let (mut client, session) = begun(&world, &[]);
        let prompt = client.begin_prompt(&session, "make it");
        let (id, asked) = client.question();
        let text = asked["toolCall"]["content"][0]["content"]["text"].as_str();
        assert!(text.unwrap().starts_with("```\ntouch made\n"), "{asked}");
        let options = asked["options"].as_array().unwrap();
        let each = |key| options.iter().map(|it| &it[key]).collect::<Vec<&Value>>();
        assert_eq!(each("kind"), ["allow_once", "reject_once"]);
        assert_eq!(each("name"), ["once", "no"], "as on the screens");
        // The question belongs to the call that was shown before.
        let call = client.shown().call("lead: bash");
        assert_eq!(call["toolCallId"], asked["toolCall"]["toolCallId"]);
        client.answer(
            &id,
            json!({ "outcome": { "outcome": "selected", "optionId": option } }),
        );
        assert_eq!(client.end_of(prompt).unwrap()["stopReason"], "end_turn");
        assert_eq!(world.path("made").exists(), exists);
        client.leave();
    }
}

#[test]
fn a_question_that_a_terminal_answers_is_withdrawn_and_one_that_nobody_answers_is_a_no() {
    let world = asks();
    let (mut client, session) = begun(&world, &[]);
    let prompt = client.begin_prompt(&session, "make it");
    client.question();
    world
        .teammate(&["approve", "1", "--team", &session])
        .ends(0);
    assert_eq!(client.end_of(prompt).unwrap()["stopReason"], "end_turn");
    assert!(client.shown().withdrawn());
    assert!(world.path("made").exists());
    client.leave();

    let world = asks();
    let config = world.path("../home/.config/teammate");
    fs::create_dir_all(&config).unwrap();
    fs::write(config.join("config.toml"), "answer_minutes = 0.01\n").unwrap();
    let (mut client, session) = begun(&world, &[]);
    let prompt = client.begin_prompt(&session, "make it");
    client.question();
    assert_eq!(client.end_of(prompt).unwrap()["stopReason"], "end_turn");
    assert!(!world.path("made").exists());
    client.leave();
}

#[test]
fn in_plan_mode_nothing_is_run_and_modes_are_the_team_s() {
    let world = asks();
    let (mut client, session) = begun(&world, &[]);
    let plan = json!({ "sessionId": session, "modeId": "plan" });
    client.ask("session/set_mode", plan).unwrap();
    assert_eq!(client.prompt(&session, "make it"), "end_turn");
    assert!(!world.path("made").exists());
    let none = json!({ "sessionId": session, "modeId": "yolo" });
    assert_eq!(
        client.ask("session/set_mode", none).unwrap_err()["code"],
        -32602
    );
    client.leave();
}

#[test]
fn a_cancelled_question_is_a_no_and_its_late_yes_counts_for_nothing() {
    let world = asks();
    let (mut client, session) = begun(&world, &[]);
    let prompt = client.begin_prompt(&session, "make it");
    let (id, _) = client.question();
    client.notify("session/cancel", json!({ "sessionId": session }));
    assert_eq!(client.end_of(prompt).unwrap()["stopReason"], "cancelled");
    let yes = json!({ "outcome": { "outcome": "selected", "optionId": "allow" } });
    client.answer(&id, yes);
    assert_eq!(client.prompt(&session, "/team"), "end_turn");
    assert!(!world.path("made").exists());
    client.leave();
}

/// A lead whose command writes its process down and stays.
fn stays() -> World {
    World::playing(&play([(
        "lead",
        vec![
            bash("touch begun; exec tail -f /dev/null").after("stay"),
            say("Done.").otherwise(),
        ],
    )]))
}

#[test]
fn a_cancelled_prompt_is_answered_when_nothing_of_it_runs_any_more() {
    let world = stays();
    let (mut client, session) = begun(&world, &["--permission-mode", "bypass"]);
    let prompt = client.begin_prompt(&session, "stay");
    until(
        || world.path("begun").exists(),
        || "it does not begin".to_owned(),
    );
    let second = client.begin_prompt(&session, "again");
    assert_eq!(client.end_of(second).unwrap_err()["code"], -32600);
    client.notify("session/cancel", json!({ "sessionId": session }));
    assert_eq!(client.end_of(prompt).unwrap()["stopReason"], "cancelled");
    assert_eq!(left(&world), [""; 0]);
    // The session goes on.
    assert_eq!(client.prompt(&session, "something else"), "end_turn");
    client.leave();
}

#[test]
fn an_editor_that_goes_leaves_a_team_that_can_be_continued_and_no_process() {
    let world = stays();
    let (mut client, session) = begun(&world, &["--permission-mode", "bypass"]);
    client.begin_prompt(&session, "stay");
    until(
        || world.path("begun").exists(),
        || "it does not begin".to_owned(),
    );
    let process = Pid::from_raw(client.process().try_into().unwrap()).unwrap();
    client.leave();
    assert!(test_kill_process(process).is_err());
    assert_eq!(left(&world), [""; 0]);
    let team = world.teammate(&["team", "--team", &session]).ends(0).out;
    assert!(team.contains("paused"), "{team}");
}

#[test]
fn a_signal_pauses_the_teams_as_well() {
    let world = stays();
    let (mut client, session) = begun(&world, &["--permission-mode", "bypass"]);
    client.begin_prompt(&session, "stay");
    until(
        || world.path("begun").exists(),
        || "it does not begin".to_owned(),
    );
    let process = Pid::from_raw(client.process().try_into().unwrap()).unwrap();
    kill_process(process, Signal::TERM).unwrap();
    client.ends();
    assert_eq!(left(&world), [""; 0]);
    let team = world.teammate(&["team", "--team", &session]).ends(0).out;
    assert!(team.contains("paused"), "{team}");
}

#[test]
fn what_went_wrong_at_the_end_of_a_team_is_said_in_its_session() {
    let nobody = TcpListener::bind("127.0.0.1:0").unwrap();
    let collector = format!("--otel=http://{}", nobody.local_addr().unwrap());
    drop(nobody);
    let world = World::playing(&play([("lead", vec![say("Hi.").again()])]));
    let (mut client, session) = begun(&world, &[&collector]);
    assert_eq!(client.prompt(&session, "hi"), "end_turn");
    let shown = client.leave_and_listen();
    assert!(
        shown.answer().contains("spans of this run were not sent"),
        "{shown:?}"
    );
}

/// Commands with the world's workspace as their directory.
fn left(world: &World) -> Vec<String> {
    let work = world.work().canonicalize().unwrap();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    processes
        .filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|dir| dir == work))
        .filter_map(|entry| fs::read_to_string(entry.path().join("cmdline")).ok())
        .filter(|line| line.starts_with("tail"))
        .collect()
}

#[test]
fn what_an_editor_says_wrongly_harms_nothing() {
    let world = World::playing(&play([("lead", vec![say("Hi\u{1b}[2J.").again()])]));
    let mut client = Client::of(&world, &[]);
    let early = client.ask("session/new", opening(&world)).unwrap_err();
    assert_eq!(early["message"], "initialize comes first");
    client.initialize();
    for line in ["{", "[1]", "\u{1b}[2J", "{\"jsonrpc\":\"2.0\"}"] {
        client.write(line.as_bytes());
        assert_eq!(client.unreadable()["error"]["code"], -32700, "{line}");
    }
    let mut huge = b"{\"id\":9,\"method\":\"".to_vec();
    huge.resize(20 << 20, b'x');
    client.write(&huge);
    assert_eq!(client.unreadable()["error"]["code"], -32600);
    client.notify("no/such", json!({}));
    client.notify("session/cancel", json!({ "sessionId": "editor-none" }));
    for (method, params, code) in [
        ("fs/everything", json!({}), -32601),
        ("session/prompt", json!({}), -32602),
        (
            "session/prompt",
            json!({ "sessionId": "editor-none", "prompt": [{ "type": "text", "text": "x" }] }),
            -32002,
        ),
        ("session/load", loading(&world, "editor-none"), -32002),
        ("session/load", loading(&world, "../.."), -32002),
        (
            "session/new",
            json!({ "cwd": "relative", "mcpServers": [] }),
            -32602,
        ),
        (
            "session/new",
            json!({ "cwd": "/no/such", "mcpServers": [] }),
            -32602,
        ),
        ("session/new", json!(7), -32602),
        ("session/list", json!({ "cwd": "." }), -32602),
        ("authenticate", json!({ "methodId": "x" }), -32602),
    ] {
        assert_eq!(
            client.ask(method, params).unwrap_err()["code"],
            code,
            "{method}"
        );
    }
    let with_server = json!({ "cwd": world.work(), "mcpServers": [
        { "name": "x", "command": "/bin/touch", "args": ["started"], "env": [] }
    ] });
    let begun = client.ask("session/new", with_server).unwrap();
    let session = begun["sessionId"].as_str().unwrap().to_owned();
    assert_eq!(client.prompt(&session, "hi"), "end_turn");
    let answer = client.shown().answer();
    assert!(
        answer.contains("1 MCP server(s) of the editor are not used"),
        "{answer}"
    );
    assert!(answer.ends_with("Hi\\u{1b}[2J."), "{answer}");
    client.leave();
    assert!(!world.path("started").exists());
}

/// What the page tells an editor to start is an agent that answers.
pub(crate) fn answers_as_shown(shown: &Value, place: &str) {
    let server = &shown["agent_servers"]["Teammate"];
    assert_eq!(server["command"], "teammate", "{place}");
    assert_eq!(server["args"], json!(["acp"]), "{place}");
    let world = World::playing(&play([("lead", vec![say("Hi.").again()])]));
    let mut client = Client::of(&world, &[]);
    assert_eq!(client.initialize()["protocolVersion"], 1, "{place}");
    client.leave();
}

#[test]
fn a_repository_that_is_not_trusted_starts_nothing_and_the_session_says_so() {
    let world = World::playing(&play([("lead", vec![say("Hi.").again()])]));
    let server = json!({ "mcpServers": { "x": { "command": "touch", "args": ["started"] } } });
    fs::write(world.path(".mcp.json"), server.to_string()).unwrap();
    let (mut client, session) = begun(&world, &[]);
    assert_eq!(client.prompt(&session, "hi"), "end_turn");
    let answer = client.shown().answer();
    assert!(answer.contains("teammate trust"), "{answer}");
    client.leave();
    assert!(!world.path("started").exists());
}
