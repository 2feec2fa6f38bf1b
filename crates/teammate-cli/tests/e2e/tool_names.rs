//! Models read one set of tool names, the one that they were shown: in prompts, assignments, tool descriptions, outcomes and
//! notices alike.

use serde_json::{Value, json};

use crate::{
    play::{Scene as _, calls, play, say},
    wires::{Vendor, WIRES, world_at},
    world::World,
};

/// Our names that have another, as far as they are no ordinary words.
const OURS: [&str; 16] = [
    "read_file",
    "write_file",
    "edit_file",
    "send_message",
    "create_team",
    "delete_team",
    "create_task",
    "get_task",
    "update_task",
    "list_tasks",
    "task_output",
    "task_stop",
    "load_skill",
    "todo_write",
    "submit_plan",
    "read_inbox",
];

/// The others, likewise.
const THEIRS: [&str; 13] = [
    "SendMessage",
    "TeamCreate",
    "TeamDelete",
    "TaskCreate",
    "TaskGet",
    "TaskUpdate",
    "TaskList",
    "TaskOutput",
    "TaskStop",
    "TodoWrite",
    "ExitPlanMode",
    "KillShell",
    "check_inbox",
];

/// The name of a tool in a play: ours, or the other one.
type Say = fn(&'static str) -> &'static str;

fn ours(name: &'static str) -> &'static str {
    name
}

fn theirs(name: &'static str) -> &'static str {
    match name {
        "send_message" => "SendMessage",
        "create_team" => "TeamCreate",
        "create_task" => "TaskCreate",
        "update_task" => "TaskUpdate",
        "submit_plan" => "ExitPlanMode",
        "todo_write" => "TodoWrite",
        "bash" => "Bash",
        "read_file" => "Read",
        name => name,
    }
}

/// A lead with a board and a reviewed plan; teammates that forget to complete, call what they may not, run something in the
/// background, and look at files that are not there.
fn everything(tool: Say) -> Value {
    let task = |subject: &str, requires: &str| {
        let input = json!({ "subject": subject, "requires": requires, "check": "true" });
        (tool("create_task"), input)
    };
    let spawn = |name: &str, plan: bool| {
        let input = json!({ "name": name, "prompt": "Take what the board has", "require_plan": plan, "team": "crew" });
        ("spawn_teammate", input)
    };
    let finish = |id: &str| ("complete_task", json!({ "task_id": id, "result": "done" }));
    play([
        (
            "lead",
            vec![
                calls([
                    (tool("create_team"), json!({ "name": "crew" })),
                    spawn("ann", false),
                    // Before she has a task: a spawn cuts what she does.
                    ("spawn_teammate", json!({ "name": "ann", "prompt": "again" })),
                    spawn("bob", true),
                    task("Look", "role:ann"),
                    task("Write", "role:ann"),
                    (tool("submit_plan"), json!({ "plan": "x" })),
                    ("fly", json!({})),
                    (tool("send_message"), json!({ "to": "nobody", "content": "x" })),
                    (tool("send_message"), json!({ "to": "ann", "content": "x", "type": "shutdown_request" })),
                ])
                .after("Go"),
                calls([(
                    "review_plan",
                    json!({ "request_id": "{{request_id}}", "approve": false, "feedback": "shorter" }),
                )])
                .after_mail("the first plan"),
                calls([(
                    "review_plan",
                    json!({ "request_id": "{{request_id}}", "approve": true }),
                )])
                .after_mail("the second plan"),
                say("I wait.").otherwise(),
            ],
        ),
        (
            "ann",
            vec![
                calls([
                    (tool("create_task"), json!({ "subject": "More" })),
                    ("review_plan", json!({})),
                    (tool("read_file"), json!({ "path": "missing.txt" })),
                    (tool("read_file"), json!({ "path": ".team/journal.jsonl" })),
                    (tool("bash"), json!({ "command": "sleep 0.1", "run_in_background": true })),
                    (tool("bash"), json!({ "command": "seq 1 20000" })),
                ])
                .after("Task #1 is yours"),
                say("I forgot it.").after("left out here"),
                calls([finish("1")]).after("is still yours"),
                calls([finish("2")]).after("Task #2 is yours"),
                say("ready").otherwise(),
            ],
        ),
        (
            "bob",
            vec![
                calls([
                    (tool("bash"), json!({ "command": "true" })),
                    ("claim_task", json!({ "task_id": 2 })),
                    (tool("submit_plan"), json!({ "plan": "the first plan" })),
                ])
                .after("Take what the board has"),
                calls([(tool("submit_plan"), json!({ "plan": "the second plan" }))]).after("[Plan rejected]"),
                say("Then the board.").after("[Plan approved]"),
                say("ready").otherwise(),
            ],
        ),
    ])
}

/// Every word of these names in the requests, with what stands around it.
fn spoken(bodies: &[Value], names: &[&str]) -> Vec<String> {
    let is_word = |c: char| c.is_ascii_alphanumeric() || c == '_';
    let mut found = Vec::new();
    for body in bodies {
        let text = body.to_string();
        for name in names {
            for (at, _) in text.match_indices(name) {
                let before = text[..at].chars().next_back();
                let after = text[at + name.len()..].chars().next();
                if !before.is_some_and(is_word) && !after.is_some_and(is_word) {
                    let from = text.floor_char_boundary(at.saturating_sub(80));
                    let to = text.ceil_char_boundary((at + 80).min(text.len()));
                    found.push(format!("{name}: {}", &text[from..to]));
                }
            }
        }
    }
    found
}

fn bodies(flags: &[&str], tool: Say, wire: crate::wires::Wire) -> Vec<Value> {
    let vendor = Vendor::playing("127.0.0.1:0", &everything(tool));
    let world: World = world_at(wire, &vendor.url());
    world
        .teammate(&[&["run", "--permission-mode", "bypass"], flags, &["Go"]].concat())
        .ends(0);
    vendor.assert_content();
    let bodies = vendor.bodies();
    let all = Value::from(bodies.clone()).to_string();
    // What is looked through holds what could name tools.
    for heard in [
        "ended your turn without calling complete_task",
        "[Plan rejected]",
        "[Plan approved]",
        "Only the lead may call",
        "Only teammates may call",
        "Unknown tool 'fly'",
        "a protocol step",
        "Started in the background",
        "Background job b1",
        "the whole output is in",
        "review_plan(request_id",
        "All 2 tasks are completed",
    ] {
        assert!(all.contains(heard), "nobody was told: {heard}");
    }
    bodies
}

#[test]
fn with_the_other_names_none_of_ours_is_read_by_a_model() {
    for wire in WIRES {
        let found = spoken(&bodies(&["--tool-names", "claude"], theirs, wire), &OURS);
        assert!(found.is_empty(), "{wire:?}: {found:#?}");
    }
}

#[test]
fn with_our_names_none_of_the_others_is_read_by_a_model() {
    for wire in WIRES {
        let found = spoken(&bodies(&[], ours, wire), &THEIRS);
        assert!(found.is_empty(), "{wire:?}: {found:#?}");
    }
}
