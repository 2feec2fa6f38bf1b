//! One member that calls the shell repeatedly: the harness's gap from the end of an answer to the next request, what a
//! turn costs, and whether the prompt stays a stable prefix.

use std::{io, path::Path, time::Duration};

use serde_json::json;
use teammate_testkit::without_cache_markers;

use super::{
    Effort, Measured, disk, program,
    program::Cost,
    row::{Row, Target},
    sample::{Sample, ms},
    wire::{Exchange, Says, Wire},
};

/// Turns of a short run.
const SHORT: usize = 50;

pub(super) fn measure(effort: Effort) -> Measured {
    let mut rows = short(effort)?;
    rows.extend(long(effort)?);
    Ok(rows)
}

/// Short runs, in turn with what they stand on: on a busy machine both suffer alike.
fn short(effort: Effort) -> Measured {
    let (mut all, mut rounds) = (Vec::new(), Vec::new());
    let (mut early, mut late) = (Vec::new(), Vec::new());
    let (mut shells, mut shell_cpus, mut cpus) = (Vec::new(), Vec::new(), Vec::new());
    let (mut prefix, mut peak, mut bytes) = (1.0, 0.0, 0);
    for _ in 0..effort.times(7, 3) {
        let (_, one) = run(1, false)?;
        let (exchanges, cost) = run(SHORT, true)?;
        let (shell, shell_cpu) = disk::shell(20)?;
        let gaps = gaps(&exchanges);
        early.extend_from_slice(&gaps[5..15]);
        late.extend_from_slice(&gaps[SHORT - 10..]);
        rounds.push(Sample::ms(gaps.iter().copied()).median());
        all.extend(gaps);
        shells.push(shell.median());
        shell_cpus.push(shell_cpu);
        cpus.push(ms(cost.cpu.saturating_sub(one.cpu)) / (SHORT - 1) as f64);
        prefix = kept(&exchanges).min(prefix);
        peak = cost.peak_mb.max(peak);
        bytes = exchanges.iter().map(|exchange| exchange.bytes).sum();
    }
    let (all, early, late) = (Sample::ms(all), Sample::ms(early), Sample::ms(late));
    // Of the quietest round: what others do on the machine is not ours.
    let (quiet, shell) = (
        Sample::new(rounds).quantile(0.0),
        Sample::new(shells).quantile(0.0),
    );
    let (cpu, shell_cpu) = (Sample::new(cpus), Sample::new(shell_cpus).median());
    let flat = late.median() / early.median();
    Ok(vec![
        Row::new(
            "gap per turn with one no-op shell call, 50 turns, quietest of the rounds",
            "ms",
            Target::AtMost(2.5),
            quiet,
        )
        .note(format!(
            "{:.1} times one shell start ({shell:.2}); all rounds: median {:.2}, {}",
            quiet / shell,
            all.median(),
            all.spread()
        )),
        Row::new(
            "gap at turns 40-50 / at 5-15",
            "",
            Target::AtMost(1.25),
            flat,
        )
        .note(format!("{:.2} / {:.2} ms", late.median(), early.median())),
        Row::new(
            "CPU per turn, the shell included",
            "ms",
            Target::AtMost(2.0),
            cpu.median(),
        )
        .note(format!("{}; the shell alone {shell_cpu:.2}", cpu.spread())),
        Row::new("peak memory, 50 turns", "MB", Target::AtMost(15.0), peak),
        Row::new(
            "prefix kept, worst of all turns",
            "",
            Target::AtLeast(1.0),
            prefix,
        )
        .note("of the bytes of the request before, without its closing brackets"),
        Row::new(
            "bytes sent, 50 turns",
            "MB",
            Target::Nothing,
            bytes as f64 / 1e6,
        )
        .note("no peer sends less than 0.31"),
    ])
}

/// A long run, the quietest of three: whether a turn costs more the more there were.
fn long(effort: Effort) -> Measured {
    let turns = effort.times(1_000, 300);
    let mut runs = Vec::new();
    for _ in 0..effort.times(3, 1) {
        let (exchanges, cost) = run(turns, false)?;
        runs.push((gaps(&exchanges), cost, exchanges[turns].bytes));
    }
    runs.sort_by_key(|(gaps, ..)| gaps.iter().sum::<Duration>());
    let (gaps, cost, bytes) = runs.swap_remove(0);
    let (first, last) = (
        Sample::ms(gaps[5..55].to_vec()),
        Sample::ms(gaps[turns - 50..].to_vec()),
    );
    let all = Sample::ms(gaps);
    Ok(vec![
        Row::new(
            &format!("gap per turn, {turns} turns"),
            "ms",
            Target::AtMost(2.5),
            all.median(),
        )
        .note(all.spread()),
        Row::new(
            &format!("gap in the last 50 / the first 50 of {turns} turns"),
            "",
            Target::AtMost(1.25),
            last.median() / first.median(),
        )
        .note(format!(
            "{:.2} / {:.2} ms; the last request has {:.0} kB",
            last.median(),
            first.median(),
            bytes as f64 / 1e3
        )),
        Row::new(
            &format!("CPU per turn, the shell included, {turns} turns"),
            "ms",
            Target::AtMost(2.0),
            ms(cost.cpu) / turns as f64,
        ),
        Row::new(
            &format!("peak memory, {turns} turns"),
            "MB",
            Target::Nothing,
            cost.peak_mb,
        ),
    ])
}

/// So many shell calls and a last word.
fn run(turns: usize, keeps_bodies: bool) -> io::Result<(Vec<Exchange>, Cost)> {
    run_in(turns, keeps_bodies, |_| Ok(()))
}

/// The same in a workspace that is prepared first.
pub(super) fn run_in(
    turns: usize,
    keeps_bodies: bool,
    prepare: impl FnOnce(&Path) -> io::Result<()>,
) -> io::Result<(Vec<Exchange>, Cost)> {
    let wire = Wire::start(keeps_bodies, move |asked| {
        if asked.before < turns {
            Says::Calls(vec![("bash", json!({"command": "true"}))])
        } else {
            Says::Text("done".to_owned())
        }
    })?;
    let dir = program::workspace()?;
    prepare(dir.path())?;
    let command = &mut program::teammate(dir.path(), &wire.url());
    let cost = program::start(command.args(["run", "call the shell"]))?.finish()?;
    Ok((wire.exchanges(), cost))
}

/// From the end of each answer to the next request.
pub(super) fn gaps(exchanges: &[Exchange]) -> Vec<Duration> {
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
        .map(without_cache_markers)
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
