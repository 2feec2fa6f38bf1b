//! What a person does to a team meanwhile: words to its members, tasks on its board. What was acknowledged is remembered.

use std::{
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
    },
    thread,
    time::Duration,
};

use super::{play, site::Site};
use crate::torture::rng::Chance;

/// The pause between two acts, in milliseconds.
const PAUSE_MS_MAX: u64 = 400;

/// Every so many'th act is a task.
const TASK_EVERY: u64 = 4;

/// How the end of an act became known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ack {
    /// The program ended well.
    Given,
    /// It did not, and nobody knows what came of it.
    Unknown,
}

/// A word to a member.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Word {
    pub(super) to: String,
    pub(super) text: String,
    pub(super) ack: Ack,
}

/// What a person did to one team.
#[derive(Debug, Clone, Default)]
pub(super) struct Acts {
    pub(super) words: Vec<Word>,
    /// Subjects of tasks.
    pub(super) tasks: Vec<(String, Ack)>,
    /// What programs said that did not end well.
    pub(super) refused: Vec<String>,
}

/// The person at one team's desk.
pub(super) struct Load {
    site: Arc<Site>,
    pub(super) team: String,
    acts: Mutex<Acts>,
}

impl Load {
    pub(super) fn of(site: Arc<Site>, team: String) -> Self {
        Self {
            site,
            team,
            acts: Mutex::default(),
        }
    }

    /// Acts until it is over.
    pub(super) fn run(&self, is_over: &AtomicBool, mut chance: Chance) {
        let mut number: u64 = 0;
        while !is_over.load(Ordering::Acquire) {
            number += 1;
            if number.is_multiple_of(TASK_EVERY) {
                self.add_task(number);
            } else {
                let members = play::members();
                let at = usize::try_from(chance.below(members.len() as u64)).unwrap_or_default();
                self.send(members[at], number);
            }
            thread::sleep(Duration::from_millis(chance.below(PAUSE_MS_MAX)));
        }
    }

    /// What was done so far.
    pub(super) fn acts(&self) -> Acts {
        let acts = self.acts.lock();
        acts.unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn send(&self, to: &str, number: u64) {
        let text = play::word(&self.team, number);
        let ack = self.act(&["send", to, &text]);
        let word = Word {
            to: to.to_owned(),
            text,
            ack,
        };
        self.remember(|acts| acts.words.push(word));
    }

    fn add_task(&self, number: u64) {
        let subject = format!("task-{number}");
        let ack = self.act(&["tasks", "add", &subject]);
        self.remember(|acts| acts.tasks.push((subject, ack)));
    }

    fn act(&self, words: &[&str]) -> Ack {
        let why = match self.site.verb(&self.team, words) {
            Ok(output) if output.status.success() => return Ack::Given,
            Ok(output) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            Err(error) => error.to_string(),
        };
        self.remember(|acts| acts.refused.push(format!("{}: {why}", words.join(" "))));
        Ack::Unknown
    }

    fn remember(&self, what: impl FnOnce(&mut Acts)) {
        what(&mut self.acts.lock().unwrap_or_else(PoisonError::into_inner));
    }
}
