//! Rounds: a new team, its processes, blows, and stock of what is there in the end.

use std::{
    io, thread,
    time::{Duration, Instant},
};

use super::{
    Round,
    blow::{Blow, Blows},
    crew::Crew,
    fault::{Fault, Proxies},
    servers::Servers,
    site::Site,
    stock,
};
use crate::torture::{rng::Chance, worker::run};

/// A round has this many blows: each successor reads the whole transcript.
pub(super) const ROUND_BLOWS: u64 = 24;

/// The pause between two blows, in milliseconds.
const PAUSE_MS_MAX: u64 = 400;

/// How long a successor may take to take over. Three killed servers take a minute at most.
const TAKE_WAIT: Duration = Duration::from_secs(180);

/// The same where a fault is planted that may keep everybody from it.
const FAULT_TAKE_WAIT: Duration = Duration::from_secs(5);

/// So many blows has a team with a planted fault, unless it is found before.
const FAULT_BLOWS: u64 = 6;

/// Blows by chance, and what is found.
pub(super) fn round(
    servers: &mut Servers,
    fault: Fault,
    most: u64,
    time: Duration,
    chance: &mut Chance,
) -> io::Result<Round> {
    let begun = Instant::now();
    blows(servers, fault, chance, |blows, chance| {
        let is_over = blows.count() >= most || begun.elapsed() >= time;
        (!is_over).then(|| Blow::any(chance))
    })
}

/// The blows by which a fault shows, round by round until it has.
pub(super) fn fault(
    servers: &mut Servers,
    fault: Fault,
    time: Duration,
    chance: &mut Chance,
) -> io::Result<Round> {
    let begun = Instant::now();
    let mut sum = Round::default();
    while !fault.is_in(&sum.found) && begun.elapsed() < time {
        let round = blows(servers, fault, chance, |blows, _| {
            (blows.count() < FAULT_BLOWS).then_some(Blow::HolderAsleep)
        })?;
        sum.add(round);
    }
    Ok(sum)
}

fn blows(
    servers: &mut Servers,
    fault: Fault,
    chance: &mut Chance,
    mut next: impl FnMut(&Blows, &mut Chance) -> Option<Blow>,
) -> io::Result<Round> {
    let straight = Site {
        urls: servers.urls(),
        team: format!("t{:x}", chance.below(u64::MAX)),
    };
    let make = straight.make(servers.kind.replicas());
    run(make).and_then(|made| made).map_err(io::Error::other)?;
    let proxies = Proxies::before(&servers.addresses(), fault)?;
    let site = Site {
        urls: proxies
            .as_ref()
            .map_or_else(|| straight.urls.clone(), Proxies::urls),
        team: straight.team.clone(),
    };
    let mut crew = Crew::start(&site)?;
    let mut blows = Blows::default();
    let wait = match fault {
        Fault::None => TAKE_WAIT,
        Fault::NoCompare | Fault::InFlightIsVerdict => FAULT_TAKE_WAIT,
    };
    let mut has_taken = takes_over(&crew, wait);
    while let Some(blow) = next(&blows, chance) {
        thread::sleep(Duration::from_millis(chance.below(PAUSE_MS_MAX)));
        blow.strike(&mut crew, servers, chance)?;
        blows.one(blow);
        let is_held = fault == Fault::None || takes_over(&crew, wait);
        if crew.has_stopped() || !is_held {
            break;
        }
    }
    has_taken &= crew.has_stopped() || takes_over(&crew, wait);
    crew.wake_stale()?;
    let term = crew.term;
    let mut found = stock::take(&straight, &crew.end()?).map_err(io::Error::other)?;
    if !has_taken {
        found
            .stopped
            .push(format!("nobody took over under term {term}"));
    }
    Ok(Round { blows, found })
}

/// Whether the last holder has the member before the time is over, so that a round ends with everything at work.
fn takes_over(crew: &Crew, wait: Duration) -> bool {
    let begun = Instant::now();
    while !crew.has_taken() {
        if begun.elapsed() > wait {
            return false;
        }
        thread::sleep(Duration::from_millis(20));
    }
    true
}
