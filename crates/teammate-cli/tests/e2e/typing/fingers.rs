//! What the user's fingers do at the prompt, from a seed.

use std::{
    thread,
    time::{Duration, Instant},
};

use crate::{crash::Chance, terminal::Terminal};

const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";
/// Clears the line and does nothing else.
const CTRL_U: &str = "\u{15}";
const BACKSPACE: &str = "\u{7f}";
const ESC: &str = "\u{1b}";
const ARROWS: [&str; 3] = ["\u{1b}[D", "\u{1b}[C", "\u{1b}[B"];

/// Keys in one session.
const KEYS_MAX: u64 = 30;
/// How often a key that leaves is pressed.
const PRESSES_MAX: u64 = 200;
/// How long fingers wait for something to show. They go on without it.
const PATIENCE: Duration = Duration::from_secs(3);

const COMMANDS: [&str; 10] = [
    "/team",
    "/tasks",
    "/cost",
    "/inbox",
    "/requests",
    "/rules",
    "/help",
    "/compact",
    "/te",
    "@alice hello",
];

/// A message that was typed.
pub(super) struct Said {
    pub(super) word: String,
    /// The next prompt came: it was sent.
    pub(super) is_taken: bool,
}

pub(super) struct Fingers<'a> {
    terminal: &'a mut Terminal,
    chance: &'a mut Chance,
    /// In every message.
    prefix: String,
    said: Vec<Said>,
    begun: Instant,
    /// Ctrl-C was pressed before there was a prompt.
    is_early: bool,
}

impl<'a> Fingers<'a> {
    pub(super) fn new(terminal: &'a mut Terminal, chance: &'a mut Chance, prefix: String) -> Self {
        Self {
            terminal,
            chance,
            prefix,
            said: Vec::new(),
            begun: Instant::now(),
            is_early: false,
        }
    }

    /// What was said, and whether Ctrl-C came before the prompt.
    pub(super) fn done(self) -> (Vec<Said>, bool) {
        (self.said, self.is_early)
    }

    pub(super) fn type_wildly(&mut self) {
        if self.one_in(8) {
            // While the team opens.
            self.pause(300);
            self.press(CTRL_C);
        } else if self.one_in(2) {
            self.waits_for_prompt();
            self.says();
        }
        for _ in 0..self.chance.below(KEYS_MAX) {
            if self.terminal.ended().is_some() {
                return;
            }
            self.does_something();
        }
    }

    fn does_something(&mut self) {
        match self.chance.below(16) {
            0..=2 => self.says(),
            3 => self.press("half a wo"),
            4 => {
                let word = self.word();
                // Sent or not, nobody waits for it.
                self.press(&format!("{CTRL_U}{word}\r"));
            }
            5 => self.press(BACKSPACE),
            6 => {
                let arrow = self.below(ARROWS.len());
                self.press(ARROWS[arrow]);
            }
            7 => self.press(ESC),
            8 => self.press(CTRL_C),
            9 => {
                self.press("in the mid");
                self.press(CTRL_C);
            }
            10 => {
                self.waits_for("asks: ");
                self.press(CTRL_C);
            }
            11 => self.press("\r"),
            12 => {
                let command = self.below(COMMANDS.len());
                self.press(&format!("{}\r", COMMANDS[command]));
            }
            13 | 14 => {
                self.waits_for("asks: ");
                let answer = ["y\r", "y\r", "n\r", "yes please\r"][self.below(4)];
                self.press(answer);
            }
            _ => self.pause(1_500),
        }
        if !self.one_in(3) {
            self.pause(200);
        }
    }

    /// Types a message at an empty prompt and sees whether it is taken.
    fn says(&mut self) {
        // Esc and a key that follows at once are one key.
        self.press(&format!("{CTRL_U}{CTRL_U}"));
        let is_empty = self.waits_for_prompt();
        let word = self.word();
        self.press(&format!("{word}\r"));
        let line = format!("> {word}\n");
        let is_taken = is_empty
            && self.waits(|terminal| terminal.is_at_prompt() && terminal.shows().contains(&line));
        println!("{word} is taken: {is_taken}");
        if let Some(said) = self.said.last_mut() {
            said.is_taken = is_taken;
        }
    }

    /// A message that was never typed before.
    fn word(&mut self) -> String {
        let word = format!("{}-{}-end", self.prefix, self.said.len());
        self.said.push(Said {
            word: word.clone(),
            is_taken: false,
        });
        word
    }

    /// Tells the program to leave, and goes on typing.
    pub(super) fn leave(&mut self) {
        self.press(&format!("{CTRL_U}{CTRL_U}"));
        match self.chance.below(4) {
            // Where members work it asks what becomes of them.
            0 => self.press("/quit\rp\r"),
            1 => self.press("q\rp\r"),
            // Before there is a prompt, Ctrl-D is nothing.
            2 => self.presses_until_it_leaves(CTRL_D),
            _ => self.presses_until_it_leaves(CTRL_C),
        }
        for _ in 0..self.chance.below(6) {
            let key = [CTRL_C, "x", "\r", CTRL_D, "y\r", ESC][self.below(6)];
            self.press(key);
            self.pause(100);
        }
    }

    fn presses_until_it_leaves(&mut self, key: &str) {
        for _ in 0..PRESSES_MAX {
            if self.terminal.ended().is_some() {
                return;
            }
            self.press(key);
            thread::sleep(Duration::from_millis(300));
        }
        panic!("{key:?} does not leave:\n{}", self.terminal.shows());
    }

    fn press(&mut self, keys: &str) {
        let at = self.begun.elapsed().as_millis();
        self.is_early |= keys.contains(CTRL_C) && !self.terminal.printed().contains("Talking with");
        println!("{at:>6} {keys:?}");
        self.terminal.tries_keys(keys);
    }

    /// Whether there is an empty prompt, soon.
    pub(super) fn waits_for_prompt(&mut self) -> bool {
        self.waits(Terminal::is_at_prompt)
    }

    fn waits_for(&mut self, text: &str) -> bool {
        self.waits(|terminal| terminal.shows().contains(text))
    }

    fn waits(&mut self, holds: impl Fn(&Terminal) -> bool) -> bool {
        let begun = Instant::now();
        while !holds(self.terminal) {
            if begun.elapsed() > PATIENCE || self.terminal.ended().is_some() {
                return false;
            }
            thread::sleep(Duration::from_millis(5));
        }
        true
    }

    fn pause(&mut self, millis_max: u64) {
        thread::sleep(Duration::from_millis(self.chance.below(millis_max)));
    }

    fn one_in(&mut self, count: u64) -> bool {
        self.chance.below(count) == 0
    }

    fn below(&mut self, count: usize) -> usize {
        usize::try_from(self.chance.below(count as u64)).unwrap()
    }
}
