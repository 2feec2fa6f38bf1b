//! A whole team in a simulation: models that do whatever comes to their mind, stores that take their time, the user who
//! interrupts, and a host that dies at any await. Whatever the seed, nothing is lost, nothing comes twice, nobody hangs.
//!
//! `TEAMMATE_SEED=7` plays one seed, `TEAMMATE_SEEDS=10000` so many.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![expect(clippy::print_stdout, reason = "a failure names its seed")]

mod board;
mod chance;
mod check;
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
    each_seed(300, |seed| play(seed, Site::memory()));
}

#[test]
fn whatever_happens_on_a_disk_every_letter_is_heard_once() {
    each_seed(150, |seed| play(seed, Site::disk()));
}

fn each_seed(count: u64, play: impl Fn(u64) -> usize) {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    let seeds = match number("TEAMMATE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("TEAMMATE_SEEDS").unwrap_or(count),
    };
    let is_long = seeds.end - seeds.start >= 100;
    let mut summaries = 0;
    for seed in seeds {
        // Only the last line is of interest, and only if it fails.
        println!("TEAMMATE_SEED={seed}");
        summaries += play(seed);
    }
    println!("{summaries} summaries");
    assert!(summaries > 100 || !is_long, "this tests no compaction");
}
