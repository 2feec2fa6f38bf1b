//! A screen that is attached and killed at any moment costs the team nothing.
//!
//! `TEAMMATE_SEED=7` is the seed, `TEAMMATE_KILLS=1000` so many kills.

use std::thread;

use super::*;
use crate::{
    crash::Chance,
    play::{Scene as _, bash, play, say, send, spawn},
};

/// How often a screen is killed.
const KILLS: u64 = 60;

/// So many steps has the work that goes on meanwhile.
const STEPS: usize = 25;

/// How long a screen lives at most: longer than its start takes.
const LIFE_MS: u64 = 400;

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn busy() -> World {
    let step = |number: usize| {
        [
            bash(&format!("echo {number} >> steps")).slowly(60),
            send("bob", &format!("letter-{number}.")).slowly(60),
        ]
    };
    let mut alice: Vec<_> = (1..=STEPS).flat_map(step).collect();
    alice.push(say("alice is through"));
    alice.push(say("I hear you.").otherwise());
    full(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Work"), ("bob", "tester", "Listen")])
                    .after_mail("The job"),
                say("I hear you.").otherwise(),
            ],
        ),
        ("alice", alice),
        ("bob", vec![say("I hear you.").otherwise()]),
    ]))
}

#[test]
fn a_screen_that_is_killed_at_any_moment_costs_the_team_nothing() {
    let seed = number("TEAMMATE_SEED").unwrap_or(0);
    println!("TEAMMATE_SEED={seed}");
    let mut chance = Chance(seed);
    let world = busy();
    let host = Terminal::sized(&world, SIZE, &["--permission-mode", "bypass"]);
    host.says("The job");
    host.until("alice");
    let (mut shown, kills) = (0, number("TEAMMATE_KILLS").unwrap_or(KILLS));
    for kill in 0..kills {
        let mut face = Terminal::sized(&world, SIZE, &[]);
        // What is typed before it reads counts, too.
        for keys in [
            ENTER,
            &format!("word-{kill}."),
            ENTER,
            "half a word",
            F2,
            "@alice\r",
            "\u{1b}[5~",
        ] {
            face.keys(keys);
        }
        thread::sleep(Duration::from_millis(chance.below(LIFE_MS)));
        shown += u64::from(!face.bytes().is_empty());
        face.crash();
    }
    println!("{kills} kills, {shown} of them when something had been drawn");
    assert!(shown > 0, "nothing was drawn: this kills no screen");

    host.until("alice is through");
    host.until("live");
    host.leaves_well();
    world.teammate(&["doctor"]).ends(0);
    assert!(world.resume().code == 0);
    world.assert_at_rest();
    let heard = |name: &str, mail: &str| {
        let all = world.heard(name);
        all.iter().filter(|known| **known == mail).count()
    };
    let steps: String = (1..=STEPS).map(|number| format!("{number}\n")).collect();
    assert_eq!(world.file("steps"), steps);
    for number in 1..=STEPS {
        let letter = format!("alice message: letter-{number}.");
        assert_eq!(heard("bob", &letter), 1, "{letter}");
    }
    // What was sent before the kill is heard once, and nothing of it twice.
    for kill in 0..kills {
        let word = format!("user message: word-{kill}.");
        assert!(heard("lead", &word) <= 1, "{word}");
    }
}
