//! `kill -9` of a team of twenty in the middle of its work, and `teammate resume`: how long until every member has asked
//! its model again.

use std::{
    collections::BTreeSet,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
};

use serde_json::{Value, json};

use super::{
    Effort, Measured, program,
    row::{Row, Target},
    sample::Sample,
    wire::{Asked, Exchange, Says, Wire},
};

const MEMBERS: usize = 20;

/// How many shell calls each has behind it.
const CALLS: usize = 5;

pub(super) fn measure(effort: Effort) -> Measured {
    let mut took = Vec::new();
    for _ in 0..effort.times(5, 2) {
        took.push(once()?);
    }
    let took = Sample::new(took);
    Ok(vec![
        Row::new(
            "kill -9 of 20 members at work -> all at work again",
            "ms",
            Target::AtMost(1_000.0),
            took.median(),
        )
        .note(took.spread()),
    ])
}

fn once() -> Result<f64, Box<dyn std::error::Error + Send + Sync>> {
    let resumed = Arc::new(AtomicBool::new(false));
    let script = resumed.clone();
    let wire = Wire::start(false, move |asked| {
        says(asked, script.load(Ordering::Relaxed))
    })?;
    let dir = program::workspace()?;
    let running =
        program::start(program::teammate(dir.path(), &wire.url()).args(["run", "Spawn them."]))?;
    wire.until(|exchanges| stuck(exchanges) == MEMBERS)?;
    running.kill()?;
    resumed.store(true, Ordering::Relaxed);
    let before = wire.exchanges().len();
    let running = program::start(program::teammate(dir.path(), &wire.url()).arg("resume"))?;
    let begun = running.begun();
    wire.until(|exchanges| names(&exchanges[before..]).len() == MEMBERS)?;
    let exchanges = wire.exchanges();
    let mut seen = BTreeSet::new();
    let mut last = begun;
    for exchange in &exchanges[before..] {
        if exchange.member != "lead" && seen.insert(&exchange.member) {
            last = last.max(exchange.asked);
        }
    }
    running.kill()?;
    Ok(last.saturating_duration_since(begun).as_secs_f64() * 1e3)
}

fn names(exchanges: &[Exchange]) -> BTreeSet<&str> {
    let names = exchanges.iter().map(|exchange| exchange.member.as_str());
    names.filter(|name| *name != "lead").collect()
}

/// How many teammates wait for an answer that does not come.
fn stuck(exchanges: &[Exchange]) -> usize {
    let waiting = exchanges
        .iter()
        .filter(|exchange| exchange.member != "lead" && exchange.answered.is_none());
    waiting
        .map(|exchange| exchange.member.as_str())
        .collect::<BTreeSet<_>>()
        .len()
}

fn says(asked: &Asked<'_>, resumed: bool) -> Says {
    match (asked.member, asked.before) {
        _ if resumed => Says::Text("done".to_owned()),
        ("lead", 0) => Says::Calls((0..MEMBERS).map(spawn).collect()),
        ("lead", _) => Says::Calls(vec![("wait_for_team", json!({}))]),
        (_, before) if before < CALLS => Says::Calls(vec![("bash", json!({"command": "true"}))]),
        _ => Says::Nothing,
    }
}

fn spawn(number: usize) -> (&'static str, Value) {
    (
        "spawn_teammate",
        json!({"name": format!("m{number}"), "role": "worker", "prompt": "Work."}),
    )
}
