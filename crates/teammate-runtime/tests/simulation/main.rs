//! A whole team in a simulation: models that do whatever comes to their mind, stores that take their time, the user who
//! interrupts, and a host that dies at any await. Whatever the seed, nothing is lost, nothing comes twice, nobody hangs.
//!
//! `TEAMMATE_SEED=7` plays one seed, `TEAMMATE_SEEDS=10000` so many.
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

use run::play;
use site::Site;

#[test]
fn whatever_happens_in_memory_every_letter_is_heard_once() {
    compacts(&each_seed(300, |seed| play(seed, Site::memory())));
}

#[test]
fn whatever_happens_on_a_disk_every_letter_is_heard_once() {
    compacts(&each_seed(150, |seed| play(seed, Site::disk())));
}

/// Plays each seed; returns what came of each.
fn each_seed<T>(count: u64, play: impl Fn(u64) -> T) -> Vec<T> {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let seeds = match number("TEAMMATE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("TEAMMATE_SEEDS").unwrap_or(count),
    };
    let play = |seed| {
        // Only the last line is of interest, and only if it fails.
        println!("TEAMMATE_SEED={seed}");
        play(seed)
    };
    seeds.map(play).collect()
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
