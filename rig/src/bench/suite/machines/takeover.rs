//! A worker with twenty members at work is lost: how long until each asks its model again from another worker.

use std::{
    collections::BTreeMap,
    path::Path,
    time::{Duration, Instant},
};

use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use teammate_testkit::nats::{NatsCluster, NatsServer};

use super::{
    Failure,
    stage::{Stage, until},
};
use crate::bench::suite::{
    Effort, Measured,
    program::{self, Running},
    row::{Row, Target},
    sample::Sample,
    wire::{Exchange, Says, Wire},
};

const MEMBERS: usize = 20;

/// More than all of them.
const PLACES: usize = 64;

/// How long the model thinks, so that members do not wait for each other's turn at the processor.
const THINKS: Duration = Duration::from_millis(500);

/// How a worker is lost.
#[derive(Clone, Copy)]
enum Loss {
    /// `kill -9`: the machine lives, so servers know at once that it is gone.
    Killed,
    /// Stopped, with its connections open: nobody knows before its beats are missing.
    Asleep,
}

pub(super) fn measure(effort: Effort, server: &Path) -> Measured {
    let dir = program::workspace()?;
    let nats = NatsCluster::start(server, dir.path())?;
    let monitors: Vec<String> = nats.servers.iter().map(NatsServer::monitor).collect();
    let wire = Wire::start(false, |asked| {
        let calls = match (asked.member, asked.before) {
            ("lead", 0) => (0..MEMBERS).map(spawn).collect(),
            ("lead", _) => return Says::Text("I wait.".to_owned()),
            _ => vec![("bash", json!({"command": "true"}))],
        };
        Says::After(THINKS, Box::new(Says::Calls(calls)))
    })?;
    let stage = Stage::make(wire, &nats.urls(), &monitors, "3")?;
    let mut holder = stage.worker("w0", PLACES)?;
    stage.send("Spawn them.")?;
    until(|| Ok(at_work(&stage.wire.exchanges()).len() == MEMBERS))?;
    let mut rows = Vec::new();
    let mut number = 0;
    for (loss, target, what) in [
        (Loss::Killed, 4_000.0, "killed"),
        (Loss::Asleep, 10_000.0, "asleep"),
    ] {
        let mut took = Vec::new();
        for _ in 0..effort.times(5, 2) {
            number += 1;
            let next = stage.worker(&format!("w{number}"), PLACES)?;
            took.extend(lose(&stage, holder, loss)?);
            holder = next;
        }
        let took = Sample::ms(took);
        let what = format!("machines R3: worker {what}, {MEMBERS} members ask again, p99");
        let target = Target::AtMost(target);
        rows.push(Row::new(&what, "ms", target, took.quantile(0.99)).note(took.spread()));
    }
    holder.kill()?;
    Ok(rows)
}

/// Loses the worker that holds all, and waits until each member has asked again. How long each took.
fn lose(stage: &Stage, holder: Running, loss: Loss) -> Result<Vec<Duration>, Failure> {
    let mut stopped = None;
    match loss {
        Loss::Killed => holder.kill()?,
        Loss::Asleep => {
            let id = i32::try_from(holder.id())?;
            let process = Pid::from_raw(id).ok_or("no process")?;
            kill_process(process, Signal::STOP)?;
            stopped = Some(holder);
        }
    }
    let begun = Instant::now();
    let before = stage.wire.count();
    until(|| Ok(first_asked(&stage.wire.exchanges()[before..]).len() == MEMBERS))?;
    let asked = first_asked(&stage.wire.exchanges()[before..]);
    if let Some(stopped) = stopped {
        stopped.kill()?;
    }
    let took = asked.values().map(|at| at.saturating_duration_since(begun));
    Ok(took.collect())
}

fn first_asked(exchanges: &[Exchange]) -> BTreeMap<String, Instant> {
    let mut first = BTreeMap::new();
    for exchange in exchanges.iter().filter(|one| one.member != "lead") {
        first
            .entry(exchange.member.clone())
            .or_insert(exchange.asked);
    }
    first
}

/// Members that have asked more than once: they are at work.
fn at_work(exchanges: &[Exchange]) -> BTreeMap<String, usize> {
    let mut times = BTreeMap::new();
    for exchange in exchanges.iter().filter(|one| one.member != "lead") {
        *times.entry(exchange.member.clone()).or_default() += 1;
    }
    times.retain(|_, times| *times > 1);
    times
}

fn spawn(number: usize) -> (&'static str, serde_json::Value) {
    (
        "spawn_teammate",
        json!({"name": format!("m{number}"), "role": "worker", "prompt": "Work."}),
    )
}
