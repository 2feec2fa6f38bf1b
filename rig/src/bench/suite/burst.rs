//! A hundred teammates at once: none fails, each hears and is heard, and none waits for another's answer: the lead's request has
//! written the prompt cache that they read.

use std::{collections::BTreeSet, sync::Arc, time::Duration};

use serde_json::{Value, json};
use teammate_models::Scripted;
use teammate_testkit::{RecordedRequest, Server};

use super::{
    Effort, Measured, program,
    row::{Row, Target},
};

const MEMBERS: usize = 100;

/// How long the model thinks: long enough for all to ask meanwhile.
const LATENCY: Duration = Duration::from_millis(500);

pub(super) fn measure(_: Effort) -> Measured {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    let model = Arc::new(Scripted::read("burst", &play().to_string())?);
    let server = runtime.block_on(Server::with_model("127.0.0.1:0", model, true))?;
    let dir = program::workspace()?;
    let command = &mut program::teammate(dir.path(), &server.url());
    let cost = program::start(command.args(["run", "Spawn them all."]))?.finish()?;
    let seen = server.seen();
    let members: Vec<(&RecordedRequest, String)> =
        seen.iter().map(|seen| (seen, member(seen))).collect();
    let workers: Vec<&RecordedRequest> = members
        .iter()
        .filter(|(_, name)| name != "lead")
        .map(|(seen, _)| *seen)
        .collect();
    let last = members
        .iter()
        .rev()
        .find(|(_, name)| name == "lead")
        .map(|(seen, _)| seen.body.as_str());
    let (mails, reports) = heard(last.unwrap_or(""));
    let first = workers
        .iter()
        .map(|seen| seen.at)
        .min()
        .ok_or("nobody asked")?;
    let early = workers
        .iter()
        .filter(|seen| seen.at < first + LATENCY)
        .count();
    let asked: BTreeSet<&str> = members
        .iter()
        .map(|(_, name)| name.as_str())
        .filter(|name| *name != "lead")
        .collect();
    let missing =
        (MEMBERS - asked.len()) + (MEMBERS - mails.min(MEMBERS)) + (MEMBERS - reports.min(MEMBERS));
    Ok(vec![
        Row::new("burst of 100 spawns, sends, reports: failed", "", Target::AtMost(0.0), missing as f64)
            .note(format!(
                "{} asked, {mails} messages and {reports} reports reached the lead, {} requests refused",
                asked.len(),
                server.totals().refused
            )),
        Row::new("burst: requests before the first answer", "", Target::AtLeast(MEMBERS as f64), early as f64),
        Row::new("burst: wall over its model calls", "s", Target::Nothing, cost.wall.as_secs_f64() - LATENCY.as_secs_f64() * 5.0)
            .note(format!("{:.2} s in all, {:.2} CPU s", cost.wall.as_secs_f64(), cost.cpu.as_secs_f64())),
        Row::new("burst: peak memory", "MB", Target::Nothing, cost.peak_mb),
    ])
}

fn member(seen: &RecordedRequest) -> String {
    let name = seen
        .body
        .split_once("You are '")
        .and_then(|(_, rest)| rest.split('\'').next());
    name.unwrap_or("").to_owned()
}

/// How many different messages and reports there are in the lead's conversation.
fn heard(body: &str) -> (usize, usize) {
    let numbers = |before: &str| {
        let found = body.split(before).skip(1);
        let numbers: BTreeSet<&str> = found.filter_map(|rest| rest.split('.').next()).collect();
        numbers.len()
    };
    (numbers("I begin as "), numbers("I end as "))
}

fn play() -> Value {
    let pause_ms = LATENCY.as_millis() as u64;
    let names: Vec<String> = (0..MEMBERS).map(|number| format!("m{number}")).collect();
    let spawns: Vec<Value> = names
        .iter()
        .map(|name| json!({"tool": "spawn_teammate", "input": {"name": name, "role": "worker", "prompt": format!("Your number: {name}.")}}))
        .collect();
    let mut members = serde_json::Map::new();
    for name in &names {
        members.insert(name.clone(), json!([
            {"pause_ms": pause_ms, "calls": [{"tool": "send_message", "input": {"to": "lead", "content": format!("I begin as {name}.")}}]},
            {"pause_ms": pause_ms, "say": format!("I end as {name}."), "repeat": true},
        ]));
    }
    members.insert("lead".to_owned(), json!([
        {"pause_ms": pause_ms, "calls": spawns},
        {"when": {"contains": "I end as"}, "pause_ms": pause_ms, "say": "Heard.", "repeat": true},
        {"pause_ms": pause_ms, "calls": [{"tool": "wait_for_team"}], "repeat": true},
    ]));
    json!({"members": members})
}
