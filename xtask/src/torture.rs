//! `cargo xtask torture mail`: real processes send and hear mail and are killed at random, thousands of times. What was
//! acknowledged must be heard exactly once, in order. The usual design (read the inbox, then empty it) is put through
//! the same and must fail, or the rig proves nothing.

mod rig;
mod verdict;
mod worker;

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
    time::{Duration, SystemTime, UNIX_EPOCH},
};

use rig::Plan;
use verdict::Verdict;
use worker::Design;

/// How it is called.
pub(crate) const USAGE: &str = "torture mail [--kills N] [--seconds S] [--seed X]";

/// Runs the command, or one of the worker processes that it starts.
pub(crate) fn run(args: &[&str]) -> ExitCode {
    let result = match args {
        ["mail", options @ ..] => mail(options),
        ["send", design, dir, name, next] => worker::send(design, Path::new(dir), name, next),
        ["hear", design, dir] => worker::hear(design, Path::new(dir)),
        _ => Err(format!("usage: cargo xtask {USAGE}")),
    };
    result.unwrap_or_else(|why| {
        eprintln!("{why}");
        ExitCode::from(2)
    })
}

fn mail(options: &[&str]) -> Result<ExitCode, String> {
    let mut kills = 2_000;
    let mut seconds = 600;
    let mut seed = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .map_or(1, |now| now.as_secs());
    for option in options.chunks(2) {
        let value = option.get(1).and_then(|value| value.parse().ok());
        match (option[0], value) {
            ("--kills", Some(value)) => kills = value,
            ("--seconds", Some(value)) => seconds = value,
            ("--seed", Some(value)) => seed = value,
            (what, _) => return Err(format!("'{what}' wants a number; usage: {USAGE}")),
        }
    }
    say(&format!(
        "seed {seed}; at most {kills} kills and {seconds} s\n"
    ))?;
    let plan = |design, kills| Plan {
        design,
        kills,
        seed,
        time: Duration::from_secs(seconds),
    };
    let ours = rig::torture(&plan(Design::Claiming, kills)).map_err(|error| error.to_string())?;
    let naive = plan(Design::Truncating, (kills / 10).clamp(20, 200));
    let naive = rig::torture(&naive).map_err(|error| error.to_string())?;
    say(&verdict::table(&[
        ("file mailbox", &ours),
        ("read, then truncate", &naive),
    ]))?;
    judge(&ours, &naive, seed)
}

fn judge(ours: &Verdict, naive: &Verdict, seed: u64) -> Result<ExitCode, String> {
    if !ours.is_clean() {
        say(&format!(
            "FAILED: replay with --seed {seed}\n{}",
            ours.details()
        ))?;
        return Ok(ExitCode::FAILURE);
    }
    if naive.lost.is_empty() {
        say("FAILED: the design that truncates lost nothing, so this rig does not bite\n")?;
        return Ok(ExitCode::FAILURE);
    }
    say("ok: nothing lost, nothing doubled, in order; and the rig bites\n")?;
    Ok(ExitCode::SUCCESS)
}

fn say(text: &str) -> Result<(), String> {
    io::stdout()
        .write_all(text.as_bytes())
        .map_err(|error| error.to_string())
}
