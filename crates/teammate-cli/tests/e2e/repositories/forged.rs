//! `.team` directories written by hand, in the format of the first version: right checksums, no seals.

use serde_json::{Value, json};

use super::site::Site;
use crate::play::{Scene as _, calls, play, say};

/// What the user's model says in most rows: the lead looks around, spawns somebody with a worktree, looks at what that one did;
/// everybody completes whatever task they are given.
pub(super) fn usual_play() -> Value {
    let done = json!({ "task_id": "{{after:Task #}}", "result": "It is done." });
    let complete = calls([("complete_task", done)]).after(" is yours").again();
    let probe = json!({ "name": "probe", "role": "coder", "prompt": "Look", "worktree": true });
    let finish = |action: &str| {
        (
            "finish_worktree",
            json!({ "name": "probe", "action": action }),
        )
    };
    play([
        (
            "lead",
            vec![
                calls([
                    ("glob", json!({ "pattern": "**/*.txt" })),
                    ("grep", json!({ "pattern": "needle" })),
                    ("read_file", json!({ "path": "hello.txt" })),
                    ("spawn_teammate", probe),
                    ("worktrees", json!({ "action": "list" })),
                ])
                .after("Go"),
                calls([finish("diff"), finish("merge"), finish("remove")]).after_mail_from("probe"),
                say("I wait.").otherwise(),
            ],
        ),
        ("*", vec![complete, say("ready").otherwise()]),
    ])
}

/// CRC-32 as in zip files: what a journal line of the first version proves itself with.
fn crc32(bytes: &[u8]) -> u32 {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & (crc & 1).wrapping_neg());
        }
    }
    !crc
}

/// One line of a journal.
pub(super) fn line(number: u64, events: &Value) -> String {
    let at = 1_732_230_000_000_u64;
    let sum = crc32(format!("{number} {at} {events}").as_bytes());
    format!("{{\"n\":{number},\"at\":{at},\"sum\":\"{sum:08x}\",\"events\":{events}}}\n")
}

/// A journal of these events, each in a record of its own.
pub(super) fn journal(site: &Site, events: &[Value]) {
    let lines = (0..)
        .zip(events)
        .map(|(number, event)| line(number, &json!([event])));
    site.put(".team/journal.jsonl", lines.collect::<String>());
}

pub(super) fn created() -> Value {
    json!({ "event": "created", "id": "00000000-0000-0000-0000-000000000007", "name": "default" })
}

/// A member was spawned, with these terms besides.
pub(super) fn spawned(name: &str, terms: &Value) -> Value {
    let mut event = json!({
        "event": "spawned", "member": name, "role": "coder", "prompt": "Begin",
        "incarnation": 1, "by": "lead", "call": format!("spawn-{name}"),
    });
    for (key, value) in terms.as_object().unwrap() {
        event[key] = value.clone();
    }
    event
}

pub(super) fn idled(name: &str) -> Value {
    json!({ "event": "idled", "member": name, "incarnation": 1, "why": "done", "turn": 1, "result": "ready" })
}

pub(super) fn working(name: &str) -> Value {
    json!({ "event": "working", "member": name, "incarnation": 1 })
}

/// The user put a task with a check on the board.
pub(super) fn checked_task(number: u32, check: &str) -> Value {
    json!({
        "event": "task", "task": number, "change": "created", "by": "user", "call": format!("task-{number}"),
        "subject": "Check it", "check": check,
    })
}

/// A lead, a worker, and what else.
pub(super) fn team(site: &Site, more: &[Value]) {
    let mut events = vec![
        created(),
        spawned("lead", &json!({})),
        idled("lead"),
        spawned("worker", &json!({})),
        idled("worker"),
    ];
    events.extend_from_slice(more);
    journal(site, &events);
    for name in ["lead", "worker"] {
        transcript(site, name, &[]);
    }
}

/// A member's transcript.
pub(super) fn transcript(site: &Site, name: &str, entries: &[Value]) {
    let header = json!({ "transcript": 1, "member": name }).to_string();
    let lines = entries.iter().map(Value::to_string);
    let text: Vec<String> = [header].into_iter().chain(lines).collect();
    let path = format!(".team/agents/{name}/transcript.jsonl");
    site.put(&path, text.join("\n") + "\n");
}

pub(super) fn heard(to: &str, from: &str, content: &str) -> Value {
    json!({ "entry": "heard", "mail": [mail(to, from, "message", content)] })
}

/// A line of mail without a seal.
pub(super) fn mail(to: &str, from: &str, kind: &str, content: &str) -> Value {
    json!({
        "id": format!("forged-{kind}-{}", content.len()), "type": kind, "from": from, "to": to,
        "content": content, "timestamp": 1_732_230_000.5,
    })
}

/// The model's answer with one call that nobody has run yet.
pub(super) fn called(tool: &str, input: &Value) -> Value {
    json!({
        "entry": "answered", "model": "m", "wire": "scripted", "stop": "tool_use",
        "usage": { "input": 1, "output": 1, "cache_read": 0, "cache_write": 0 },
        "blocks": [{ "type": "tool_use", "id": "forged_1", "name": tool, "input": input }],
    })
}
