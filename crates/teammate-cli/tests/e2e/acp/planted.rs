//! Sessions of an editor.

use serde_json::json;

use super::*;
use crate::planted::{REPORT, Works};

#[test]
fn a_bug_in_what_a_session_does_costs_no_prompt() {
    let works = Works::new();
    let world = &works.0;
    let mut client = Client::of(world, &["--permission-mode", "bypass"]);
    client.initialize();
    let opening = || json!({ "cwd": world.work(), "mcpServers": [] });
    works.plant("editor");
    client.ask("session/new", opening()).unwrap_err();
    let begun = client.ask("session/new", opening()).unwrap();
    let session = begun["sessionId"].as_str().unwrap().to_owned();
    works.plant("order");
    let lost = client.begin_prompt(&session, "lost");
    client.end_of(lost).unwrap_err();
    let prompt = client.begin_prompt(&session, "Begin");
    works.begun();
    works.plant("session");
    fs::write(world.path("go"), "").unwrap();
    let ended = client.end_of(prompt).unwrap();
    assert_eq!(ended["stopReason"], "end_turn");
    let answer = client.shown().answer();
    assert!(answer.contains(REPORT), "{answer}");
    assert!(answer.contains("planted in session"), "{answer}");
    works.is_sprung("session");
    client.leave();
    let events = world.path(&format!(".teams/{session}/events.jsonl"));
    works.is_whole(&fs::read_to_string(events).unwrap());
    assert_eq!(works.reports().len(), 3);
}
