//! Entries of a member's story as JSON, with the names that events have for the same things.

use serde_json::{Value, json};
use teammate_view::{Call, CallEnd, Item, ItemKind};

/// An entry with its number over the whole story.
pub(super) fn of(number: u64, item: &Item) -> Value {
    let mut value = json!({ "number": number, "at": item.at });
    let (kind, fields) = what(&item.what);
    value["kind"] = kind.into();
    if let (Value::Object(all), Value::Object(fields)) = (&mut value, fields) {
        all.extend(fields);
    }
    value
}

fn what(what: &ItemKind) -> (&'static str, Value) {
    match what {
        ItemKind::Heard {
            id,
            from,
            kind,
            text,
        } => (
            "heard",
            json!({ "id": id, "from": from, "type": kind, "content": text }),
        ),
        ItemKind::Said { text } => ("said", json!({ "text": text })),
        ItemKind::Called(call) => ("called", called(call)),
        ItemKind::Sent { id, to, text } => ("sent", json!({ "id": id, "to": to, "content": text })),
        ItemKind::Subagent { kind, title, ended } => {
            let (ok, result) = ended.as_ref().map(|(ok, text)| (*ok, text)).unzip();
            (
                "subagent",
                json!({ "agent": kind, "title": title, "ok": ok, "summary": result }),
            )
        }
        ItemKind::Began { role, woken } => ("began", json!({ "role": role, "woken": woken })),
        ItemKind::Rested { why } => ("rested", json!({ "why": why })),
        ItemKind::Stopped { how } => ("stopped", json!({ "how": how })),
        ItemKind::Compacted { how, before, after } => (
            "compacted",
            json!({ "how": how, "before": before, "after": after }),
        ),
        ItemKind::Request { text, call } => ("request", json!({ "text": text, "call": call })),
        ItemKind::Task { text } => ("task", json!({ "text": text })),
        ItemKind::Model { text, .. } => ("model", json!({ "text": text })),
        ItemKind::Note { text } => ("note", json!({ "text": text })),
    }
}

fn called(call: &Call) -> Value {
    json!({
        "call": call.id, "tool": call.tool, "summary": call.summary, "input": call.input,
        "subagent": call.subagent, "asked": call.asked, "ended": call.ended.as_ref().map(ended),
    })
}

fn ended(end: &CallEnd) -> Value {
    json!({
        "ok": end.ok, "summary": end.summary, "took_ms": end.took_ms, "exit": end.exit,
        "lines": end.lines, "file": end.file, "output": end.output, "change": end.change,
    })
}
