//! One round: ask the model, take its answer, run its calls.

use super::{
    Agent, Effect, Leave, Phase, Resting, Then, Turn, acting::Acting, compacting::Due, phases,
    turn::CUTS_MAX,
};
use crate::{
    model::{ModelFailure, Remedy, Reply, Stop},
    tool::{CallId, Outcome},
    transcript::{Entry, RestReason},
};

const CONTINUE: &str = "Your answer was cut at the output limit. Go on exactly where it stopped.";

impl Agent {
    pub(super) fn ask(&mut self, mut turn: Turn, out: &mut Vec<Effect>) -> Phase {
        if self.leaving.is_some() {
            return phases::retire(out);
        }
        if turn.round >= self.limits.rounds_max {
            let what = format!(
                "stopped after {} model calls in one turn, the limit; say 'continue' to go on, or raise max_rounds",
                turn.round
            );
            return self.rest(RestReason::Limit { what }, out);
        }
        if let Some(what) = turn.repeats.limit() {
            return self.rest(RestReason::Limit { what }, out);
        }
        match self.due(&mut turn) {
            Some(due) => self.make_room(due, turn, out),
            None => self.call(turn, out),
        }
    }

    pub(super) fn call(&mut self, mut turn: Turn, out: &mut Vec<Effect>) -> Phase {
        // A crash may have come between an answer that was cut and the word to go on.
        if self.conversation.ends_cut() {
            self.record(Entry::Prompted(CONTINUE.to_owned()), out);
        }
        self.is_interrupted = false;
        turn.round += 1;
        out.push(Effect::CallModel { round: turn.round });
        Phase::Thinking(turn)
    }

    /// To be called when a request was built of all messages.
    pub fn was_sent(&mut self) {
        self.cached = self.conversation.messages().len();
    }

    pub(super) fn answered(
        &mut self,
        mut turn: Turn,
        reply: Reply,
        out: &mut Vec<Effect>,
    ) -> Phase {
        let number = self.conversation.length();
        let (calls, stop, result) = (reply.calls(), reply.stop.clone(), reply.text());
        self.record(Entry::Answered(reply), out);
        if stop == Stop::ContextFull {
            turn.is_overflowing = true;
        } else if !self.is_full() {
            self.fruitless = 0;
        }
        turn.cuts = if stop == Stop::MaxTokens {
            turn.cuts + 1
        } else {
            0
        };
        if turn.cuts > CUTS_MAX {
            self.close(
                calls.into_iter().map(|call| (call.id, cut())).collect(),
                out,
            );
            let what = "the answers kept reaching the output limit; raise max_tokens or ask for smaller steps";
            return self.rest(
                RestReason::Limit {
                    what: what.to_owned(),
                },
                out,
            );
        }
        match stop {
            Stop::MaxTokens | Stop::ContextFull if calls.is_empty() => {
                self.record(Entry::Prompted(CONTINUE.to_owned()), out);
                self.listen(Then::Ask(turn), out)
            }
            Stop::MaxTokens | Stop::ContextFull => {
                self.close(
                    calls.into_iter().map(|call| (call.id, cut())).collect(),
                    out,
                );
                self.listen(Then::Ask(turn), out)
            }
            _ if !calls.is_empty() => self.run_calls(turn, calls, out),
            Stop::Pause => self.listen(Then::Ask(turn), out),
            Stop::Refusal => self.fail("the model declined to answer", out),
            Stop::EndTurn | Stop::ToolUse | Stop::Other(_) => {
                let done = Resting::Done {
                    turn: number,
                    result,
                };
                out.push(Effect::Rest(done));
                self.listen(Then::Rest, out)
            }
        }
    }

    pub(super) fn model_failed(
        &mut self,
        turn: Turn,
        failure: &ModelFailure,
        out: &mut Vec<Effect>,
    ) -> Phase {
        match failure.remedy {
            Remedy::Shorten => self.make_room(Due::Overflow, turn, out),
            Remedy::Retry { .. } | Remedy::Never => self.fail(&failure.what, out),
        }
    }

    /// The question stays open: a [`Resting::Paused`] turn goes on where it is.
    pub(super) fn limited(&mut self, what: String, out: &mut Vec<Effect>) -> Phase {
        let turn = self.conversation.length();
        out.push(Effect::Rest(Resting::Paused { turn, what }));
        self.settle_down(out)
    }

    pub(super) fn fail(&mut self, what: &str, out: &mut Vec<Effect>) -> Phase {
        self.rest(
            RestReason::Failed {
                what: what.to_owned(),
            },
            out,
        )
    }

    /// Starts what can start; when everything is answered, the model's turn comes again.
    pub(super) fn act(&mut self, mut acting: Acting, out: &mut Vec<Effect>) -> Phase {
        loop {
            if acting.is_running() {
                return Phase::Acting(acting);
            }
            self.close(acting.collect(self.limits.repeats_max), out);
            match self.leaving {
                Some(Leave::Shutdown) => self.close(acting.decline(), out),
                Some(Leave::Pause) | None => {}
            }
            if !acting.start_next(&self.classes, out) {
                return self.listen(Then::Ask(acting.turn), out);
            }
        }
    }

    /// Records outcomes; none, none.
    pub(super) fn close(&mut self, outcomes: Vec<(CallId, Outcome)>, out: &mut Vec<Effect>) {
        if !outcomes.is_empty() {
            self.record(Entry::Done(outcomes), out);
        }
    }
}

fn cut() -> Outcome {
    Outcome::error(
        "Not run: the answer was cut at the output limit before the call was complete. Make smaller calls.",
    )
}
