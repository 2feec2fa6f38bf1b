//! How a turn ends that has an answer: at once, or after a question whether it may. Those who are asked can hold it back a few
//! times; an interrupt and the end of the loop do not wait for the word. An answer that seems to call a tool in its text is
//! held back once by itself.

use super::{AfterListening, Agent, AgentState, Effect, Turn, TurnEnd};
use crate::{transcript::Entry, written_call::seems_to_call};

/// For a model that has written a call into its text.
const WRITTEN_CALL: &str = "Your last answer has what looks like a call of a tool as text. Nothing of it was run: only calls that are \
    made as calls of tools are. If you meant to call it, call it now; otherwise answer again without it.";

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
        mut turn: Turn,
        number: u64,
        result: String,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        let is_tool = |name: &str| self.tool_classes.get(name).is_some();
        if self.leaving.is_none() && !turn.told_of_text && seems_to_call(&result, is_tool) {
            turn.told_of_text = true;
            out.push(Effect::Note(
                "the answer has what looks like a call of a tool as text; it was not run, and the model is asked to make it as a \
                 call. If that happens often, its server does not read the calls of its template"
                    .to_owned(),
            ));
            self.record(Entry::Prompted(WRITTEN_CALL.to_owned()), out);
            return self.listen(AfterListening::CallModel(turn), out);
        }
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
