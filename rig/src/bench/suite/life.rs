//! A long life: one member, two thousand turns, each with mail, a tool call and a last word, in a context that is filled and
//! made room in repeatedly. Whether a turn late in that incarnation costs more than one early in it.

use std::{
    io::Write as _,
    process::Stdio,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, Instant},
};

use serde_json::json;

use super::{
    Effort, Measured, program,
    row::{Row, Target},
    sample::{Sample, ms},
    wire::{Exchange, Says, Wire},
};

/// What the model takes: some sixty turns.
const CONTEXT_TOKENS: &str = "30000";

/// Turns at each end that are compared.
const ENDS: usize = 100;

/// What a request was for.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Asked {
    /// A turn began.
    Begun,
    /// The tool had run.
    Ran,
    Summary,
}

pub(super) fn measure(effort: Effort) -> Measured {
    let turns = effort.times(2_000, 400);
    let kinds = Arc::new(Mutex::new(Vec::new()));
    let wire = Wire::start(false, script(kinds.clone()))?;
    let dir = program::workspace()?;
    let mut command = program::teammate(dir.path(), &wire.url());
    command
        .args(["--context-tokens", CONTEXT_TOKENS])
        .stdin(Stdio::piped());
    let mut running = program::start(&mut command)?;
    let mut typing = running.stdin().ok_or("no standard input")?;
    let lines = thread::spawn(move || {
        // A broken pipe is the program's end, which is reported below.
        for turn in 0..turns {
            if writeln!(typing, "do step {turn}").is_err() {
                return;
            }
        }
    });
    let memory = memory(running.id(), &wire, turns)?;
    let cost = running.finish()?;
    let _ = lines.join();

    let (exchanges, kinds) = (wire.exchanges(), locked(&kinds).clone());
    let (walls, gaps) = (walls(&exchanges, &kinds), gaps(&exchanges, &kinds));
    let bytes = |turn: usize| exchanges.get(turn).map_or(0.0, |one| one.bytes as f64);
    let most = (0..exchanges.len()).map(bytes).fold(0.0, f64::max);
    let transcript = std::fs::metadata(dir.path().join(".team/agents/lead/transcript.jsonl"))?;
    let summaries = kinds.iter().filter(|kind| **kind == Asked::Summary).count();
    Ok(vec![
        flat(
            &format!("long life: wall of a turn, last {ENDS} / first {ENDS} of {turns}"),
            &walls,
        ),
        flat(
            &format!("long life: gap after a tool call, last {ENDS} / first {ENDS}"),
            &gaps,
        ),
        Row::new(
            "long life: memory in the last tenth / in the second tenth",
            "",
            Target::AtMost(1.1),
            memory.1 / memory.0,
        )
        .note(format!("{:.1} / {:.1} MB", memory.1, memory.0)),
        Row::new(
            "long life: CPU of a turn, the shell included",
            "ms",
            Target::Nothing,
            ms(cost.cpu) / turns as f64,
        ),
        Row::new(
            "long life: largest request",
            "kB",
            Target::Nothing,
            most / 1e3,
        )
        .note(format!(
            "{summaries} summaries; the transcript has {:.1} MB",
            transcript.len() as f64 / 1e6
        )),
    ])
}

fn script(
    kinds: Arc<Mutex<Vec<Asked>>>,
) -> impl FnMut(&super::wire::Asked<'_>) -> Says + Send + 'static {
    let mut has_called = false;
    move |asked| {
        let (kind, says) = if asked.body.contains("Write a summary of this conversation") {
            let summary = "Steps were done, one after the other; the user gives the next one.";
            (Asked::Summary, Says::Text(summary.to_owned()))
        } else if has_called {
            has_called = false;
            (Asked::Ran, Says::Text("done".to_owned()))
        } else {
            has_called = true;
            let command = "printf '%01500d' 7";
            let calls = vec![("bash", json!({ "command": command }))];
            (Asked::Begun, Says::Calls(calls))
        };
        locked(&kinds).push(kind);
        says
    }
}

/// Megabytes in the second tenth and in the last tenth of that incarnation: medians.
fn memory(pid: u32, wire: &Wire, turns: usize) -> Result<(f64, f64), &'static str> {
    let (mut early, mut late) = (Vec::new(), Vec::new());
    let begun = Instant::now();
    while let Some(kb) = program::status_kb(pid, "VmRSS") {
        // Two requests a turn, and now and then a summary.
        let turn = wire.count() / 2;
        if (turns / 10..turns / 5).contains(&turn) {
            early.push(kb as f64 / 1024.0);
        } else if turn >= turns * 9 / 10 {
            late.push(kb as f64 / 1024.0);
        }
        if begun.elapsed() > Duration::from_secs(280) {
            return Err("two thousand turns take too long");
        }
        thread::sleep(Duration::from_millis(10));
    }
    if early.is_empty() || late.is_empty() {
        return Err("the life was too short to be measured");
    }
    Ok((Sample::new(early).median(), Sample::new(late).median()))
}

/// From the beginning of each turn to the beginning of the next.
fn walls(exchanges: &[Exchange], kinds: &[Asked]) -> Vec<Duration> {
    let begun: Vec<Instant> = exchanges
        .iter()
        .zip(kinds)
        .filter(|(_, kind)| **kind == Asked::Begun)
        .map(|(exchange, _)| exchange.asked)
        .collect();
    begun
        .windows(2)
        .map(|pair| pair[1].saturating_duration_since(pair[0]))
        .collect()
}

/// From the answer that calls the tool to the next request, where no summary comes between.
fn gaps(exchanges: &[Exchange], kinds: &[Asked]) -> Vec<Duration> {
    let pairs = exchanges.windows(2).zip(kinds.windows(2));
    pairs
        .filter(|(_, kinds)| *kinds == [Asked::Begun, Asked::Ran])
        .filter_map(|(pair, _)| Some(pair[1].asked.saturating_duration_since(pair[0].answered?)))
        .collect()
}

/// Whether what is measured late is what is measured early: medians, for a machine that others use.
fn flat(what: &str, times: &[Duration]) -> Row {
    let early = Sample::ms(times.iter().take(ENDS).copied());
    let late = Sample::ms(times.iter().rev().take(ENDS).copied());
    Row::new(
        what,
        "",
        Target::AtMost(1.25),
        late.median() / early.median(),
    )
    .note(format!("{:.2} / {:.2} ms", late.median(), early.median()))
}

fn locked<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
