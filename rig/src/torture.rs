//! `cargo xtask torture`: real processes send and hear mail and are killed at random (`mail`), or the power of their disk is
//! cut (`power`); or they work off one board (`board`); or a host is killed whose commands have got away (`contain`),
//! or in any state that a verb or a protocol brings a team into (`verbs`); or teams on NATS servers and the servers are
//! (`machines`), or the power of the servers' disk is cut (`server-power`), or real workers are, and are cut off from each
//! other (`workers`);
//! or commands try to get out of the sandbox (`escape`). What was acknowledged must be heard exactly once, in order. A design
//! that loses is put through the same and must fail, or the rig proves nothing.

mod board;
mod contain;
mod crew;
mod escape;
mod fixture;
mod machines;
mod power;
mod processes;
mod rng;
mod unsynced;
mod verbs;
mod verdict;
mod worker;
mod workers;

use std::{
    io::{self, Write as _},
    path::Path,
    process::ExitCode,
    time::{Duration, Instant, SystemTime, UNIX_EPOCH},
};

pub(crate) use rng::Chance;
use verdict::Verdict;
use worker::Design;

/// How it is called.
pub(crate) const USAGE: &str = "torture mail [--kills N] [--seconds S] [--seed X] | torture power [--cuts N] [--seconds S] [--seed X] | torture board [--kills N] [--seconds S] [--seed X] | torture contain [--kills N] [--seconds S] [--seed X] | torture verbs [--kills N] [--seconds S] [--seed X] | torture machines [--kills N] [--seconds S] [--seed X] | torture server-power [--cuts N] [--seconds S] [--seed X] | torture workers [--blows N] [--seconds S] [--seed X] | torture escape [--short] [--only WORD] [--seed X]";

/// How much is to be done.
struct Plan {
    crashes: u64,
    seed: u64,
    time: Duration,
}

impl Plan {
    /// Rounds of at most `most` crashes, until there were enough, the time is over, or something is
    /// wrong. `round` makes as many crashes as it is asked for, and takes stock.
    fn rounds(
        &self,
        most: u64,
        mut round: impl FnMut(u64, &mut Chance, &mut Verdict) -> io::Result<()>,
    ) -> io::Result<Verdict> {
        let start = Instant::now();
        let mut chance = Chance(self.seed);
        let mut verdict = Verdict::default();
        while verdict.crashes < self.crashes && start.elapsed() < self.time && verdict.is_clean() {
            let crashes = (self.crashes - verdict.crashes).min(most);
            round(crashes, &mut chance, &mut verdict)?;
            verdict.crashes += crashes;
        }
        verdict.time = start.elapsed();
        Ok(verdict)
    }
}

/// Runs the command, or one of the worker processes that it starts.
pub(crate) fn run(args: &[&str]) -> ExitCode {
    let result = match args {
        ["mail", options @ ..] => plan(options, "--kills", 2_000).and_then(|plan| mail(&plan)),
        ["power", options @ ..] => plan(options, "--cuts", 300).and_then(|plan| power(&plan)),
        ["board", options @ ..] => plan(options, "--kills", 2_000).and_then(|plan| board(&plan)),
        ["contain", options @ ..] => plan(options, "--kills", 200).and_then(|plan| contain(&plan)),
        ["verbs", options @ ..] => plan(options, "--kills", 2_000).and_then(|plan| verbs(&plan)),
        ["machines", options @ ..] => {
            plan(options, "--kills", 400).and_then(|plan| machines(&plan))
        }
        ["server-power", options @ ..] => {
            plan(options, "--cuts", 40).and_then(|plan| server_power(&plan))
        }
        ["workers", options @ ..] => plan(options, "--blows", 400).and_then(|plan| workers(&plan)),
        ["escape", options @ ..] => escape(options),
        ["without-namespaces", words @ ..] => {
            escape::without_namespaces::run(words).map(|()| ExitCode::FAILURE)
        }
        ["work", design, dir, name, life] => board::work(design, Path::new(dir), name, life),
        ["machines-work", site, name, mail, record] => machines::work(site, name, mail, record),
        ["machines-hold", site, term] => machines::hold(site, term),
        ["workers-inside", dir, numbers @ ..] => workers::run_inside(dir, numbers),
        ["send", design, dir, name, next] => worker::send(design, Path::new(dir), name, next),
        ["hear", design, dir] => worker::hear(design, Path::new(dir)),
        _ => Err(format!("usage: cargo xtask {USAGE}")),
    };
    result.unwrap_or_else(|why| {
        eprintln!("{why}");
        ExitCode::from(2)
    })
}

fn plan(options: &[&str], count: &str, crashes: u64) -> Result<Plan, String> {
    let mut plan = Plan {
        crashes,
        seed: new_seed(),
        time: Duration::from_secs(600),
    };
    for option in options.chunks(2) {
        let value = option.get(1).and_then(|value| value.parse().ok());
        match (option[0], value) {
            (name, Some(value)) if name == count => plan.crashes = value,
            ("--seconds", Some(value)) => plan.time = Duration::from_secs(value),
            ("--seed", Some(value)) => plan.seed = value,
            (what, _) => return Err(format!("'{what}' does not fit; usage: {USAGE}")),
        }
    }
    say(&format!(
        "seed {}; at most {} crashes and {} s\n",
        plan.seed,
        plan.crashes,
        plan.time.as_secs()
    ))?;
    Ok(plan)
}

fn mail(plan: &Plan) -> Result<ExitCode, String> {
    let ours = fixture::torture(Design::Claiming, plan).map_err(|error| error.to_string())?;
    let few = Plan {
        crashes: (plan.crashes / 10).clamp(20, 200),
        ..*plan
    };
    let naive = until_it_loses(&few, |few| fixture::torture(Design::Truncating, few))?;
    judge(
        plan,
        ("file mailbox", &ours),
        ("read, then truncate", &naive),
    )
}

fn board(plan: &Plan) -> Result<ExitCode, String> {
    let ours = board::torture(board::Design::Journal, plan).map_err(|error| error.to_string())?;
    let few = Plan {
        crashes: 60,
        ..*plan
    };
    let naive = until_it_loses(&few, |few| board::torture(board::Design::File, few))?;
    judge(plan, ("board", &ours), ("read, then write", &naive))
}

fn power(plan: &Plan) -> Result<ExitCode, String> {
    let ours = power::torture(Design::Claiming, plan).map_err(|error| error.to_string())?;
    let few = Plan {
        crashes: 5,
        ..*plan
    };
    let naive = until_it_loses(&few, |few| power::torture(Design::Unsynced, few))?;
    judge(plan, ("file mailbox", &ours), ("without syncs", &naive))
}

fn contain(plan: &Plan) -> Result<ExitCode, String> {
    let is_well = contain::torture(plan).map_err(|error| error.to_string())?;
    Ok(exit_code(is_well))
}

fn verbs(plan: &Plan) -> Result<ExitCode, String> {
    if verbs::torture(plan).map_err(|error| error.to_string())? {
        return Ok(ExitCode::SUCCESS);
    }
    say(&format!("FAILED: replay with --seed {}\n", plan.seed))?;
    Ok(ExitCode::FAILURE)
}

fn machines(plan: &Plan) -> Result<ExitCode, String> {
    let is_well = machines::torture(plan).map_err(|error| error.to_string())?;
    Ok(exit_code(is_well))
}

fn server_power(plan: &Plan) -> Result<ExitCode, String> {
    let is_well = machines::cut(plan).map_err(|error| error.to_string())?;
    Ok(exit_code(is_well))
}

fn workers(plan: &Plan) -> Result<ExitCode, String> {
    let is_well = workers::torture(plan).map_err(|error| error.to_string())?;
    Ok(exit_code(is_well))
}

fn escape(options: &[&str]) -> Result<ExitCode, String> {
    let mut choice = escape::Choice {
        is_short: false,
        only: "",
        seed: new_seed(),
    };
    let mut words = options.iter();
    while let Some(option) = words.next() {
        match (*option, words.clone().next()) {
            ("--short", _) => choice.is_short = true,
            ("--only", Some(word)) => {
                choice.only = word;
                words.next();
            }
            ("--seed", Some(word)) => {
                choice.seed = word.parse().map_err(|_| format!("no number: {word}"))?;
                words.next();
            }
            (what, _) => return Err(format!("'{what}' does not fit; usage: {USAGE}")),
        }
    }
    say(&format!("seed {}\n", choice.seed))?;
    let is_well = escape::torture(&choice).map_err(|error| error.to_string())?;
    Ok(exit_code(is_well))
}

fn exit_code(is_well: bool) -> ExitCode {
    if is_well {
        ExitCode::SUCCESS
    } else {
        ExitCode::FAILURE
    }
}

/// Another one each second.
pub(crate) fn new_seed() -> u64 {
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    now.map_or(1, |now| now.as_secs())
}

/// Plays a design that must lose until it has, at most ten times: a busy machine may spare it once.
fn until_it_loses(
    few: &Plan,
    torture: impl Fn(&Plan) -> io::Result<Verdict>,
) -> Result<Verdict, String> {
    let mut all = Verdict::default();
    for again in 0..10 {
        let seed = few.seed + again;
        all.join(torture(&Plan { seed, ..*few }).map_err(|error| error.to_string())?);
        if !all.lost.is_empty() {
            break;
        }
    }
    Ok(all)
}

fn judge(plan: &Plan, ours: (&str, &Verdict), other: (&str, &Verdict)) -> Result<ExitCode, String> {
    say(&verdict::table(&[ours, other]))?;
    let ((_, ours), (_, naive)) = (ours, other);
    if !ours.is_clean() {
        let seed = plan.seed;
        say(&format!(
            "FAILED: replay with --seed {seed}\n{}",
            ours.details()
        ))?;
        return Ok(ExitCode::FAILURE);
    }
    if naive.lost.is_empty() {
        say("FAILED: the design that must lose lost nothing, so this rig does not bite\n")?;
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
