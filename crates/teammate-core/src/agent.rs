//! The agent machine: one member's loop as a pure function of what happened to what shall be done.
//!
//! [`Agent::step`] takes an [`Input`] and gives [`Effect`]s, which the driver carries out in order. The machine never
//! waits, reads no clock and touches no disk. One function per phase; mail that comes while a phase is busy is heard
//! before the next model call.

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

use std::sync::Arc;

pub use classes::{Classes, Reserved};
pub use compacting::Context;
pub use effect::{Effect, Resting};
pub use input::{Input, Unfinished};

use crate::{
    Incarnation,
    agent::{
        acting::Acting,
        compacting::{Compacting, Due},
        repeats::Repeats,
    },
    transcript::{Conversation, Entry, RestReason},
};

/// How often in a row an answer may be cut at its token limit before the turn ends.
const CUTS_MAX: u32 = 3;

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
    /// Model calls of this turn.
    round: u32,
    /// Answers in a row that were cut.
    cuts: u32,
    /// The doorbell rang while there was no ear for it.
    rang: bool,
    /// How many messages the last request had.
    cached: usize,
    /// Room that is to be made before the model is asked next.
    due: Option<Due>,
    /// What the member waits for, if it ends its turn after this round.
    pause: Option<String>,
    /// Summaries in a row after which the context was as full as before.
    fruitless: u32,
    repeats: Repeats,
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
    Thinking,
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
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Then {
    /// Rest, unless the mail wants an answer.
    Rest,
    /// Ask the model in any case.
    Ask,
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
            round: 0,
            cuts: 0,
            rang: false,
            cached: 0,
            due: None,
            pause: None,
            fruitless: 0,
            repeats: Repeats::default(),
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

    /// Takes what happened, gives what to do.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        let phase = std::mem::replace(&mut self.phase, Phase::Retired);
        self.phase = match phase {
            Phase::Idle => self.idle(input, &mut out),
            Phase::Listening(then) => self.listening(then, input, &mut out),
            Phase::Thinking => self.thinking(input, &mut out),
            Phase::Acting(acting) => self.acting(acting, input, &mut out),
            Phase::Compacting(compacting) => self.compacting(compacting, input, &mut out),
            Phase::Seeking => self.seeking(input, &mut out),
            Phase::Retired => Phase::Retired,
        };
        out
    }

    fn rest(&mut self, why: RestReason, out: &mut Vec<Effect>) -> Phase {
        self.repeats.clear();
        self.due = None;
        self.pause = None;
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
