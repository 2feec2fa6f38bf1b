//! Several shell calls in one answer that only wait, and what long outputs cost the next request.

use serde_json::json;

use super::{
    Effort, Measured, program,
    row::{Row, Target},
    sample::Sample,
    turns,
    wire::{Exchange, Says, Wire},
};

/// Calls of the answer.
const WAITING: usize = 8;
/// Answers with a call that prints a megabyte.
const LONG: usize = 20;

pub(super) fn measure(effort: Effort) -> Measured {
    let mut gaps = Vec::new();
    for _ in 0..effort.times(5, 2) {
        let exchanges = run(1, WAITING, "sleep 0.3")?;
        gaps.extend(turns::gaps(&exchanges).first());
    }
    let gaps = Sample::ms(gaps);
    let long = run(LONG, 1, "seq 200000 | head -c 1000000")?;
    let last = long.last().map_or(0, |exchange| exchange.bytes);
    let outputs = last - long.first().map_or(0, |exchange| exchange.bytes);
    Ok(vec![
        Row::new(
            "8 calls of `sleep 0.3` in one answer: the gap",
            "ms",
            Target::AtMost(600.0),
            gaps.median(),
        )
        .note(gaps.spread()),
        Row::new(
            "20 outputs of 1 MB: the next request",
            "kB",
            Target::AtMost(230.0),
            last as f64 / 1e3,
        )
        .note(format!(
            "{:.1} kB for each output",
            outputs as f64 / LONG as f64 / 1e3
        )),
    ])
}

/// So many answers with so many of these calls, and a last word.
fn run(answers: usize, calls: usize, command: &'static str) -> std::io::Result<Vec<Exchange>> {
    let wire = Wire::start(false, move |asked| {
        if asked.before < answers {
            // Each prints the same; a number keeps it from being the same call.
            let call = |nth| {
                (
                    "bash",
                    json!({ "command": format!("{command}; echo {}-{nth}", asked.before) }),
                )
            };
            Says::Calls((0..calls).map(call).collect())
        } else {
            Says::Text("done".to_owned())
        }
    })?;
    let dir = program::workspace()?;
    let command = &mut program::teammate(dir.path(), &wire.url());
    program::start(command.args(["run", "call the shell"]))?.finish()?;
    Ok(wire.exchanges())
}
