//! `cargo xtask test`: what must hold before a change lands, in a clean clone. Its first step looks whether this machine has what the
//! others need. CI runs this and nothing else.
//!
//! Without an argument it is the fast tier, which says at its end what it left out. Everything is `--full`, and its parts can run apart.

pub(crate) mod browser;
mod counted;
mod executables;
mod look;
mod programs;
mod side_by_side;
mod steps;
mod tags;
mod tests;

use std::{
    iter,
    process::ExitCode,
    time::{Duration, Instant},
};

use steps::{Part, Step};
use xtask::{command::Ended, root};

/// How it is called.
pub(crate) const USAGE: &str =
    "test [--full | --rest | --part lints|tests|e2e|machines|browser|sdk|torture ...]";

/// Which steps a person asked for.
enum Wanted {
    /// Minutes: what finds most mistakes soonest.
    Fast,
    /// Everything.
    Full,
    /// Everything that the fast tier has not run whole.
    Rest,
    /// All steps of these parts.
    Parts(Vec<Part>),
}

impl Wanted {
    fn of(args: &[&str]) -> Option<Self> {
        match args {
            [] => Some(Self::Fast),
            ["--full"] => Some(Self::Full),
            ["--rest"] => Some(Self::Rest),
            _ => args
                .chunks(2)
                .map(|pair| match pair {
                    ["--part", name] => Part::named(name),
                    _ => None,
                })
                .collect::<Option<_>>()
                .map(Self::Parts),
        }
    }

    fn has(&self, step: &Step) -> bool {
        match self {
            Self::Fast => step.tier.is_fast(),
            Self::Full => step.tier.is_full(),
            Self::Rest => step.tier.is_full() && !step.tier.is_fast(),
            Self::Parts(parts) => step.tier.is_full() && parts.contains(&step.part),
        }
    }
}

/// Runs the wanted steps. Those after a failed one run all the same, but none where the first fails.
pub(crate) fn run(args: &[&str]) -> ExitCode {
    let Some(wanted) = Wanted::of(args) else {
        eprintln!("usage: cargo xtask {USAGE}");
        return ExitCode::from(2);
    };
    let root = root();
    let begun = Instant::now();
    let mut lines = Vec::new();
    let chosen = steps::ALL.iter().filter(|step| wanted.has(step));
    for step in iter::once(&steps::FIRST).chain(chosen) {
        println!("\n── {}: {}", step.name, step.what);
        let begun = Instant::now();
        let ended = (step.run)(&root);
        let line = line(step.name, &ended, begun.elapsed());
        println!("{line}");
        let is_hopeless = lines.is_empty() && matches!(ended, Ended::Failed(_));
        lines.push((ended, line));
        if is_hopeless {
            break;
        }
    }
    println!("\n── summary");
    for (_, line) in &lines {
        println!("{line}");
    }
    let count = |is: fn(&Ended) -> bool| lines.iter().filter(|(ended, _)| is(ended)).count();
    let (failed, skipped) = (
        count(|ended| matches!(ended, Ended::Failed(_))),
        count(|ended| matches!(ended, Ended::Skipped(_))),
    );
    println!(
        "{} steps: {} passed, {failed} failed, {skipped} skipped, {:.0} s",
        lines.len(),
        lines.len() - failed - skipped,
        begun.elapsed().as_secs_f64()
    );
    if matches!(wanted, Wanted::Fast) {
        say_what_is_left_out(&root);
    }
    if failed > 0 {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
}

fn say_what_is_left_out(root: &std::path::Path) {
    println!("\nThis was the fast tier. Left out; `cargo xtask test --rest` runs it:");
    println!("  {}", tests::left_out(root));
    let all = steps::ALL.iter().filter(|step| Wanted::Rest.has(step));
    for step in all.filter(|step| step.part != Part::Tests && step.part != Part::E2e) {
        println!(
            "  {} (--part {}): {}",
            step.name,
            step.part.name(),
            step.what
        );
    }
}

fn line(name: &str, ended: &Ended, took: Duration) -> String {
    let (word, why) = match ended {
        Ended::Passed(what) => ("passed", what),
        Ended::Skipped(why) => ("SKIPPED", why),
        Ended::Failed(why) => ("FAILED", why),
    };
    let line = format!("{name:<10} {word:<8} {:>6.1} s  {why}", took.as_secs_f64());
    line.trim_end().to_owned()
}
