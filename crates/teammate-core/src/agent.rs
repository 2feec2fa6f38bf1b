//! The agent machine: one member's loop as a pure function from inputs to effects.
//!
//! [`Agent::step`] takes an [`Input`] and gives [`Effect`]s, which the driver carries out in order. The machine never
//! waits, reads no clock and touches no disk. Mail that comes while it is busy is heard before the next model call.

mod begin;
mod call_batch;
mod compacting;
mod effect;
mod ending;
mod handing_over;
mod input;
mod mail;
mod repeats;
mod round;
mod states;
mod surplus;
mod tool_classes;
mod turn;

use std::sync::Arc;

pub use compacting::ContextWindow;
pub use effect::{Effect, TurnEnd};
pub use handing_over::HandingOver;
pub use input::{Input, Leave, Memory, SpawnPrompt, Unfinished};
pub use tool_classes::{Looking, Reserved, ToolClasses};

use crate::{
    Incarnation,
    agent::{call_batch::CallBatch, compacting::CompactionRun, ending::EndingTurn, turn::Turn},
    transcript::{Conversation, EndReason, Entry},
};

/// Limits of a turn, of what is sent in it, and of loops. For loops, 0 means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Limits {
    /// The most model calls in one turn.
    pub rounds_max: u32,
    /// The window of the member's model.
    pub context: ContextWindow,
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
            context: ContextWindow::default(),
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
    tool_classes: Arc<ToolClasses>,
    conversation: Conversation,
    state: AgentState,
    /// The loop ends before the next model call.
    leaving: Option<Leave>,
    /// The doorbell rang while there was no ear for it.
    rang: bool,
    /// How many messages the last request had.
    cached: usize,
    /// The prompt cache is gone.
    is_cold: bool,
    /// A requested summary, for the next possible moment, with its focus.
    wish: Option<Option<String>>,
    /// Summaries in a row after which the context was as full as before. A new turn does not help against that.
    failed_compactions: u32,
    /// The last interrupt ended a turn, and none has begun since.
    is_interrupted: bool,
    /// Somebody is asked before a turn ends.
    asks_to_end: bool,
}

/// The state of the loop.
#[derive(Debug, Clone, PartialEq)]
enum AgentState {
    /// Between turns.
    Idle,
    /// The driver was asked for mail.
    Listening(AfterListening),
    CallingModel(Turn),
    RunningTools(CallBatch),
    /// The model was asked for a summary.
    Compacting(CompactionRun),
    /// The driver was asked whether the turn may end.
    Ending(EndingTurn),
    /// The driver was asked for something to do.
    FindingTask,
    /// The loop is over.
    Exited,
}

/// The step after listening.
#[derive(Debug, Clone, PartialEq)]
enum AfterListening {
    /// Rest, unless the mail wants an answer.
    EndTurn,
    /// Ask the model in any case.
    CallModel(Turn),
    /// Take the mail and rest: the user interrupted.
    StayIdle,
}

impl Agent {
    /// A member as its transcript left it. Nothing happens before [`Input::Begin`].
    pub fn new(
        incarnation: Incarnation,
        classes: Arc<ToolClasses>,
        limits: Limits,
        conversation: Conversation,
    ) -> Self {
        Self {
            incarnation,
            limits,
            tool_classes: classes,
            conversation,
            state: AgentState::Idle,
            leaving: None,
            rang: false,
            cached: 0,
            is_cold: false,
            wish: None,
            failed_compactions: 0,
            is_interrupted: false,
            asks_to_end: false,
        }
    }

    /// Somebody is asked before a turn ends with an answer, or nobody. Holds from the next answer on.
    pub fn ask_to_end(&mut self, asks: bool) {
        self.asks_to_end = asks;
    }

    /// The conversation that requests are made of.
    pub fn conversation(&self) -> &Conversation {
        &self.conversation
    }

    /// How many messages of the conversation the previous request had; 0 before the first.
    pub fn cached(&self) -> usize {
        self.cached
    }

    /// Whether calls of its last answer run, or wait for those that do.
    pub fn is_running_calls(&self) -> bool {
        matches!(self.state, AgentState::RunningTools(_))
    }

    /// Whether calls of its last answer have not begun.
    pub fn has_calls_waiting(&self) -> bool {
        matches!(&self.state, AgentState::RunningTools(batch) if batch.has_waiting())
    }

    /// Whether it is between turns.
    pub fn is_idle(&self) -> bool {
        self.state == AgentState::Idle
    }

    /// Whether an interrupt ended the last turn, which can be taken back.
    pub fn is_interrupted(&self) -> bool {
        self.is_interrupted
    }

    /// Takes what happened, gives what to do.
    pub fn step(&mut self, input: Input) -> Vec<Effect> {
        let mut out = Vec::new();
        let phase = std::mem::replace(&mut self.state, AgentState::Exited);
        self.state = match self.next(phase, input, &mut out) {
            AgentState::Idle if self.leaving.is_some() => states::exit(&mut out),
            next => next,
        };
        out
    }

    fn end_turn(&mut self, why: EndReason, out: &mut Vec<Effect>) -> AgentState {
        self.wish = None;
        self.is_interrupted = why == EndReason::Interrupted;
        let turn = self.conversation.length();
        self.record(Entry::TurnEnded(why.clone()), out);
        out.push(Effect::EndTurn(TurnEnd::Ended { turn, why }));
        self.after_turn(out)
    }

    fn after_turn(&mut self, out: &mut Vec<Effect>) -> AgentState {
        if self.rang {
            self.listen(AfterListening::EndTurn, out)
        } else {
            self.run_requested(out)
        }
    }

    fn record(&mut self, entry: Entry, out: &mut Vec<Effect>) {
        self.conversation.push(&entry);
        out.push(Effect::Record(entry));
    }
}

#[cfg(test)]
mod tests;
