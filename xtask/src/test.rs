//! `cargo xtask test`: everything that must hold before a change lands, in a clean clone. Its first step looks whether
//! this machine has what the others need. It is what CI runs, and nothing else is.

pub(crate) mod browser;
mod look;
mod steps;

use std::{
    iter,
    process::ExitCode,
    time::{Duration, Instant},
};

use steps::Step;
use xtask::{command::Ended, root};

/// How it is called.
pub(crate) const USAGE: &str = "test [STEP...]";

/// Runs all steps, or those that are named. Those after a failed one run all the same, but none where the first fails.
pub(crate) fn run(args: &[&str]) -> ExitCode {
    if let Some(unknown) = args
        .iter()
        .find(|arg| !steps::ALL.iter().any(|step| step.name == **arg))
    {
        let names: Vec<&str> = steps::ALL.iter().map(|step| step.name).collect();
        eprintln!("there is no step '{unknown}'; steps: {}", names.join(", "));
        return ExitCode::from(2);
    }
    let root = root();
    let begun = Instant::now();
    let mut lines = Vec::new();
    let wanted = |step: &&Step| args.is_empty() || args.contains(&step.name);
    for step in iter::once(&steps::FIRST).chain(steps::ALL.iter().filter(wanted)) {
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
    if failed > 0 {
        return ExitCode::FAILURE;
    }
    ExitCode::SUCCESS
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
