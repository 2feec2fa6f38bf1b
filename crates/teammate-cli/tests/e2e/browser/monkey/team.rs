//! A team that has one of everything for a hand to touch: members, tasks, mail, changed files, long and wide texts, an open question,
//! and another team beside it.

use serde_json::{Value, json};

use crate::{
    browser::served::{ASKED, Served},
    play::{Scene as _, bash, calls, play, say, send},
    world::{World, until},
};

/// So many files are written: folds on more than one page of a story.
const FILES: usize = 220;

/// What bob says last.
const SAID: &str = "That is all of it.";

/// The team at work: alice waits for the user's answer, the others rest.
pub(super) fn rich() -> Served {
    let world = World::playing(&play([
        ("lead", lead()),
        ("alice", alice()),
        ("bob", bob()),
    ]));
    world
        .teammate(&["--team", "shop", "run", "Open the shop"])
        .ends(0);
    let flags = [
        "--permission-mode",
        "accept-edits",
        // The question waits longer than the test runs, and no story is made shorter.
        "--answer-minutes",
        "10000",
        "--context-tokens",
        "100000000",
        "--max-rounds",
        "100000",
    ];
    let served = Served::hosted(world, &flags);
    let world = &served.world;
    world.teammate(&["send", "lead", "Begin"]).ends(0);
    until(
        || {
            let log = world.teammate(&["log"]).out;
            log.contains(SAID) && world.teammate(&["requests"]).out.contains("req_000001")
        },
        || world.teammate(&["log"]).out,
    );
    served
}

fn lead() -> Vec<Value> {
    let task = |subject: &str, after: &[u32]| {
        let input = json!({
            "subject": subject, "description": markdown(), "blocked_by": after, "check": "test -e made",
        });
        ("create_task", input)
    };
    let member = |name: &str, role: &str| {
        let input = json!({ "name": name, "role": role, "prompt": markdown() });
        ("spawn_teammate", input)
    };
    let todo = |content: &str, status: &str| json!({ "content": content, "activeForm": content, "status": status });
    let todos = json!({ "items": [todo("Look", "completed"), todo("中文", "in_progress"), todo(&wide(), "pending")] });
    vec![
        calls([
            task("Make it", &[]),
            task(&wide(), &[1]),
            task("中文 👨\u{200d}👩\u{200d}👧", &[1, 2]),
            ("todo_write", todos),
            member("alice", "coder"),
            member("bob", "writer 中文"),
        ])
        .after("Begin"),
        say("Heard: {{mail}}").otherwise(),
    ]
}

fn alice() -> Vec<Value> {
    vec![
        calls([("claim_task", json!({ "task_id": 1 }))]),
        send("bob", &markdown()),
        bash(ASKED),
        say("Heard.").otherwise(),
    ]
}

fn bob() -> Vec<Value> {
    let write = |number: usize| {
        let lines: String = (0..=number % 40)
            .map(|line| format!("{line} {}\n", "中x".repeat(number % 50)))
            .collect();
        let input =
            json!({ "path": format!("f{number}.md"), "content": format!("{lines}{}", markdown()) });
        json!({ "tool": "write_file", "input": input })
    };
    let files: Vec<Value> = (0..FILES).map(write).collect();
    let written = files.chunks(20).map(|files| json!({ "calls": files }));
    let rest = [
        send("lead", &markdown()),
        send("alice", &wide()),
        say(&format!("{}\n\n{SAID}", markdown().repeat(8))),
        say("Heard: {{mail}}").otherwise(),
    ];
    written.chain(rest).collect()
}

/// A word without a place to break it.
fn wide() -> String {
    "wide".repeat(60)
}

fn markdown() -> String {
    let row = "| 中文 | e\u{301} | 👨\u{200d}👩\u{200d}👧 |\n";
    format!(
        "# Plan *one*\n\n- [ ] `a` [link](https://example.com)\n  1. {}\n\n> said\n\n```rust\nfn main() {{ \"<b>\" }}\n```\n\n| a | b | c |\n|---|:-:|--:|\n{}\n\n<details open><summary>no</summary></details>",
        wide(),
        row.repeat(12)
    )
}
