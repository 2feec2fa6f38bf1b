//! `cargo xtask simulate`: teams on several workers, in virtual time, each run from a seed. Built for speed, and so that a seed
//! always plays alike: tokio takes its own seed only under `--cfg tokio_unstable`.

use std::{
    process::ExitCode,
    time::{SystemTime, UNIX_EPOCH},
};

use xtask::{
    command::{Ended, command, run},
    root,
};

/// How it is called.
pub(crate) const USAGE: &str = "simulate [SEED | FIRST..LAST | again]";

/// What is played of them.
const EVERY_SEED: &str =
    "simulation::fleet::whatever_happens_to_workers_every_letter_is_heard_once";
const TWICE: &str = "simulation::fleet::a_seed_is_played_alike_twice";

/// Plays the seeds that are named, or some new ones.
pub(crate) fn run_seeds(args: &[&str]) -> ExitCode {
    let (what, seeds) = match args {
        ["again"] => (TWICE, String::new()),
        [] => (EVERY_SEED, fresh()),
        [seeds] if seeds.contains("..") => (EVERY_SEED, (*seeds).to_owned()),
        [seed] => match seed.parse::<u64>() {
            Ok(seed) => (EVERY_SEED, format!("{seed}..{}", seed + 1)),
            Err(_) => return usage(),
        },
        _ => return usage(),
    };
    println!("TEAMMATE_SEEDS={seeds}");
    let words = "test --profile simulate --package teammate-runtime --test runtime";
    let words: Vec<&str> = words.split(' ').chain([what, "--", "--exact"]).collect();
    let mut simulation = command(&root(), "cargo", &words);
    simulation.env("RUSTFLAGS", "--cfg tokio_unstable");
    simulation.env("TEAMMATE_SEEDS", seeds);
    simulation.env("TEAMMATE_LOSSES", "1");
    match run(&mut simulation) {
        Ended::Passed(_) => ExitCode::SUCCESS,
        Ended::Skipped(_) | Ended::Failed(_) => ExitCode::FAILURE,
    }
}

/// A thousand that nobody has played.
fn fresh() -> String {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let first = now.map_or(0, |now| now.as_secs()) * 1_000;
    format!("{first}..{}", first + 1_000)
}

fn usage() -> ExitCode {
    eprintln!("usage: cargo xtask {USAGE}");
    ExitCode::from(2)
}
