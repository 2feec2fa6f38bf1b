//! How a turn ends that has an answer: at once, or after a question whether it may. Those who are asked can hold it back a few
//! times; an interrupt and the end of the loop do not wait for the word.

use super::{AfterListening, Agent, AgentState, Effect, Turn, TurnEnd};
use crate::transcript::Entry;

/// How often one turn may be held back.
const HELD_BACK_MAX: u32 = 10;

/// A turn whose answer is recorded.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct EndingTurn {
    turn: Turn,
    number: u64,
    result: String,
}

impl EndingTurn {
    /// How it ends if nothing holds it back.
    pub(super) fn done(self) -> TurnEnd {
        TurnEnd::Done {
            turn: self.number,
            result: self.result,
        }
    }
}

impl Agent {
    /// The answer that is entry `number` wants nothing more.
    pub(super) fn end_or_ask(
        &mut self,
        turn: Turn,
        number: u64,
        result: String,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        let held_back = turn.held_back;
        let ending = EndingTurn {
            turn,
            number,
            result,
        };
        // Nobody holds back a member that leaves.
        if !self.asks_to_end || self.leaving.is_some() {
            return self.end_done(ending, AfterListening::EndTurn, out);
        }
        if held_back >= HELD_BACK_MAX {
            out.push(Effect::Note(format!(
                "the turn ends, although hooks hold it back: they did so {held_back} times, the limit"
            )));
            return self.end_done(ending, AfterListening::EndTurn, out);
        }
        out.push(Effect::AskToEnd {
            result: ending.result.clone(),
            held_back,
        });
        AgentState::Ending(ending)
    }

    pub(super) fn on_may_end(
        &mut self,
        mut ending: EndingTurn,
        held: Option<String>,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        match held.filter(|_| self.leaving.is_none()) {
            Some(why) => {
                ending.turn.held_back += 1;
                self.record(Entry::Prompted(why), out);
                self.listen(AfterListening::CallModel(ending.turn), out)
            }
            None => self.end_done(ending, AfterListening::EndTurn, out),
        }
    }

    pub(super) fn end_done(
        &mut self,
        ending: EndingTurn,
        then: AfterListening,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        out.push(Effect::EndTurn(ending.done()));
        self.listen(then, out)
    }
}
