//! What clients of each version of the protocol send and get, line by line, as golden files: `> ` is a client's line, `< ` what comes
//! back. `UPDATE_GOLDEN=1` writes the answers anew; clients rely on what is there.

use std::{
    fmt::Write as _,
    fs,
    path::{Path, PathBuf},
};

use serde_json::{Value, json};
use teammate_testkit::assert_golden;

use crate::{stories::poets, wire::Wire, world::World};

/// What differs from one run to the next.
const CHANGING: [&str; 7] = [
    "at",
    "run",
    "runs_in",
    "seconds_ago",
    "took_ms",
    "pid",
    "model",
];

/// A line of the server as the file has it: the JSON in a result's text is shown as JSON.
fn shown(mut line: Value, world: &World) -> String {
    if let Some(text) = line.pointer_mut("/result/content/0/text")
        && let Some(value) = text
            .as_str()
            .and_then(|text| serde_json::from_str(text).ok())
    {
        *text = json!({ "JSON": Value::Object(value) });
    }
    replace(&mut line, &world.directory());
    line.to_string()
}

fn replace(value: &mut Value, directory: &str) {
    match value {
        Value::Object(fields) => {
            for (name, value) in fields {
                match CHANGING.contains(&name.as_str()) {
                    true => *value = "...".into(),
                    false => replace(value, directory),
                }
            }
        }
        Value::Array(values) => values.iter_mut().for_each(|one| replace(one, directory)),
        Value::String(text) if *text == directory => *text = "DIRECTORY".into(),
        Value::String(text) if is_uuid(text) => *text = "ID".into(),
        Value::String(text) if *text == env!("CARGO_PKG_VERSION") => *text = "VERSION".into(),
        Value::String(_) | Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

fn is_uuid(text: &str) -> bool {
    let parts: Vec<usize> = text.split('-').map(str::len).collect();
    parts == [8, 4, 4, 4, 12]
}

/// Plays a client's lines. Each is answered before the next one is sent, unless it is a notification.
async fn play(path: &Path) {
    let world = World::playing(&poets());
    let mut wire = Wire::to(world.server());
    let mut written = String::new();
    for line in fs::read_to_string(path).unwrap().lines() {
        if line.starts_with("< ") {
            continue;
        }
        writeln!(written, "{line}").unwrap();
        let Some(sent) = line.strip_prefix("> ") else {
            continue;
        };
        wire.send(sent).await;
        let parsed: Value = serde_json::from_str(sent).unwrap_or_default();
        let is_notification = parsed.get("method").is_some() && parsed.get("id").is_none();
        if !is_notification {
            writeln!(written, "< {}", shown(wire.line().await, &world)).unwrap();
        }
    }
    assert_golden(path, &written);
    assert_eq!(wire.rest().await, Vec::<Value>::new(), "{}", path.display());
}

#[tokio::test]
async fn every_client_gets_what_it_always_got() {
    let dir = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    let mut paths: Vec<PathBuf> = fs::read_dir(dir)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    assert!(paths.len() >= 4);
    for path in paths {
        play(&path).await;
    }
}
