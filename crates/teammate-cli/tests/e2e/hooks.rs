//! Hooks with the whole program: each event from where it happens to what becomes of it. Here is what all share.

mod calls;
#[cfg(feature = "mcp")]
mod doors;
mod failing;
mod page;
mod sources;
mod tasks;
mod team;
mod turns;
mod verbs;

use std::fs;

use serde_json::{Value, json};

use crate::world::World;

/// Writes what it reads to `events.jsonl`.
const NOTES: &str = "cat >> events.jsonl";

/// The user's own hooks: event, matcher, command.
fn own<const N: usize>(world: &World, hooks: [(&str, &str, &str); N]) {
    let hooks = hooks.map(|(event, matcher, command)| (event, matcher, hook(command)));
    write(world, "../home/.config/teammate/hooks.json", &file(hooks));
}

fn hook(command: &str) -> Value {
    json!({ "type": "command", "command": command })
}

/// A file of hooks: event, matcher, hook.
fn file<const N: usize>(hooks: [(&str, &str, Value); N]) -> Value {
    let mut file = json!({ "hooks": {} });
    for (event, matcher, hook) in hooks {
        let groups = file["hooks"].as_object_mut().unwrap();
        let groups = groups.entry(event).or_insert_with(|| json!([]));
        let group = json!({ "matcher": matcher, "hooks": [hook] });
        groups.as_array_mut().unwrap().push(group);
    }
    file
}

fn write(world: &World, path: &str, content: &Value) {
    write_text(world, path, &content.to_string());
}

fn write_text(world: &World, path: &str, content: &str) {
    let path = world.path(path);
    fs::create_dir_all(path.parent().unwrap()).unwrap();
    fs::write(path, content).unwrap();
}

/// What hooks read of this event, in order.
fn told(world: &World, event: &str) -> Vec<Value> {
    let mut all = world.json_lines("events.jsonl");
    all.retain(|told| told["hook_event_name"] == event);
    all
}

/// The entries of the audit log about refusals by hooks.
fn audited(world: &World) -> Vec<Value> {
    let run = world.teammate(&["audit", "--json"]).ends(0);
    let mut lines = crate::world::json_lines(&run.out);
    lines.retain(|entry| entry["event"] == "hook_refused");
    lines
}
