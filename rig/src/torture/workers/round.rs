//! A round: new teams on the rig's machines, blows, and stock of what is there when all have come to rest.

use std::{
    io,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::{Duration, Instant},
};

use teammate_core::{MemberName, team::MemberPhase};

use super::{
    blow::{Blow, Blows},
    fleet::Fleet,
    judge::{self, Found},
    load::Load,
    play,
    site::Site,
    stock,
};
use crate::torture::{processes::with_word, rng::Chance};

/// How many teams there are at once.
const TEAMS: usize = 2;

/// The pause between two blows, in milliseconds.
const PAUSE_MS_MAX: u64 = 2_500;

/// How long servers may take until a team can be made.
const MAKE_WAIT: Duration = Duration::from_secs(120);

/// How long all members may take to be held and to have begun.
const BEGIN_WAIT: Duration = Duration::from_secs(120);

/// How long a team may take, once all is well again, to hear all its mail and come to rest.
const REST_WAIT: Duration = Duration::from_secs(180);

/// How long commands may take to end with their team.
const GONE_WAIT: Duration = Duration::from_secs(10);

const LOOK_EVERY: Duration = Duration::from_millis(500);

/// How much a round is.
pub(super) struct Size {
    pub(super) blows: u64,
    pub(super) time: Duration,
}

/// One round; `number` makes its teams' names.
pub(super) fn round(
    fleet: &mut Fleet,
    mark: &str,
    number: u64,
    size: &Size,
    (blows, chance): (&mut Blows, &mut Chance),
) -> io::Result<Found> {
    let loads: Vec<Arc<Load>> = (0..TEAMS)
        .map(|team| Arc::new(Load::of(fleet.site.clone(), format!("t{number}x{team}"))))
        .collect();
    for load in &loads {
        make(&fleet.site, &load.team)?;
    }
    fleet.serve(loads.iter().map(|load| load.team.clone()).collect())?;
    for load in &loads {
        begin(&fleet.site, &load.team)?;
    }
    let is_over = Arc::new(AtomicBool::new(false));
    let persons: Vec<_> = loads
        .iter()
        .map(|load| {
            let (load, is_over) = (load.clone(), is_over.clone());
            let chance = Chance(chance.below(u64::MAX));
            thread::spawn(move || load.run(&is_over, chance))
        })
        .collect();
    let struck = strike(fleet, &loads, size, blows, chance);
    is_over.store(true, Ordering::Release);
    for person in persons {
        let ended = person.join();
        ended.map_err(|_| io::Error::other("a person panicked"))?;
    }
    struck?;
    let mut found = Found::default();
    for load in &loads {
        found.wrong.extend(rest(&fleet.site, load));
    }
    // Jobs that members began still run.
    fleet.kill_all()?;
    found.wrong.extend(left(mark));
    for load in &loads {
        let stock = stock::take(&fleet.site, &load.team)?;
        found.add(judge::judge(&load.acts(), &stock));
    }
    Ok(found)
}

fn strike(
    fleet: &mut Fleet,
    loads: &[Arc<Load>],
    size: &Size,
    blows: &mut Blows,
    chance: &mut Chance,
) -> io::Result<()> {
    let (begun, before) = (Instant::now(), blows.count());
    while blows.count() - before < size.blows && begun.elapsed() < size.time {
        thread::sleep(Duration::from_millis(chance.below(PAUSE_MS_MAX)));
        let team = usize::try_from(chance.below(TEAMS as u64)).unwrap_or_default();
        let blow = Blow::any(chance);
        blow.strike(fleet, &loads[team].team, chance)?;
        blows.one(blow);
    }
    Ok(())
}

/// Makes a team, as soon as the servers prove what they are.
fn make(site: &Site, team: &str) -> io::Result<()> {
    until(MAKE_WAIT, || {
        let made = site.verb(team, &["up", "--detach"])?;
        Ok(match made.status.success() {
            true => None,
            false => Some(String::from_utf8_lossy(&made.stderr).into_owned()),
        })
    })
}

/// Has the lead spawn its teammates, and waits until somebody holds each.
fn begin(site: &Site, team: &str) -> io::Result<()> {
    until(BEGIN_WAIT, || {
        let sent = site.verb(team, &["send", "lead", play::BEGIN])?;
        Ok((!sent.status.success()).then(|| String::from_utf8_lossy(&sent.stderr).into_owned()))
    })?;
    until(BEGIN_WAIT, || {
        let team = match stock::look(site, team) {
            Ok(stock) => stock.team(),
            Err(error) => return Ok(Some(error.to_string())),
        };
        let is_held = |name: &&str| {
            let name = MemberName::parse(name).ok();
            let placement = name.and_then(|name| team.places().placement(&name).cloned());
            placement.is_some_and(|placement| placement.worker.is_some())
        };
        let members = play::members();
        let waiting = members.iter().find(|name| !is_held(name));
        Ok(waiting.map(|name| format!("nobody holds {name}")))
    })
}

/// Waits until a team has heard all its mail and come to rest. What keeps it from that, if anything does for too long.
fn rest(site: &Site, load: &Load) -> Option<String> {
    let acts = load.acts();
    let rested = until(REST_WAIT, || {
        let stock = match stock::look(site, &load.team) {
            Ok(stock) => stock,
            Err(error) => return Ok(Some(error.to_string())),
        };
        if let Some(word) = judge::unheard(&acts, &stock).first() {
            return Ok(Some(format!("nobody has heard {word}")));
        }
        let team = stock.team();
        let mut members = team.members();
        let works = |phase: &MemberPhase| match phase {
            MemberPhase::Starting | MemberPhase::Working | MemberPhase::Waiting(_) => true,
            MemberPhase::Idle { .. } | MemberPhase::Stopped => false,
        };
        let working = members.find(|member| works(&member.phase));
        Ok(working.map(|member| format!("{} does not come to rest", member.name)))
    });
    rested.err().map(|why| format!("team {}: {why}", load.team))
}

/// What members have left running, if anything.
fn left(mark: &str) -> Option<String> {
    let running = || with_word(|word| word.contains(mark)).len();
    let gone = until(GONE_WAIT, || {
        Ok(match running() {
            0 => None,
            count => Some(format!("{count} processes are left running")),
        })
    });
    gone.err().map(|error| error.to_string())
}

/// Tries until nothing is in the way.
///
/// Errors: it cannot be tried, or what was in the way in the end.
fn until(wait: Duration, mut tried: impl FnMut() -> io::Result<Option<String>>) -> io::Result<()> {
    let begun = Instant::now();
    loop {
        match tried()? {
            None => return Ok(()),
            Some(why) if begun.elapsed() > wait => return Err(io::Error::other(why)),
            Some(_) => thread::sleep(LOOK_EVERY),
        }
    }
}
