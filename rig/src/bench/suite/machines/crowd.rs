//! A thousand idle members on eight real workers: what they cost the server and the workers.

use std::{collections::BTreeSet, net::TcpListener, path::Path, thread, time::Duration};

use serde_json::{Value, json};
use teammate_nats::layout::DUPLICATE_WINDOW;
use teammate_testkit::nats::{NatsServer, Sync};

use super::{
    Failure, idle,
    stage::{Stage, until},
};
use crate::{
    bench::suite::{
        Effort, Measured,
        program::{self, Running},
        row::{Row, Target},
        wire::{Says, Wire},
    },
    monitor,
};

/// How many workers hold them.
const WORKERS: usize = 8;

/// How many spawns there are in one answer of the lead.
const AT_ONCE: usize = 50;

/// How long nothing is looked at, so that what beginning costs is over.
const CALMS: Duration = Duration::from_secs(12);

/// How long a server keeps what was stored last in memory: blocks of messages for ten seconds, their ids for the duplicate window.
const FORGETS: Duration = DUPLICATE_WINDOW.saturating_add(Duration::from_secs(30));

/// How long it is looked at.
const IDLE: Duration = Duration::from_secs(10);

pub(super) fn measure(effort: Effort, server: &Path) -> Measured {
    let size = effort.times(1_000, 160);
    let dir = program::workspace()?;
    let profile = TcpListener::bind("127.0.0.1:0")?.local_addr()?;
    let settings = format!("prof_port: {}\n", profile.port());
    let nats = NatsServer::start_with(server, dir.path(), Sync::Always, &settings)?;
    let profile = profile.to_string();
    let wire = Wire::start(false, move |asked| match asked.member {
        "lead" if asked.before * AT_ONCE < size => {
            let from = asked.before * AT_ONCE;
            Says::Calls((from..size.min(from + AT_ONCE)).map(spawn).collect())
        }
        _ => Says::Text("I wait.".to_owned()),
    })?;
    let monitor = nats.monitor();
    let stage = Stage::make(wire, &[nats.url()], std::slice::from_ref(&monitor), "1")?;
    let workers: Result<Vec<Running>, Failure> = (0..WORKERS)
        .map(|number| stage.worker(&format!("w{number}"), size / WORKERS + 2))
        .collect();
    let workers = workers?;
    thread::sleep(CALMS);
    let memory_before = memory(&profile)?;
    let alone = cpu(&workers, IDLE)?;
    stage.send("Spawn them.")?;
    until(|| {
        let exchanges = stage.wire.exchanges();
        let members: BTreeSet<&str> = exchanges.iter().map(|one| one.member.as_str()).collect();
        Ok(members.len() > size)
    })?;
    thread::sleep(CALMS);
    let memory_at_once = memory(&profile)?;
    thread::sleep(FORGETS);
    let memory_after = memory(&profile)?;
    let a_member = |memory: f64| (memory - memory_before) / 1e3 / size as f64;
    let monitors = std::slice::from_ref(&monitor);
    let (messages, stored) = idle::seen(monitors)?;
    let busy = cpu(&workers, IDLE)?;
    let (messages_after, stored_after) = idle::seen(monitors)?;
    let by = WORKERS as f64 * IDLE.as_secs_f64();
    let row = |what: &str, unit, target, measured| {
        let what = format!("machines R1: {size} idle members on {WORKERS} workers: {what}");
        Row::new(&what, unit, target, measured)
    };
    let rows = vec![
        row(
            "messages a worker and second",
            "",
            Target::AtMost(1.1),
            (messages_after - messages) as f64 / by,
        ),
        row(
            "messages stored in ten seconds",
            "",
            Target::AtMost(0.0),
            (stored_after - stored) as f64,
        ),
        row(
            "server memory a member",
            "kB",
            Target::AtMost(5.0),
            a_member(memory_after),
        )
        .note(format!("{:.1} MB before them", memory_before / 1e6)),
        row(
            &format!("the same {} s after their turns", CALMS.as_secs()),
            "kB",
            Target::Nothing,
            a_member(memory_at_once),
        ),
        row("a worker's processor", "%", Target::Nothing, busy)
            .note(format!("{alone:.2} % without members")),
    ];
    for worker in workers {
        worker.kill()?;
    }
    Ok(rows)
}

/// What the server needs, in bytes: its heap after all garbage is collected, and its stacks. What it takes of the machine also depends
/// on when it last collected.
fn memory(profile: &str) -> Result<f64, Failure> {
    let collected = || monitor::text(profile, "/debug/pprof/heap?debug=1&gc=1");
    // Buffers that are kept for the next use are garbage from the second collection on.
    collected()?;
    let shown = collected()?;
    let value = |name: &str| -> Result<f64, Failure> {
        let line = shown.lines().find_map(|line| line.strip_prefix(name));
        let number = line.and_then(|line| line.split(' ').next());
        Ok(number
            .ok_or("no such line in the server's profile")?
            .parse()?)
    };
    Ok(value("# HeapAlloc = ")? + value("# Stack = ")?)
}

/// The part of a processor that each of these takes on average, in per cent.
fn cpu(workers: &[Running], time: Duration) -> Result<f64, Failure> {
    let taken = || -> std::io::Result<f64> {
        let each = workers.iter().map(|worker| program::cpu(worker.id()));
        let each: std::io::Result<Vec<Duration>> = each.collect();
        Ok(each?.iter().map(Duration::as_secs_f64).sum())
    };
    let before = taken()?;
    thread::sleep(time);
    let by = workers.len() as f64 * time.as_secs_f64();
    Ok(100.0 * (taken()? - before) / by)
}

fn spawn(number: usize) -> (&'static str, Value) {
    (
        "spawn_teammate",
        json!({"name": format!("m{number}"), "role": "waiter", "prompt": "Wait."}),
    )
}
