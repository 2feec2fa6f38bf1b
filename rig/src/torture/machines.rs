//! Teams on real NATS servers, one and three: processes append journals, transcripts and mail, hold a member and lose it to a
//! successor, while workers, servers and leaders are killed or stopped and wake up late.
//!
//! What is here is the store's part of a team on several machines. Partitions are missing: off this machine they need
//! encryption.

mod blow;
mod crew;
mod cuts;
mod fault;
mod holder;
mod probes;
mod rig;
mod servers;
mod site;
mod stock;
mod worker;

use std::{
    fmt::Write as _,
    io,
    path::Path,
    time::{Duration, Instant},
};

use teammate_testkit::nats::program;

use self::{
    blow::Blows,
    fault::Fault,
    servers::{Kind, Servers},
    stock::Found,
};
use super::{Plan, rng::Chance, say};

pub(super) use cuts::torture as cut;
pub(crate) use holder::hold;
pub(crate) use worker::work;

/// How long a planted fault may take to be found.
const FAULT_WAIT: Duration = Duration::from_secs(60);

/// A round of one design on one kind of servers.
#[derive(Default)]
struct Round {
    blows: Blows,
    found: Found,
}

/// Whether nothing was found on the adapters, and each planted fault was. Without a server it says that nothing was tested.
pub(super) fn torture(plan: &Plan) -> io::Result<bool> {
    let Some(program) = program() else {
        return Ok(true);
    };
    let (mut chance, begun) = (Chance(plan.seed), Instant::now());
    let one = on(plan, &program, Kind::One, plan.time / 3, &mut chance)?;
    let is_well = one && on(plan, &program, Kind::Three, plan.time * 2 / 3, &mut chance)?;
    let took = begun.elapsed().as_secs();
    if is_well {
        let what = "ok: nothing lost, doubled, forked or stopped for nothing; and the rig bites";
        print_now(&format!("{what} ({took} s)\n"))?;
    } else {
        let seed = plan.seed;
        print_now(&format!(
            "FAILED after {took} s: replay with --seed {seed}\n"
        ))?;
    }
    Ok(is_well)
}

fn on(
    plan: &Plan,
    program: &Path,
    kind: Kind,
    time: Duration,
    chance: &mut Chance,
) -> io::Result<bool> {
    let mut servers = Servers::start(program, kind)?;
    let mut is_well = true;
    let (mut blows, mut teams) = (0, 0);
    let begun = Instant::now();
    let mut sum = Round::default();
    while is_well && blows < plan.crashes / 2 && begun.elapsed() < time {
        let left = time.saturating_sub(begun.elapsed());
        let most = (plan.crashes / 2 - blows).min(rig::ROUND_BLOWS);
        let round = rig::round(&mut servers, Fault::None, most, left, chance)?;
        blows += round.blows.count();
        teams += 1;
        is_well = round.found.is_clean();
        sum.add(round);
    }
    print_now(&format!(
        "{kind}, {teams} teams, {} s: {}",
        begun.elapsed().as_secs(),
        sum.text()
    ))?;
    for fault in kind.faults() {
        let round = rig::fault(&mut servers, *fault, FAULT_WAIT, chance)?;
        let bites = fault.is_in(&round.found);
        let word = if bites { "found" } else { "NOT FOUND" };
        print_now(&format!("{kind}, {fault}: {word}: {}", round.text()))?;
        is_well &= bites;
    }
    for probe in probes::all(&servers, kind)? {
        print_now(&probe.text())?;
        is_well &= probe.is_well();
    }
    Ok(is_well)
}

impl Round {
    fn add(&mut self, other: Self) {
        self.blows.add(&other.blows);
        self.found.add(other.found);
    }

    fn text(&self) -> String {
        let mut text = format!("{} blows ({})\n", self.blows.count(), self.blows);
        let _ = writeln!(text, "  {}", self.found);
        text.push_str(&self.found.details());
        text
    }
}

fn print_now(text: &str) -> io::Result<()> {
    say(text).map_err(io::Error::other)
}
