//! A window that somebody pulls at while members work.
//!
//! `TEAMMATE_SEED=7` is the seed.

use pty_process::blocking::Command;

use super::*;
use crate::{
    crash::Chance,
    play::{Scene as _, bash, play, say, send, spawn},
};

const RESIZES: usize = 200;

fn busy() -> World {
    let member = |name: &str| {
        let step = |number: usize| {
            let text = format!("{name} is at **{number}**: 中文 and 🎉 keep `their` columns.");
            [
                bash(&format!("seq 1 {number}")).slowly(20),
                send("lead", &text),
            ]
        };
        let mut scenes: Vec<_> = (1..=20).flat_map(step).collect();
        scenes.push(say("Ready.").otherwise());
        scenes
    };
    full(&play([
        (
            "lead",
            vec![
                spawn([("alice", "coder", "Begin"), ("bob", "tester", "Begin")]).after_mail("Go"),
                say("| a | b |\n|---|---|\n| 中文 | {{mail}} |\n").otherwise(),
            ],
        ),
        ("alice", member("alice")),
        ("bob", member("bob")),
    ]))
}

/// What stood on the terminal before.
const OLDER: &str = "Older words";

/// What the shell says when the program is suspended.
const SUSPENDED: &str = "Enter continues";

/// Only a shell with jobs can suspend a program: this one does so twice.
fn below_a_shell() -> Command {
    let program = env!("CARGO_BIN_EXE_teammate");
    let goes_on = format!("echo {SUSPENDED}; read -r; fg");
    let script =
        format!("echo {OLDER}; set -m; {program} --permission-mode bypass; {goes_on}; {goes_on}");
    Command::new("bash").args(["-c", &script])
}

#[test]
fn after_200_resizes_and_a_suspend_the_screen_is_as_if_freshly_drawn() {
    let seed = std::env::var("TEAMMATE_SEED").ok();
    let seed = seed.and_then(|seed| seed.parse().ok()).unwrap_or(0);
    println!("TEAMMATE_SEED={seed}");
    let mut chance = Chance(seed);
    let world = busy();
    let terminal = Terminal::running(&world, SIZE, below_a_shell());
    terminal.says("Go");
    terminal.until("alice");
    let screens = [
        "\u{1b}1", "\u{1b}2", "\u{1b}3", "\u{1b}4", "\u{1b}5", "\u{1b}6",
    ];
    let mut between =
        |least: u64, most: u64| u16::try_from(least + chance.below(most - least + 1)).unwrap();
    for number in 0..RESIZES {
        let size = (between(5, 60), between(20, 200));
        let before = terminal.bytes().len();
        terminal.resize(size.0, size.1);
        terminal.keys(screens[usize::from(between(0, 5))]);
        // Some come one upon the other, some after a frame.
        if number % 3 == 0 {
            until(|| terminal.bytes().len() > before, || terminal.shows());
        }
    }
    terminal.resize(SIZE.0, SIZE.1);
    terminal.keys(F2);
    terminal.until("[2 lead]");
    terminal.comes_to_rest();
    for (key, title) in [(F2, "[2 lead]"), (F1, "[1 Team]")] {
        terminal.keys(key);
        terminal.until(title);
        terminal.comes_to_rest();
        // There and back before anything is drawn.
        terminal.resize(10, 40);
        terminal.resize(SIZE.0, SIZE.1);
        terminal.comes_to_rest();
        terminal.is_as_if_freshly_drawn();
        terminal.keys(CTRL_Z);
        terminal.until(SUSPENDED);
        assert!(terminal.is_restored(), "{}", terminal.shows());
        assert!(terminal.shows().contains(OLDER), "{}", terminal.shows());
        terminal.keys(ENTER);
        terminal.until(title);
        terminal.comes_to_rest();
        terminal.is_as_if_freshly_drawn();
    }
    let left = terminal.leaves_well();
    assert!(left.contains(OLDER), "{left}");
    world.assert_at_rest();
}

impl Terminal {
    /// What stands there, with its colours and the cursor, is what a fresh drawing shows.
    fn is_as_if_freshly_drawn(&self) {
        let before = (self.shows(), self.drawn(), self.cursor());
        let written = self.bytes().len();
        self.keys(CTRL_L);
        until(
            || {
                let new = &self.bytes()[written..];
                let new = String::from_utf8_lossy(new);
                new.contains("\u{1b}[2J") && new.ends_with("\u{1b}[?2026l")
            },
            || self.shows(),
        );
        self.comes_to_rest();
        let fresh = (self.shows(), self.drawn(), self.cursor());
        assert_eq!(before.0, fresh.0, "\n{}\n--- fresh\n{}", before.0, fresh.0);
        assert_eq!(before.1, fresh.1);
        assert_eq!(before.2, fresh.2);
    }
}
