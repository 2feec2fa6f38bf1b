//! Whose words stand behind what a member does: who spoke to it in its turn, whether its conversation holds the words of
//! strangers, and since when all of it is there.

use std::fmt;

use super::Entry;
use crate::{Message, Sender};

/// The most senders of one turn that are named.
const SENDERS_MAX: usize = 8;

/// Tools that bring words of the web.
const WEB_TOOLS: [&str; 4] = ["web_fetch", "web_search", "WebFetch", "WebSearch"];

/// Whose words a conversation holds.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Sources {
    /// The senders who spoke in the turn that is on, each once. Has at most [`SENDERS_MAX`].
    turn: Vec<Sender>,
    is_turn_over: bool,
    has_unverified: bool,
    has_web: bool,
    whole_since: u64,
}

impl Sources {
    /// Whether mail is in the conversation of which nobody knows the author. A summary of it does not change that.
    pub fn has_unverified(&self) -> bool {
        self.has_unverified
    }

    /// The entry at which the conversation began, or was last made shorter: what was said before may not be in it.
    pub fn whole_since(&self) -> u64 {
        self.whole_since
    }

    /// Takes entry number `at`.
    pub(super) fn push(&mut self, entry: &Entry, at: u64) {
        match entry {
            Entry::MemoryReset => {
                *self = Self {
                    whole_since: at,
                    ..Self::default()
                }
            }
            Entry::Shortened { .. } | Entry::Compacted(_) | Entry::Conversation(_) => {
                self.whole_since = at;
            }
            Entry::Heard(mail) => mail.iter().for_each(|mail| self.hear(mail)),
            Entry::Answered(reply) => {
                let mut calls = reply.calls().into_iter();
                self.has_web |= calls.any(|call| WEB_TOOLS.contains(&&*call.name));
            }
            Entry::TurnEnded(_) => self.is_turn_over = true,
            Entry::Taken { .. }
            | Entry::ToolOutcomes(_)
            | Entry::Prompted(_)
            | Entry::HandedOver(_)
            | Entry::SummaryFailed { .. } => {}
        }
    }

    fn hear(&mut self, mail: &Message) {
        if std::mem::take(&mut self.is_turn_over) {
            self.turn.clear();
        }
        self.has_unverified |= matches!(mail.from, Sender::Unverified(_));
        if self.turn.len() < SENDERS_MAX && !self.turn.contains(&mail.from) {
            self.turn.push(mail.from.clone());
        }
    }
}

/// In a line: `the user, alice, the web`.
impl fmt::Display for Sources {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut names: Vec<String> = Vec::new();
        for sender in &self.turn {
            names.push(match sender {
                Sender::User => "the user".to_owned(),
                Sender::System => "the program".to_owned(),
                Sender::Member(name) => name.to_string(),
                Sender::Unverified(_) => continue,
            });
        }
        if self.has_unverified {
            names.push("unverified mail".to_owned());
        }
        if self.has_web {
            names.push("the web".to_owned());
        }
        match names.is_empty() {
            true => f.write_str("its own work"),
            false => f.write_str(&names.join(", ")),
        }
    }
}
