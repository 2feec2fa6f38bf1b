//! Many members at work at the same time, without a model's latency.

use std::fs;

use serde_json::{Value, json};

use super::fixture::Team;
use crate::bench::suite::{
    Effort, Measured,
    row::{Row, Target},
};

/// How many spawns there are in one answer of the lead.
const AT_ONCE: usize = 50;

pub(super) fn measure(effort: Effort) -> Measured {
    let mut rows = Vec::new();
    for (size, memory) in [
        (effort.times(300, 60), Target::AtMost(100.0)),
        (effort.times(1_000, 200), Target::AtMost(200.0)),
    ] {
        let team = Team::new()?;
        fs::write(
            team.work().join("part.txt"),
            "fn parse() {}\n".repeat(1_000),
        )?;
        team.plays_with_members(&lead(size), &member())?;
        let cost = team.cost(&["run", "--max-spawns", "0", "Let them work."])?;
        rows.push(
            Row::new(
                &format!("scale: {size} members at work, peak memory"),
                "MB",
                memory,
                cost.peak_mb,
            )
            .note(format!(
                "{} rounds with a tool and the board in {:.1} s, {:.1} s of CPU",
                size * 4,
                cost.wall.as_secs_f64(),
                cost.cpu.as_secs_f64()
            )),
        );
    }
    Ok(rows)
}

fn lead(size: usize) -> Value {
    let names: Vec<String> = (0..size).map(|number| format!("m{number}")).collect();
    let mut steps: Vec<Value> = names
        .chunks(AT_ONCE)
        .map(|names| {
            let calls = names.iter().map(|name| {
                json!({"tool": "spawn_teammate", "input": {"name": name, "role": "reader", "prompt": "Read."}})
            });
            json!({"calls": calls.collect::<Vec<_>>()})
        })
        .collect();
    steps.push(json!({"calls": [{"tool": "wait_for_team"}]}));
    steps.push(json!({"say": "All have read.", "repeat": true}));
    Value::Array(steps)
}

/// A member makes itself a task, reads and reports.
fn member() -> Value {
    let read =
        json!({"calls": [{"tool": "read_file", "input": {"path": "part.txt", "limit": 20}}]});
    json!([
        {"calls": [{"tool": "create_task", "input": {"subject": "Read the part"}}]},
        read.clone(),
        read,
        {"say": "I have read it."},
        {"say": "ok", "repeat": true},
    ])
}
