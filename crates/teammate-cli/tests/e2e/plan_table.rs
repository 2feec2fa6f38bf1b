//! What a member may do behind a closed plan gate: the table in docs/protocols/plan.md, row by row.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use teammate_core::tool::EffectClass;

use crate::{
    play::{Scene as _, calls, say},
    world::World,
};

const DOC: &str = include_str!("../../../../docs/protocols/plan.md");

/// The rows of the table: a tool, what is done with it, whether it may be.
fn rows() -> Vec<(&'static str, &'static str, bool)> {
    let lines = DOC.lines().filter_map(|line| line.strip_prefix("| `"));
    lines
        .map(|line| {
            let cells: Vec<&str> = line
                .trim_end_matches('|')
                .split('|')
                .map(str::trim)
                .collect();
            let (tool, _) = cells[0].split_once('`').unwrap();
            let may = match cells[2] {
                "yes" => true,
                "no" => false,
                other => panic!("neither yes nor no: {other}"),
            };
            (tool, cells[1], may)
        })
        .collect()
}

/// What each row tries.
fn tried(tool: &str, what: &str) -> Value {
    match (tool, what) {
        ("bash", "any command, also one that only looks") => json!({ "command": "ls" }),
        ("bash", "in the background") => json!({ "command": "ls", "run_in_background": true }),
        ("read_file", _) => json!({ "path": "a.txt" }),
        ("write_file", _) => json!({ "path": "b.txt", "content": "x" }),
        ("edit_file", _) => json!({ "path": "a.txt", "old_text": "a", "new_text": "b" }),
        ("glob", _) => json!({ "pattern": "*" }),
        ("grep", _) => json!({ "pattern": "a" }),
        ("send_message", _) => json!({ "to": "bob", "content": "would you write b.txt for me?" }),
        ("task", "a subagent, which has the same gate") => json!({ "prompt": "look" }),
        ("task", "the same in the background") => {
            json!({ "prompt": "look", "run_in_background": true })
        }
        ("todo_write", _) => json!({ "todos": [] }),
        ("task_output" | "task_stop", _) => json!({ "job_id": "b1" }),
        ("get_task" | "claim_task" | "complete_task", _) => json!({ "task_id": 1 }),
        ("update_task", "give a task back or up") => json!({ "task_id": 1, "status": "pending" }),
        ("update_task", "claim or complete a task") => {
            json!({ "task_id": 1, "status": "in_progress" })
        }
        ("load_skill", _) => json!({ "name": "greet" }),
        ("submit_plan", _) => json!({ "plan": "look, then write" }),
        ("respond_shutdown", _) => json!({ "request_id": "req_000001", "approve": true }),
        ("idle", _) => json!({ "waits_for": "the answer" }),
        ("read_inbox" | "list_teammates" | "list_tasks", _) => json!({}),
        other => panic!("no test for the row {other:?}"),
    }
}

#[test]
fn what_a_member_behind_a_closed_gate_may_do_is_what_the_table_says() {
    let rows = rows();
    let known: BTreeSet<&str> = rows.iter().map(|(tool, ..)| *tool).collect();
    let tools = teammate_tools::ToolCatalogue::new().teammate_tools();
    let all: BTreeSet<&str> = tools
        .iter()
        .map(|tool| &*tool.spec().name)
        .chain(["load_skill"])
        .collect();
    assert!(known.is_subset(&all), "each row is a tool of a teammate");
    // The gate weighs classes, not names.
    for tool in &tools {
        let class = tool.spec().class;
        let mut alike = tools.iter().filter(|other| other.spec().class == class);
        let has_row = alike.any(|other| known.contains(&*other.spec().name));
        assert!(has_row, "a row for a tool of class {class:?}");
    }

    // A summary would begin the play anew: of `compact` it is enough that it is none of the tools that the gate weighs.
    let compact = tools.iter().find(|tool| tool.spec().name == "compact");
    assert_eq!(compact.unwrap().spec().class, EffectClass::Team);
    let rows: Vec<_> = rows
        .into_iter()
        .filter(|(tool, ..)| *tool != "compact")
        .collect();
    let tries: Vec<Value> = rows
        .iter()
        .map(|(tool, what, _)| json!({ "tool": tool, "input": tried(tool, what) }))
        .collect();
    let spawn = |name: &str, plan: bool| {
        let input = json!({ "name": name, "role": "coder", "prompt": "TRY", "require_plan": plan });
        ("spawn_teammate", input)
    };
    let world = World::playing(&json!({ "members": {
        "lead": [
            calls([
                ("create_task", json!({ "subject": "first", "requires": "role:nobody" })),
                spawn("bob", false),
                spawn("alice", true),
            ])
            .after("GO"),
            say("I wait.").otherwise(),
        ],
        "bob": [
            calls([("write_file", json!({ "path": "b.txt", "content": "for alice" }))])
                .after("would you write"),
            say("bob rests").otherwise(),
        ],
        "alice": [
            json!({ "calls": tries, "when": { "mail_contains": "TRY" } }),
            say("I wait.").otherwise(),
        ],
        "alice/*": [
            calls([("write_file", json!({ "path": "sub.txt", "content": "x" }))]).after("look"),
            say("tried").otherwise(),
        ],
    } }));
    std::fs::write(world.path("a.txt"), "a\n").unwrap();
    std::fs::create_dir_all(world.path("skills/greet")).unwrap();
    std::fs::write(
        world.path("skills/greet/SKILL.md"),
        "---\nname: greet\ndescription: Says hello.\n---\nHello.\n",
    )
    .unwrap();
    world.run("GO").ends(0);
    let outcomes = world.outcomes("alice");
    for ((tool, what, may), outcome) in rows.iter().zip(&outcomes) {
        let is_refused =
            outcome.contains("your plan must be approved") || outcome.contains("has no answer yet");
        assert_eq!(*may, !is_refused, "{tool} ({what}): {outcome}");
        assert!(!outcome.contains("Unknown tool"), "{tool}: {outcome}");
    }
    assert_eq!(world.file("a.txt"), "a\n");
    assert!(!world.path("sub.txt").exists(), "written by a subagent");
    // A peer that nobody requires a plan of may do what it is asked.
    assert_eq!(world.file("b.txt"), "for alice");
}
