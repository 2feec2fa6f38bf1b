//! Events as they come, and what an editor is shown of each. Every update is read with the protocol's own types.

use agent_client_protocol_schema::v1;
use serde_json::{Value, json};
use teammate::Event;

use super::Shown;

fn event(member: &str, mut what: Value) -> Event {
    what["at"] = 1.into();
    what["member"] = member.into();
    serde_json::from_value(what).unwrap()
}

/// What is shown of these events, a line each.
fn shown(events: &[(&str, Value)]) -> Vec<String> {
    let mut shown = Shown::new("/work".into());
    shown.user_says("Go");
    let events = events.iter().map(|(who, what)| event(who, what.clone()));
    let updates: Vec<Value> = events.flat_map(|event| shown.take(&event)).collect();
    updates.iter().map(line).collect()
}

fn line(update: &Value) -> String {
    if let Err(error) = serde_json::from_value::<v1::SessionUpdate>(update.clone()) {
        panic!("{error}: {update}");
    }
    let kind = update["sessionUpdate"].as_str().unwrap();
    let shown = match kind {
        "tool_call" | "tool_call_update" | "usage_update" => {
            let mut rest = update.clone();
            rest.as_object_mut().unwrap().shift_remove("sessionUpdate");
            rest.to_string()
        }
        _ => update["content"]["text"].to_string(),
    };
    format!("{kind} {shown}")
}

fn asked() -> Value {
    json!({ "event": "asked", "round": 1, "model": "m" })
}

fn answered(text: &str) -> Value {
    json!({
        "event": "answered", "text": text, "stop": "end_turn",
        "usage": { "input": 1, "output": 1 },
    })
}

#[test]
fn words_come_as_they_stream_and_once() {
    let piece = |text: &str| json!({ "event": "text", "delta": text });
    assert_eq!(
        shown(&[
            (
                "lead",
                json!({ "event": "person_said", "id": "m-1", "to": "lead", "by": "user", "content": "Go" })
            ),
            ("lead", asked()),
            ("lead", json!({ "event": "thinking", "delta": "Hm" })),
            ("lead", piece("One, ")),
            ("lead", piece("two\u{1b}[2J")),
            ("lead", answered("One, two\u{1b}[2J")),
            ("ada", asked()),
            ("ada", answered("not shown")),
            ("lead", asked()),
            ("lead", answered("Whole.")),
            (
                "lead",
                json!({ "event": "person_said", "id": "m-2", "to": "ada", "by": "user", "content": "by a terminal" })
            ),
        ]),
        [
            r#"agent_thought_chunk "Hm""#,
            r#"agent_message_chunk "\n\nOne, ""#,
            r#"agent_message_chunk "two\\u{1b}[2J""#,
            r#"agent_message_chunk "\n\nWhole.""#,
            r#"user_message_chunk "@ada by a terminal""#,
        ]
    );
}

#[test]
fn calls_have_ids_of_their_own_places_and_diffs() {
    let started = |tool: &str, summary: &str, input: &str| {
        json!({
            "event": "tool_started", "call": "c1", "tool": tool, "summary": summary, "input": input,
        })
    };
    let finished = |tool: &str, ok: bool, more: Value| {
        let mut event = json!({
            "event": "tool_finished", "call": "c1", "tool": tool, "ok": ok, "summary": "no",
            "took_ms": 1,
        });
        for (key, value) in more.as_object().unwrap() {
            event[key] = value.clone();
        }
        event
    };
    let change = json!({ "change": {
        "path": "a.rs", "added": 1, "removed": 1, "diff": "@@ -3 +3 @@\n-x\n+y\n",
    } });
    assert_eq!(
        shown(&[
            ("lead", started("edit_file", "a.rs", r#"{"path":"a.rs"}"#)),
            (
                "ada",
                json!({ "event": "spawned", "role": "r", "incarnation": 1, "woken": false, "worktree": "/trees/ada" })
            ),
            (
                "ada",
                started("bash", "ls \u{7}\nrm", "{\"command\":\"ls\"}")
            ),
            (
                "ada",
                finished("bash", false, json!({ "output": { "head": "```\n" } }))
            ),
            ("lead", finished("edit_file", true, change)),
            ("ada", started("read_file", "b", r#"{"path":"b"}"#)),
            ("bob", finished("bash", true, json!({}))),
        ]),
        [
            r#"tool_call {"toolCallId":"call-1","title":"lead: edit_file a.rs","kind":"edit","status":"in_progress","locations":[{"path":"/work/a.rs"}],"rawInput":{"path":"a.rs"}}"#,
            r#"agent_thought_chunk "ada: spawned (r)\n\n""#,
            r#"tool_call {"toolCallId":"call-2","title":"ada: bash ls \\u{7} rm","kind":"execute","status":"in_progress","rawInput":{"command":"ls"}}"#,
            r#"tool_call_update {"toolCallId":"call-2","status":"failed","content":[{"type":"content","content":{"type":"text","text":"````\n```\n````"}}]}"#,
            r#"tool_call_update {"toolCallId":"call-1","status":"completed","locations":[{"path":"/work/a.rs","line":3}],"content":[{"type":"diff","path":"/work/a.rs","newText":"y\n","oldText":"x\n"}]}"#,
            r#"tool_call {"toolCallId":"call-3","title":"ada: read_file b","kind":"read","status":"in_progress","locations":[{"path":"/trees/ada/b"}],"rawInput":{"path":"b"}}"#,
        ]
    );
}

#[test]
fn usage_is_of_the_lead_and_its_cost_of_all() {
    let paid = |mut answer: Value| {
        answer["money"] = json!({ "amount": "0.25", "currency": "USD" });
        answer["context"] = json!({ "used": 10, "limit": 100 });
        answer
    };
    let lines = shown(&[
        ("ada", paid(answered(""))),
        ("lead", paid(answered(""))),
        ("ada", paid(answered(""))),
    ]);
    assert_eq!(
        lines,
        [
            r#"usage_update {"used":10,"size":100,"cost":{"amount":0.5,"currency":"USD"}}"#,
            r#"usage_update {"used":10,"size":100,"cost":{"amount":0.75,"currency":"USD"}}"#,
        ]
    );
    let estimated = |mut answer: Value| {
        answer["money"]["estimated"] = json!(true);
        answer["context"]["estimated"] = json!(true);
        answer
    };
    let lines = shown(&[
        ("ada", estimated(paid(answered("")))),
        ("lead", paid(answered(""))),
        ("lead", estimated(paid(answered("")))),
    ]);
    assert_eq!(
        lines,
        [
            r#"usage_update {"used":10,"size":100,"cost":{"amount":0.5,"currency":"USD"},"_meta":{"estimated":{"used":false,"cost":true}}}"#,
            r#"usage_update {"used":10,"size":100,"cost":{"amount":0.75,"currency":"USD"},"_meta":{"estimated":{"used":true,"cost":true}}}"#,
        ]
    );
}
