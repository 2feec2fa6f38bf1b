//! One member that calls the shell again and again: the harness's gap from the end of an answer to the next request, what a
//! turn costs, and whether the prompt stays a stable prefix.

use std::time::Duration;

use serde_json::json;
use teammate_testkit::without_markers;

use super::{
    Effort, Measured, disk, program,
    program::Cost,
    row::{Row, Target},
    sample::Sample,
    wire::{Exchange, Says, Wire},
};

pub(super) fn measure(effort: Effort) -> Measured {
    let (_, one) = run(1, false)?;
    let (short, cost) = run(50, true)?;
    let shell = disk::shell(20)?.median();
    let sync = disk::append_and_sync(100)?.median();
    let length = effort.times(1_000, 300);
    let (long, long_cost) = run(length, false)?;

    let all = Sample::ms(gaps(&short));
    let early = Sample::ms(gaps(&short[5..16])).median();
    let late = Sample::ms(gaps(&short[40..51])).median();
    let first = Sample::ms(gaps(&long[5..56])).median();
    let last = Sample::ms(gaps(&long[length - 50..=length])).median();
    let long_all = Sample::ms(gaps(&long));
    let cpu = (cost.cpu.as_secs_f64() - one.cpu.as_secs_f64()) * 1e3 / 49.0;
    let long_cpu = long_cost.cpu.as_secs_f64() * 1e3 / length as f64;
    let bytes: usize = short.iter().map(|exchange| exchange.bytes).sum();
    Ok(vec![
        Row::new(
            "gap per turn with one no-op shell call, 50 turns",
            "ms",
            Target::AtMost(2.5),
            all.median(),
        )
        .note(format!(
            "{}; one shell start {shell:.2}, one synced append {sync:.2}",
            all.spread()
        )),
        Row::new(
            "gap at turns 40-50 / 5-15",
            "",
            Target::AtMost(1.25),
            late / early,
        )
        .note(format!("{late:.2} / {early:.2} ms")),
        Row::new(
            &format!("gap per turn, {length} turns"),
            "ms",
            Target::AtMost(2.5),
            long_all.median(),
        )
        .note(long_all.spread()),
        Row::new(
            &format!("gap in the last 50 / first 50 of {length} turns"),
            "",
            Target::AtMost(1.25),
            last / first,
        )
        .note(format!(
            "{last:.2} / {first:.2} ms; last request {:.0} kB",
            long[length].bytes as f64 / 1e3
        )),
        Row::new(
            "CPU per turn, the shell included, 50 turns",
            "ms",
            Target::AtMost(2.0),
            cpu,
        ),
        Row::new(
            &format!("CPU per turn, the shell included, {length} turns"),
            "ms",
            Target::AtMost(2.0),
            long_cpu,
        ),
        Row::new(
            "peak memory, 50 turns",
            "MB",
            Target::AtMost(15.0),
            cost.peak_mb,
        ),
        Row::new(
            &format!("peak memory, {length} turns"),
            "MB",
            Target::Nothing,
            long_cost.peak_mb,
        ),
        Row::new(
            "prefix kept, worst of 50 turns",
            "",
            Target::AtLeast(1.0),
            kept(&short),
        )
        .note("of the bytes of the request before, without its closing brackets"),
        Row::new(
            "bytes sent, 50 turns",
            "MB",
            Target::Nothing,
            bytes as f64 / 1e6,
        ),
    ])
}

/// So many shell calls and a last word.
fn run(turns: usize, keeps_bodies: bool) -> std::io::Result<(Vec<Exchange>, Cost)> {
    let wire = Wire::start(keeps_bodies, move |asked| {
        if asked.before < turns {
            Says::Calls(vec![("bash", json!({"command": "true"}))])
        } else {
            Says::Text("done".to_owned())
        }
    })?;
    let dir = program::workspace()?;
    let command = &mut program::teammate(dir.path(), &wire.url());
    let cost = program::start(command.args(["run", "call the shell"]))?.finish()?;
    Ok((wire.exchanges(), cost))
}

/// From the end of each answer to the next request.
fn gaps(exchanges: &[Exchange]) -> Vec<Duration> {
    let pairs = exchanges.windows(2);
    pairs
        .filter_map(|pair| Some(pair[1].asked.saturating_duration_since(pair[0].answered?)))
        .collect()
}

/// The smallest share of a request that the next one began with.
fn kept(exchanges: &[Exchange]) -> f64 {
    let bodies: Vec<String> = exchanges
        .iter()
        .filter_map(|exchange| exchange.body.as_deref())
        .map(without_markers)
        .collect();
    let shares = bodies.windows(2).map(|pair| {
        let shared = pair[0]
            .bytes()
            .zip(pair[1].bytes())
            .take_while(|(a, b)| a == b)
            .count();
        let before = pair[0].trim_end_matches(['}', ']']).len();
        shared.min(before) as f64 / before as f64
    });
    shares.fold(1.0, f64::min)
}
