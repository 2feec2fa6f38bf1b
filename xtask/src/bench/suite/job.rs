//! The peers' job: a lead spawns three teammates, each calls the shell five times and reports. What it takes without any
//! latency of the model, and how close the time comes to the longest chain of model calls with it.

use std::{sync::Arc, time::Duration};

use serde_json::{Value, json};
use teammate_models::Scripted;
use teammate_testkit::{Server, Totals};

use super::{
    Effort, Measured, program,
    program::Cost,
    row::{Row, Target},
};

/// A model call's latency in the second run.
const LATENCY_MS: u64 = 800;

/// The lead's call that spawns, one teammate's six, the lead's last one.
const CHAIN: u64 = 8;

pub(super) fn measure(_: Effort) -> Measured {
    let (totals, cost) = run(0)?;
    let (_, slow) = run(LATENCY_MS)?;
    let chain = Duration::from_millis(LATENCY_MS * CHAIN);
    let with_ahead = Duration::from_millis(LATENCY_MS * (CHAIN + 1));
    let ratio = |chain: Duration| slow.wall.as_secs_f64() / chain.as_secs_f64();
    Ok(vec![
        Row::new("job, 3 teammates x 5 shell calls: requests", "", Target::AtMost(22.0), totals.requests as f64)
            .note(format!("{} refused by the strict server", totals.refused)),
        Row::new("job: bytes sent", "MB", Target::AtMost(0.4), totals.bytes as f64 / 1e6)
            .note(format!("{:.2} of them begin as the request before did", totals.shared as f64 / totals.bytes as f64)),
        Row::new("job: CPU, shells included", "s", Target::AtMost(0.15), cost.cpu.as_secs_f64()),
        Row::new("job: peak memory", "MB", Target::AtMost(15.0), cost.peak_mb),
        Row::new("job: wall without latency", "ms", Target::Nothing, cost.wall.as_secs_f64() * 1e3),
        Row::new("job at 800 ms a call: wall / longest chain (9 calls)", "", Target::AtMost(1.1), ratio(with_ahead))
            .note(format!(
                "{:.2} s; {:.2} of the 8 calls without the one that goes ahead: this server shows nothing before its 800 ms are over",
                slow.wall.as_secs_f64(),
                ratio(chain)
            )),
    ])
}

fn run(latency_ms: u64) -> Result<(Totals, Cost), Box<dyn std::error::Error + Send + Sync>> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let model = Arc::new(Scripted::read("job", &play(latency_ms).to_string())?);
    let server = runtime.block_on(Server::with_model("127.0.0.1:0", model, false))?;
    let dir = program::workspace()?;
    let command = &mut program::teammate(dir.path(), &server.url());
    let cost = program::start(command.args(["run", "Have three teammates do it."]))?.finish()?;
    Ok((server.totals(), cost))
}

fn play(pause_ms: u64) -> Value {
    let spawns: Vec<Value> = ["w1", "w2", "w3"]
        .iter()
        .map(|name| json!({"tool": "spawn_teammate", "input": {"name": name, "role": "worker", "prompt": "Call the shell five times, then report."}}))
        .collect();
    let shell =
        json!({"pause_ms": pause_ms, "calls": [{"tool": "bash", "input": {"command": "true"}}]});
    let mut worker = vec![shell; 5];
    worker.push(json!({"pause_ms": pause_ms, "say": "All five calls ran.", "repeat": true}));
    json!({"members": {
        "lead": [
            {"pause_ms": pause_ms, "calls": spawns},
            {"pause_ms": pause_ms, "calls": [{"tool": "wait_for_team"}]},
            {"pause_ms": pause_ms, "say": "All three have reported.", "repeat": true},
        ],
        "w*": worker,
    }})
}
