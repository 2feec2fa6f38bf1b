//! Shutdowns: what it costs to see an idle teammate off, and how long one that hears nothing goes on after its deadline.

use std::{error::Error, path::Path};

use serde_json::{Value, json};

use super::{
    Effort, Measured, program,
    row::{Row, Target},
    sample::Sample,
    wire::{Asked, Says, Wire},
};

pub(super) fn measure(effort: Effort) -> Measured {
    let mut rows = idle(effort)?;
    rows.extend(stubborn(effort)?);
    Ok(rows)
}

/// All of them spawned, idle, and asked to go in one answer: request, agreement, end and both notices, all synced.
fn idle(effort: Effort) -> Measured {
    let count = effort.times(50, 10);
    let calls = move |tool: &'static str| {
        let name = |at: usize| format!("mate-{at}");
        let call = move |at| {
            (
                tool,
                json!({"name": name(at), "role": "guest", "prompt": "Rest."}),
            )
        };
        Says::Calls((0..count).map(call).collect())
    };
    let wire = Wire::start(false, move |asked: &Asked<'_>| {
        match (asked.member, asked.before) {
            ("lead", 0) => calls("spawn_teammate"),
            ("lead", 1) => Says::Calls(vec![("wait_for_team", json!({}))]),
            ("lead", 2) => calls("request_shutdown"),
            _ => Says::Text("good".to_owned()),
        }
    })?;
    let dir = program::workspace()?;
    let command = &mut program::teammate(dir.path(), &wire.url());
    program::start(command.args(["run", "go"]))?.finish()?;
    let took = Sample::new(times(dir.path())?);
    Ok(vec![
        Row::new(
            "shutdown of an idle teammate: request -> stopped, median",
            "ms",
            Target::AtMost(2_000.0),
            took.median(),
        )
        .note(format!("no model call; {}", took.spread())),
    ])
}

/// One that runs a command which hears nothing, with a second to agree.
fn stubborn(effort: Effort) -> Measured {
    const COMMAND: &str =
        "trap '' TERM; touch begun; setsid sh -c 'trap \"\" TERM; sleep 600' & sleep 600";
    let mut all = Vec::new();
    for _ in 0..effort.times(5, 2) {
        let wire = Wire::start(false, |asked: &Asked<'_>| {
            let alice = json!({"name": "alice", "role": "guest", "prompt": "Stay."});
            let begun = json!({"command": "until test -e begun; do sleep 0.02; done"});
            match (asked.member, asked.before) {
                ("lead", 0) => Says::Calls(vec![("spawn_teammate", alice)]),
                ("lead", 1) => Says::Calls(vec![("bash", begun)]),
                ("lead", 2) => Says::Calls(vec![("request_shutdown", json!({"name": "alice"}))]),
                ("alice", 0) => Says::Calls(vec![("bash", json!({"command": COMMAND}))]),
                _ => Says::Text("good".to_owned()),
            }
        })?;
        let dir = program::workspace()?;
        let command = &mut program::teammate(dir.path(), &wire.url());
        let command = command.args(["--shutdown-seconds", "1", "run", "go"]);
        program::start(command)?.finish()?;
        all.extend(times(dir.path())?.into_iter().map(|ms| ms - 1_000.0));
    }
    let late = Sample::new(all);
    Ok(vec![
        Row::new(
            "shutdown of one that hears nothing: after its deadline, median",
            "ms",
            Target::AtMost(5_000.0),
            late.median(),
        )
        .note(late.spread()),
    ])
}

/// From each request until its member is stopped, in milliseconds, as the journal has it.
fn times(workspace: &Path) -> Result<Vec<f64>, Box<dyn Error + Send + Sync>> {
    let journal = std::fs::read_to_string(workspace.join(".team/journal.jsonl"))?;
    let mut asked = std::collections::HashMap::new();
    let mut took = Vec::new();
    for line in journal.lines() {
        let record: Value = serde_json::from_str(line)?;
        let at = record["at"].as_f64().unwrap_or_default();
        for event in record["events"].as_array().into_iter().flatten() {
            let member = event["member"].as_str().unwrap_or_default().to_owned();
            if event["kind"] == "shutdown" {
                asked.insert(member, at);
            } else if event["event"] == "stopped"
                && let Some(asked) = asked.remove(&member)
            {
                took.push(at - asked);
            }
        }
    }
    if took.is_empty() {
        return Err("nobody was shut down".into());
    }
    Ok(took)
}
