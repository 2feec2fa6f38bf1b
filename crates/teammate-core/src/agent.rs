//! The agent machine: one member's loop as a pure function of what happened to what shall be done.
//!
//! [`Agent::step`] takes an [`Input`] and gives [`Effect`]s, which the driver carries out in order. The machine never
//! waits, reads no clock and touches no disk. Mail that comes while it is busy is heard before the next model call.

mod acting;
mod begin;
mod classes;
mod compacting;
mod effect;
mod hearing;
mod input;
mod phases;
mod repeats;
mod round;
mod surplus;
mod turn;

use std::sync::Arc;

pub use classes::{Classes, Reserved};
pub use compacting::Context;
pub use effect::{Effect, Resting};
pub use input::{Input, Leave, Unfinished};

use crate::{
    Incarnation,
    agent::{acting::Acting, compacting::Compacting, turn::Turn},
    transcript::{Conversation, Entry, RestReason},
};

/// What bounds a turn and what is sent in it, and what ends loops. In those a 0 means that there is no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most model calls in one turn.
    pub rounds_max: u32,
    /// What the model takes.
    pub context: Context,
    /// How often in a turn the same call may fail in the same way with nothing new done in between. Ten times as often it may
    /// succeed.
    pub repeats_max: u32,
    /// The most messages between members that follow from one another with no other work in between.
    pub hops_max: u32,
    /// The most teammates that are spawned or woken in a minute.
    pub spawns_max: u32,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            rounds_max: 1_000,
            context: Context::default(),
            repeats_max: 10,
            hops_max: 50,
            spawns_max: 300,
        }
    }
}

/// One member's loop.
#[derive(Debug)]
pub struct Agent {
    incarnation: Incarnation,
    limits: Limits,
    classes: Arc<Classes>,
    conversation: Conversation,
    phase: Phase,
    /// The loop ends before the model is asked again.
    leaving: Option<Leave>,
    /// The doorbell rang while there was no ear for it.
    rang: bool,
    /// How many messages the last request had.
    cached: usize,
    /// Somebody wants a summary, at the next moment for it; what it shall look at most.
    wish: Option<Option<String>>,
    /// Summaries in a row after which the context was as full as before. A new turn does not help against that.
    fruitless: u32,
    /// The last interrupt ended a turn, and none has begun since.
    is_interrupted: bool,
}

/// Where the loop stands.
#[derive(Debug, Clone, PartialEq)]
enum Phase {
    /// Between turns.
    Idle,
    /// The driver was asked for mail.
    Listening(Then),
    /// The model was asked.
    Thinking(Turn),
    /// Tools run.
    Acting(Acting),
    /// The model was asked for a summary.
    Compacting(Compacting),
    /// The driver was asked for something to do.
    Seeking,
    /// The loop is over.
    Retired,
}

/// What comes after listening.
#[derive(Debug, Clone, PartialEq)]
enum Then {
    /// Rest, unless the mail wants an answer.
    Rest,
    /// Ask the model in any case.
    Ask(Turn),
    /// Take the mail and rest: the person interrupted.
    Yield,
}

impl Agent {
    /// A member as its transcript left it. Nothing happens before [`Input::Begin`].
    pub fn new(
        incarnation: Incarnation,
        classes: Arc<Classes>,
        limits: Limits,
        conversation: Conversation,
    ) -> Self {
        Self {
            incarnation,
            limits,
            classes,
            conversation,
            phase: Phase::Idle,
            leaving: None,
            rang: false,
            cached: 0,
            wish: None,
            fruitless: 0,
            is_interrupted: false,
        }
    }

    /// The conversation that requests are made of.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// How many messages of the conversation the previous request had; 0 before the first.
    pub fn cached(&self) -> usize {
        self.cached
    }

    /// Whether it is between turns.
    pub fn is_idle(&self) -> bool {
        self.phase == Phase::Idle
    }

    /// Whether an interrupt ended the last turn, which can be taken back.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// Takes what happened, gives what to do.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        let phase = std::mem::replace(&mut self.phase, Phase::Retired);
        self.phase = match self.next(phase, input, &mut out) {
            Phase::Idle if self.leaving.is_some() => phases::retire(&mut out),
            next => next,
        };
        out
    }

    fn rest(&mut self, why: RestReason, out: &mut Vec<Effect>) -> Phase {
        self.wish = None;
        self.is_interrupted = why == RestReason::Interrupted;
        let turn = self.conversation.length();
        self.record(Entry::Rested(why.clone()), out);
        out.push(Effect::Rest(Resting::Cut { turn, why }));
        self.settle_down(out)
    }

    fn settle_down(&mut self, out: &mut Vec<Effect>) -> Phase {
        if self.rang {
            self.listen(Then::Rest, out)
        } else {
            self.settle_wish(out)
        }
    }

    fn record(&mut self, entry: Entry, out: &mut Vec<Effect>) {
        self.conversation.push(&entry);
        out.push(Effect::Record(entry));
    }
}

#[cfg(test)]
mod tests;
