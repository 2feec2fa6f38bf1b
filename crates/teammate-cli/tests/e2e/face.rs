//! Stories of the full screen, through a real terminal: what a person types there, and what stands there then.

mod at_once;
pub(crate) mod attached;
mod beginning;
mod capture;
mod configured;
mod drafts;
mod finding;
mod first_hour;
mod hostile;
mod idle;
mod killed;
mod live;
mod measured;
mod mouse;
mod on_servers;
mod opening;
mod pictures;
mod questions;
mod resized;
mod scenes;
mod sequences;
mod shop;
mod spending;
mod watching;

use std::{
    fs,
    time::{Duration, Instant},
};

use crate::{
    terminal::Terminal,
    world::{World, until},
};

/// The size of most terminals in these stories.
const SIZE: (u16, u16) = (24, 80);

/// A key is pressed again after this time if nothing came of it: longer than a question must be seen, and than the pause that
/// an answer needs.
const AGAIN: Duration = Duration::from_millis(700);

/// Keys as a terminal sends them.
const TAB: &str = "\t";
const ENTER: &str = "\r";
const DOWN: &str = "\u{1b}[B";
const UP: &str = "\u{1b}[A";
const CTRL_C: &str = "\u{3}";
const CTRL_D: &str = "\u{4}";
const CTRL_L: &str = "\u{c}";
const CTRL_N: &str = "\u{e}";
const CTRL_R: &str = "\u{12}";
const CTRL_U: &str = "\u{15}";
const CTRL_Z: &str = "\u{1a}";
const F1: &str = "\u{1b}OP";
const F2: &str = "\u{1b}OQ";

/// The full screen of a world's team.
pub(crate) fn open(world: &World) -> Terminal {
    Terminal::sized(world, SIZE, &[])
}

/// A world whose prompt is the full screen.
fn full(play: &serde_json::Value) -> World {
    World::playing(play).env("TEAMMATE_SCREEN", "full")
}

impl Terminal {
    /// Waits until the prompt speaks to this member and has this typed.
    fn until_prompt(&self, to: &str, typed: &str) {
        let row = format!(" to {to} > {typed}");
        until(
            || self.shows().lines().any(|line| line == row.trim_end()),
            || format!("no '{row}':\n{}", self.shows()),
        );
    }

    /// Waits until nothing of this stands there.
    fn until_gone(&self, text: &str) {
        until(
            || !self.shows().contains(text),
            || format!("'{text}' stays:\n{}", self.shows()),
        );
    }

    /// Says something to the lead.
    pub(crate) fn says(&self, text: &str) {
        self.until_prompt("lead", "");
        self.keys(text);
        self.until_prompt("lead", text);
        self.keys(ENTER);
    }

    /// Presses a key until something comes of it: those that answer count only after a while.
    fn presses(&self, key: &str, mut has_come: impl FnMut(&Self) -> bool) {
        let mut pressed: Option<Instant> = None;
        until(
            || {
                if has_come(self) {
                    return true;
                }
                if pressed.is_none_or(|at| at.elapsed() > AGAIN) {
                    self.keys(key);
                    pressed = Some(Instant::now());
                }
                false
            },
            || format!("nothing comes of {key:?}:\n{}", self.shows()),
        );
    }

    /// Waits until nothing is written any more: what comes next comes of what is done next.
    fn comes_to_rest(&self) {
        let (mut written, mut since) = (self.bytes().len(), Instant::now());
        until(
            || {
                let now = self.bytes().len();
                if now != written {
                    (written, since) = (now, Instant::now());
                }
                since.elapsed() > 2 * AGAIN
            },
            || self.shows(),
        );
    }

    /// Leaves by a command and ends well; what stands on the terminal then.
    fn leaves_well(mut self) -> String {
        self.until_prompt("lead", "");
        self.keys("/quit\r");
        assert_eq!(self.leaves_paused().code(), Some(0), "{}", self.shows());
        assert!(self.is_restored(), "{}", self.shows());
        let printed = self.printed();
        assert!(!printed.contains("panicked"), "{printed}");
        self.shows()
    }
}
