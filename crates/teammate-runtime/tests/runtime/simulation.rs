//! A whole team in a simulation: models that do whatever comes to their mind, stores that take their time, the user who
//! interrupts, and a host that dies at any await. Whatever the seed, nothing is lost, nothing comes twice, nobody hangs.
//!
//! `TEAMMATE_SEED=7` plays one seed, `TEAMMATE_SEEDS=10000` so many, `TEAMMATE_SEEDS=500..600` these.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "a failure names its seed")]

mod board;
mod chance;
mod check;
mod fleet;
mod hooks;
mod mad;
mod pairs;
mod run;
mod scribble;
mod setup;
mod site;
mod work;

use std::{
    any::Any,
    ops::Range,
    panic::{AssertUnwindSafe, catch_unwind},
};

use run::play;
use site::Site;

/// How much is shown of what was wrong with a seed.
const LINE_CHARS: usize = 160;

#[test]
fn whatever_happens_in_memory_every_letter_is_heard_once() {
    compacts(&each_seed(300, |seed| play(seed, Site::memory())));
}

#[test]
fn whatever_happens_on_a_disk_every_letter_is_heard_once() {
    compacts(&each_seed(150, |seed| play(seed, Site::disk())));
}

/// Plays each seed; returns what came of each. If some fail, all of them are listed at the end, with what was wrong.
fn each_seed<T>(count: u64, play: impl Fn(u64) -> T) -> Vec<T> {
    let (mut played, mut failed) = (Vec::new(), Vec::new());
    for seed in seeds(count) {
        // What is printed below the last such line is of interest, and only if it fails.
        println!("TEAMMATE_SEED={seed}");
        match catch_unwind(AssertUnwindSafe(|| play(seed))) {
            Ok(done) => played.push(done),
            Err(panic) => failed.push(format!("{seed}: {}", in_a_line(&*panic))),
        }
    }
    let (all, count) = (played.len() + failed.len(), failed.len());
    let failed = failed.join("\n");
    assert!(count == 0, "{count} of {all} seeds fail:\n{failed}");
    played
}

/// What a panic says, as much as fits into a line.
fn in_a_line(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().map(String::as_str);
    let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
    let words = text.unwrap_or("a bug").split_whitespace();
    let line = words.collect::<Vec<_>>().join(" ");
    line.chars().take(LINE_CHARS).collect()
}

/// Those that the environment asks for, or the first ones.
fn seeds(count: u64) -> Range<u64> {
    let text = |name| std::env::var(name).unwrap_or_default();
    if let Ok(seed) = text("TEAMMATE_SEED").parse() {
        return seed..seed + 1;
    }
    let seeds = text("TEAMMATE_SEEDS");
    let (first, last) = seeds.split_once("..").unwrap_or(("0", &seeds));
    let number = |text: &str| text.parse().ok();
    number(first).unwrap_or(0)..number(last).unwrap_or(count)
}

/// Many seeds have summaries among them.
fn compacts(summaries: &[usize]) {
    let all: usize = summaries.iter().sum();
    println!("{all} summaries");
    assert!(
        all > 100 || summaries.len() < 100,
        "this tests no compaction"
    );
}
