//! The host is killed at random moments, repeatedly; whatever the moment, `resume` brings the work to its end with
//! nothing lost and nothing twice.
//!
//! `TEAMMATE_SEED=7` plays one seed, `TEAMMATE_SEEDS=100` so many.

use std::{fs, thread, time::Duration};

use rustix::process::Signal;
use serde_json::Value;

use crate::{
    play::{Scene as _, bash, play, say, send, spawn},
    world::{Running, World, files, until},
};

/// Kills of one team before it is left alone.
const KILLS_MAX: u64 = 12;
/// What alice does: so many commands, and a letter after each.
const STEPS: usize = 5;

/// A small generator: a test needs no more.
pub(crate) struct Chance(pub(crate) u64);

impl Chance {
    pub(crate) fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = self.0;
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ (x >> 31)) % bound
    }
}

fn long_work() -> Value {
    let mut alice = Vec::new();
    for step in 1..=STEPS {
        alice.push(bash(&format!("echo step-{step} >> steps")).slowly(5));
        alice.push(send("bob", &format!("letter-{step}")).slowly(2));
    }
    alice.push(say("alice is through"));
    play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Work"), ("bob", "tester", "Listen")]).slowly(5),
                say("All is done.").after("alice is through"),
                say("I wait.").otherwise(),
            ],
        ),
        ("alice", alice),
        ("bob", vec![say("I hear you.").otherwise().slowly(5)]),
    ])
}

#[test]
fn whenever_the_host_is_killed_the_work_comes_to_its_end() {
    let mut kills = 0;
    for seed in seeds(6) {
        println!("TEAMMATE_SEED={seed}");
        kills += kill_and_resume(seed);
    }
    assert!(kills > 0, "nothing was killed: this tests nothing");
}

/// Returns how often it was killed.
fn kill_and_resume(seed: u64) -> u64 {
    let world = World::playing(&long_work());
    let kills = kill_until_done(&world, &mut Chance(seed), 2_500);
    check(&world);
    kills
}

/// Kills the host at random moments, about so many written bytes apart, and goes on each time, until the job is done. Returns
/// how often it was killed.
pub(crate) fn kill_until_done(world: &World, chance: &mut Chance, apart: u64) -> u64 {
    let mut kills = 0;
    while kills < KILLS_MAX {
        let mut host = go_on(world);
        let goal = written(world) + chance.below(apart);
        while written(world) < goal && !host.is_over() {
            // The program under test wants the processor.
            thread::sleep(Duration::from_micros(300));
        }
        if !host.is_over() {
            host.signal(Signal::KILL);
        }
        // It may have come to its end in that very moment.
        let ended = host.end();
        if ended.code == 0 {
            break;
        }
        ended.ends(137);
        kills += 1;
    }
    go_on(world).end().ends(0);
    kills
}

/// The seeds that the environment asks for, or so many.
pub(crate) fn seeds(count: u64) -> std::ops::Range<u64> {
    let number = |name: &str| std::env::var(name).ok()?.parse::<u64>().ok();
    match number("TEAMMATE_SEED") {
        Some(seed) => seed..seed + 1,
        None => 0..number("TEAMMATE_SEEDS").unwrap_or(count),
    }
}

/// What the user would do: go on if the job had been taken, give it again if not.
fn go_on(world: &World) -> Running {
    if is_given(world) {
        world.start(&["resume", "--permission-mode", "bypass"])
    } else {
        world.start(&["run", "--permission-mode", "bypass", "The job"])
    }
}

fn is_given(world: &World) -> bool {
    let holds = |path: &std::path::Path| {
        fs::read_to_string(path).is_ok_and(|text| text.contains("The job"))
    };
    let team = world.path(".team");
    // A directory that was only just made.
    files(&team).iter().any(|path| holds(path))
}

/// How much is on disk: progress, whatever the speed.
fn written(world: &World) -> u64 {
    fn size(dir: &std::path::Path) -> u64 {
        let Ok(entries) = fs::read_dir(dir) else {
            return 0;
        };
        let sizes = entries
            .filter_map(Result::ok)
            .map(|entry| match entry.metadata() {
                Ok(data) if data.is_dir() => size(&entry.path()),
                Ok(data) => data.len(),
                Err(_) => 0,
            });
        sizes.sum()
    }
    // Without the event log, which is only for the user.
    let log = fs::metadata(world.path(".team/events.jsonl")).map_or(0, |data| data.len());
    size(&world.path(".team")).saturating_sub(log)
}

fn check(world: &World) {
    world.assert_at_rest();
    let times = |name: &str, mail: &str| {
        let heard = world.heard(name);
        let count = heard.iter().filter(|known| **known == mail).count();
        assert_eq!(count, 1, "{name} heard '{mail}' {count} times: {heard:#?}");
    };
    times("lead", "user message: The job");
    times("alice", "lead task_assignment: Work");
    times("bob", "lead task_assignment: Listen");
    for step in 1..=STEPS {
        times("bob", &format!("alice message: letter-{step}"));
    }
    times("lead", "alice idle_notification: alice is through");

    // A command is begun at most once; one that was cut is reported as such.
    let steps = fs::read_to_string(world.path("steps")).unwrap_or_default();
    let outcomes = world.outcomes("alice");
    for step in 1..=STEPS {
        let line = format!("step-{step}");
        let count = steps.lines().filter(|known| **known == *line).count();
        assert!(count <= 1, "{line} ran {count} times");
    }
    let cut = outcomes
        .iter()
        .filter(|text| text.contains("nterrupted"))
        .count();
    assert!(
        steps.lines().count() + cut >= STEPS,
        "{steps}\n{outcomes:#?}"
    );

    // Nobody was spawned twice.
    let journal = world.file(".team/journal.jsonl");
    for name in ["alice", "bob"] {
        let spawned = format!("\"event\":\"spawned\",\"member\":\"{name}\"");
        assert_eq!(journal.matches(&spawned).count(), 1, "{journal}");
    }
}

// fast: a killed host
#[test]
fn what_a_killed_host_says_of_its_members_is_that_they_are_paused() {
    let world = World::playing(&play([(
        "lead",
        vec![bash("touch works; sleep 60"), say("Later.")],
    )]));
    let host = world.start(&["run", "--permission-mode", "bypass", "Go"]);
    until(|| world.path("works").exists(), || host.err());
    host.signal(Signal::KILL);
    host.end().ends(137);
    world
        .teammate(&["team"])
        .ends(0)
        .says("not running; `teammate resume` continues")
        .says("lead  paused");
    world.resume().ends(0).says("Later.");
    let outcomes = world.outcomes("lead");
    assert!(outcomes[0].contains("nterrupted"), "{outcomes:?}");
    world.assert_at_rest();
}
