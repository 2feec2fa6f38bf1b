//! The JSON of the pages has the fields that the program prints or writes.

use serde_json::{Value, json};

use super::page::pages;
use crate::{
    play::{Scene as _, play, say},
    world::World,
};

#[test]
fn every_json_in_the_pages_is_json_of_a_known_kind() {
    for page in pages() {
        for block in page.of("json") {
            let place = format!("{}:{}", page.name, block.line);
            let value: Value = serde_json::from_str(&block.text)
                .unwrap_or_else(|error| panic!("{place}: {error}"));
            match &*page.name {
                "docs/board.md" => is_like_a_task(&value, &place),
                "docs/commands.md" => is_like_a_list_of_needs(&value, &place),
                // What the command reads is held against these names by its own test.
                "docs/configuration.md" => {
                    let fields = value.as_object().unwrap().keys().map(String::as_str);
                    let fields: Vec<&str> = fields.collect();
                    assert_eq!(fields, ["team", "member", "kind", "id", "text"], "{place}");
                }
                "docs/conversations.md" => is_like_a_list_of_conversations(&value, &place),
                // Its own test runs it as a file of hooks.
                "docs/hooks.md" => {}
                #[cfg(feature = "acp")]
                "docs/editors.md" => crate::acp::answers_as_shown(&value, &place),
                #[cfg(feature = "mcp")]
                "docs/mcp-server.md" => crate::mcp_serve::lets_in_as_shown(&value, &place),
                // Their own tests run the play and hold the events against the program's.
                "docs/plays.md" | "docs/events.md" => {}
                _ => panic!("{place}: nothing tries this JSON"),
            }
        }
    }
}

/// The same fields in the same order as the program prints of a member that failed.
fn is_like_a_list_of_needs(shown: &Value, place: &str) {
    let fails = json!({ "fail": { "what": "no such model", "remedy": "never" } });
    let world = World::playing(&play([("lead", vec![fails])]));
    world.run("Go").ends(3);
    let real = world.teammate(&["needs", "--json"]).ends(0);
    let real: Value = serde_json::from_str(&real.out).unwrap();
    let keys = |value: &Value| -> Vec<String> {
        let fields = value.as_object().unwrap().iter();
        fields.map(|(name, _)| name.clone()).collect()
    };
    assert_eq!(keys(shown), keys(&real), "{place}");
    let first = |value: &Value| value["needs"][0].clone();
    let (shown, real) = (first(shown), first(&real));
    assert_eq!(keys(&shown), keys(&real), "{place}");
    assert_eq!(keys(&shown["holds"]), keys(&real["holds"]), "{place}");
}

/// The same fields in the same order as the program prints.
fn is_like_a_list_of_conversations(shown: &Value, place: &str) {
    let world = World::playing(&play([("lead", vec![say("Well.").otherwise()])]));
    world.run("Go").ends(0);
    let real = world.teammate(&["conversations", "--json"]).ends(0);
    let real: Value = serde_json::from_str(&real.out).unwrap();
    let keys = |value: &Value| -> Vec<String> {
        let fields = value.as_object().unwrap().iter();
        fields.map(|(name, _)| name.clone()).collect()
    };
    let first = |list: &Value| list["conversations"][0].clone();
    let (shown, real) = (first(shown), first(&real));
    assert_eq!(keys(&shown), keys(&real), "{place} is unlike {real}");
    let unfinished = |value: &Value| keys(&value["unfinished"]);
    assert_eq!(unfinished(&shown), unfinished(&real), "{place}");
}

/// The same fields in the same order as the file of a real task that has them all.
fn is_like_a_task(shown: &Value, place: &str) {
    let world = World::playing(&play([("lead", vec![say("Well.").otherwise()])]));
    world.run("Go").ends(0);
    world.teammate(&["tasks", "add", "Log in"]).ends(0);
    let add = ["tasks", "add", "Test the login", "--blocked-by", "1"];
    let more = ["--requires", "role:tester", "--check", "cargo test login"];
    world.teammate(&[&add[..], &more[..]].concat()).ends(0);
    // The files are written by the program that runs the team.
    world.run("Go");
    let real: Value = serde_json::from_str(&world.file(".team/tasks/2.json")).unwrap();
    let fields = |task: &Value| -> Vec<(String, u8)> {
        let kind = |value: &Value| match value {
            Value::Null => 0,
            Value::Bool(_) => 1,
            Value::Number(_) => 2,
            Value::String(_) => 3,
            Value::Array(_) => 4,
            Value::Object(_) => 5,
        };
        let fields = task.as_object().unwrap().iter();
        fields
            .map(|(name, value)| (name.clone(), kind(value)))
            .collect()
    };
    assert_eq!(fields(shown), fields(&real), "{place} is unlike {real}");
    assert_eq!(shown["status"], json!("pending"));
}
