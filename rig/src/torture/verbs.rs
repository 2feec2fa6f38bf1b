//! Kills of hosts in every state that a verb or a protocol can bring a team into, with verbs from other terminals in between. Each
//! time the team is opened again; in the end it must come to rest by itself, nothing lost, doubled or stuck, and the strict server
//! must have refused nothing, on either wire.

mod account;
mod place;
mod story;

use std::{
    io, thread,
    time::{Duration, Instant},
};

use account::Acknowledged;
use place::{Host, Place, WIRES};
use rustix::process::Signal;
use story::Story;

use super::{Plan, rng::Chance, say};

/// Kills of one team before it may finish.
const KILLS: u64 = 6;

/// A host lives at most so long.
const LIFE_MAX_MS: u64 = 1_200;

/// How often a team may be resumed until all is done: a stop or an interrupt in the last run is none of its own.
const RESUMES_MAX: u32 = 4;

/// What happens to a team's files while nobody runs it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Disk {
    Keeps,
    /// Waiting mail is gone: the rig must see it.
    LosesMail,
}

/// How many teams on a disk that loses mail are tried at most until one of them is found out, as two of three are.
const NAIVE_MAX: u64 = 20;

/// Whether all teams held, and whether it would have been seen if they had not.
pub(super) fn torture(plan: &Plan) -> io::Result<bool> {
    let begun = Instant::now();
    let mut chance = Chance(plan.seed);
    let (mut kills, mut episodes, mut acknowledged) = (0, 0, 0);
    let mut failed = 0;
    while kills < plan.crashes && begun.elapsed() < plan.time {
        let seed = chance.below(u64::MAX);
        let story = &story::ALL[usize::try_from(episodes).unwrap_or(0) % story::ALL.len()];
        let wire = WIRES[usize::try_from(episodes).unwrap_or(0) / story::ALL.len() % WIRES.len()];
        let end = episode(story, wire, Disk::Keeps, &mut Chance(seed))?;
        kills += end.kills;
        acknowledged += end.acknowledged;
        episodes += 1;
        if !end.wrong.is_empty() {
            failed += 1;
            let wrong = end.wrong.join("\n  ");
            let text = format!("FAILED {} on {wire}, seed {seed}:\n  {wrong}\n", story.name);
            say(&text).map_err(io::Error::other)?;
        }
    }
    let (mut naive, mut is_found_out) = (0, false);
    while !is_found_out && naive < NAIVE_MAX {
        let seed = chance.below(u64::MAX);
        let end = episode(&story::ALL[0], WIRES[0], Disk::LosesMail, &mut Chance(seed))?;
        is_found_out = !end.wrong.is_empty();
        naive += 1;
    }
    let took = begun.elapsed().as_secs();
    let text = format!(
        "verbs: {kills} kills of {episodes} teams in {took} s, {acknowledged} acknowledged messages and tasks; {failed} teams failed; {} of {naive} were found out where mail is lost\n",
        u32::from(is_found_out)
    );
    say(&text).map_err(io::Error::other)?;
    Ok(failed == 0 && kills > 0 && is_found_out)
}

#[derive(Default)]
struct End {
    kills: u64,
    acknowledged: usize,
    wrong: Vec<String>,
}

/// One team, from its first job through its kills to its rest.
fn episode(story: &Story, wire: &'static str, disk: Disk, chance: &mut Chance) -> io::Result<End> {
    let place = Place::of(story, wire)?;
    let (mut told, mut end) = (Acknowledged::default(), End::default());
    for _ in 0..KILLS {
        let mut host = place.host()?;
        let life = Duration::from_millis(chance.below(LIFE_MAX_MS));
        let begun = Instant::now();
        while begun.elapsed() < life {
            if let Err(error) = verb(&place, story, &host, chance, &mut told) {
                end.wrong.push(error.to_string());
            }
            thread::sleep(Duration::from_millis(chance.below(150)));
        }
        if !host.try_ended()? {
            end.kills += 1;
        }
        host.kill()?;
        if disk == Disk::LosesMail {
            place.lose_mail()?;
        }
    }
    end.wrong.extend(finish(&place, story)?);
    end.wrong.extend(account::take(&place, &told)?);
    end.acknowledged = told.mail.len() + told.tasks.len();
    let said = place.said();
    let (refused, dir) = place.refused()?;
    end.wrong.extend(refused);
    if !end.wrong.is_empty() && disk == Disk::Keeps {
        let kept = dir.keep();
        end.wrong.push(format!(
            "kept in {}; the last host said:\n{said}",
            kept.display()
        ));
    }
    Ok(end)
}

/// Something that the user does in another terminal, or to the host.
fn verb(
    place: &Place,
    story: &Story,
    host: &Host,
    chance: &mut Chance,
    told: &mut Acknowledged,
) -> io::Result<()> {
    let number = chance.below(1_000_000_000);
    let index = usize::try_from(number).unwrap_or(0) % story.members.len();
    let member = story.members[index];
    match chance.below(60) {
        0..=9 => {
            let word = format!("word-{number}");
            let to = if number.is_multiple_of(3) {
                "lead"
            } else {
                member
            };
            if place.verb(&["send", to, &word])?.status.success() {
                told.mail.push((to.to_owned(), word));
            }
        }
        10..=14 => {
            let subject = format!("task-{number}");
            if place.verb(&["tasks", "add", &subject])?.status.success() {
                told.tasks.push(subject);
            }
        }
        15 => drop(place.verb(&["stop", "--within", "1"])?),
        16 => drop(place.verb(&["stop", "--now"])?),
        17..=18 => drop(place.verb(&["stop", member, "--within", "1"])?),
        19 => host.signal(Signal::INT)?,
        20 => host.signal(Signal::TERM)?,
        21..=25 => drop(place.verb(&["team"])?),
        _ => answer(place, number.is_multiple_of(4))?,
    }
    Ok(())
}

/// Answers the oldest question, if there is one.
fn answer(place: &Place, no: bool) -> io::Result<()> {
    let asked = place.verb(&["requests", "--json"])?;
    let asked: serde_json::Value = serde_json::from_slice(&asked.stdout).unwrap_or_default();
    let Some(id) = asked.pointer("/requests/0/id") else {
        return Ok(());
    };
    let id = id.as_str().map_or_else(|| id.to_string(), str::to_owned);
    // Somebody else may have answered, or the team may have been killed meanwhile.
    let verb = if no { "deny" } else { "approve" };
    place.verb(&[verb, &id]).map(drop)
}

/// Opens the team until it has come to rest by itself; what is wrong with that.
fn finish(place: &Place, story: &Story) -> io::Result<Vec<String>> {
    let mut last = String::new();
    for _ in 0..RESUMES_MAX {
        let mut host = place.host()?;
        if story.mode == "ask" {
            let begun = Instant::now();
            while !host.try_ended()? && begun.elapsed() < Duration::from_secs(60) {
                answer(place, false)?;
                thread::sleep(Duration::from_millis(50));
            }
        }
        match host.end()? {
            Some(0) => return Ok(Vec::new()),
            Some(code) => last = format!("resume ends with {code}"),
            None => return Ok(vec!["resume is stuck".to_owned()]),
        }
    }
    Ok(vec![last])
}
