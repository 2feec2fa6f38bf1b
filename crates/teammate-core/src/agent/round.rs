//! One round: ask the model, take its answer, run its calls.

use super::{
    AfterListening, Agent, AgentState, Effect, Leave, Turn, TurnEnd, call_batch::CallBatch,
    compacting::DueCompaction, states, turn::TRUNCATIONS_MAX,
};
use crate::{
    model::{ModelFailure, Remedy, Reply, StopReason},
    tool::{CallId, Outcome, ToolCall},
    transcript::{EndReason, Entry},
};

const CONTINUE_PROMPT: &str =
    "Your answer was cut at the output limit. Continue exactly where it stopped.";

/// From so many bytes of pictures and documents on, an entry takes no more of them: a store keeps an entry on one line.
const ENTRY_MEDIA_BYTES_MAX: usize = 16 * 1024 * 1024;

impl Agent {
    pub(super) fn next_round(&mut self, mut turn: Turn, out: &mut Vec<Effect>) -> AgentState {
        if self.leaving.is_some() {
            return states::exit(out);
        }
        if turn.round >= self.limits.rounds_max {
            let what = format!(
                "stopped after {} model calls in one turn, the limit; say 'continue' to go on, or raise max_rounds",
                turn.round
            );
            return self.end_turn(EndReason::Limit { what }, out);
        }
        if let Some(what) = turn.repeats.limit() {
            return self.end_turn(EndReason::Limit { what }, out);
        }
        self.drop_surplus_media(out);
        match self.compaction_due(&mut turn) {
            Some(due) => self.compact(due, turn, out),
            None => self.call_model(turn, out),
        }
    }

    pub(super) fn call_model(&mut self, mut turn: Turn, out: &mut Vec<Effect>) -> AgentState {
        // A crash may have come between an answer that was cut and the text that asks to continue.
        if self.conversation.ends_unfinished() {
            self.record(Entry::Prompted(CONTINUE_PROMPT.to_owned()), out);
        }
        self.is_interrupted = false;
        turn.round += 1;
        out.push(Effect::CallModel { round: turn.round });
        AgentState::CallingModel(turn)
    }

    /// To be called when a request was built of all messages.
    pub fn mark_sent(&mut self) {
        self.cached = self.conversation.messages().len();
    }

    pub(super) fn on_reply(
        &mut self,
        mut turn: Turn,
        reply: Reply,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        let number = self.conversation.length();
        let (calls, stop, result) = (reply.calls(), reply.stop.clone(), reply.text());
        self.record(Entry::Answered(reply), out);
        if stop == StopReason::ContextFull {
            turn.is_overflowing = true;
        } else if !self.is_full() {
            self.failed_compactions = 0;
        }
        turn.truncations = if stop == StopReason::MaxTokens {
            turn.truncations + 1
        } else {
            0
        };
        if turn.truncations > TRUNCATIONS_MAX {
            self.record_truncated(calls, out);
            let what = "the answers kept reaching the output limit; raise max_tokens or ask for smaller steps";
            return self.end_turn(
                EndReason::Limit {
                    what: what.to_owned(),
                },
                out,
            );
        }
        match stop {
            StopReason::MaxTokens | StopReason::ContextFull if calls.is_empty() => {
                self.record(Entry::Prompted(CONTINUE_PROMPT.to_owned()), out);
                self.listen(AfterListening::CallModel(turn), out)
            }
            StopReason::MaxTokens | StopReason::ContextFull => {
                self.record_truncated(calls, out);
                self.listen(AfterListening::CallModel(turn), out)
            }
            _ if !calls.is_empty() => self.run_calls(turn, calls, out),
            StopReason::Pause => self.listen(AfterListening::CallModel(turn), out),
            StopReason::Refusal => self.fail("the model declined to answer", out),
            StopReason::EndTurn | StopReason::ToolUse | StopReason::Other(_) => {
                self.end_or_ask(turn, number, result, out)
            }
        }
    }

    pub(super) fn model_failed(
        &mut self,
        turn: Turn,
        failure: &ModelFailure,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        match failure.remedy {
            Remedy::Shorten => self.compact(DueCompaction::Overflow, turn, out),
            Remedy::Retry { .. } | Remedy::SlowDown { .. } | Remedy::Never => {
                self.fail(&failure.what, out)
            }
        }
    }

    /// The question stays open: a [`TurnEnd::OutOfBudget`] turn continues where it is.
    pub(super) fn on_out_of_budget(&mut self, what: String, out: &mut Vec<Effect>) -> AgentState {
        let turn = self.conversation.length();
        out.push(Effect::EndTurn(TurnEnd::OutOfBudget { turn, what }));
        self.after_turn(out)
    }

    pub(super) fn fail(&mut self, what: &str, out: &mut Vec<Effect>) -> AgentState {
        self.end_turn(
            EndReason::Failed {
                what: what.to_owned(),
            },
            out,
        )
    }

    /// Starts what can start; when everything is answered, the model's turn comes again.
    pub(super) fn run_tools(&mut self, mut acting: CallBatch, out: &mut Vec<Effect>) -> AgentState {
        loop {
            if acting.is_running() {
                return AgentState::RunningTools(acting);
            }
            self.record_outcomes(acting.collect(self.limits.repeats_max), out);
            match self.leaving {
                Some(Leave::Shutdown) => self.record_outcomes(acting.decline(), out),
                Some(Leave::Pause) | None => {}
            }
            if !acting.start_next(&self.tool_classes, out) {
                return self.listen(AfterListening::CallModel(acting.turn), out);
            }
        }
    }

    /// Records outcomes; none, none. Many large ones are more than one entry.
    pub(super) fn record_outcomes(
        &mut self,
        outcomes: Vec<(CallId, Outcome)>,
        out: &mut Vec<Effect>,
    ) {
        let bytes = |(_, outcome): &(CallId, Outcome)| outcome.base64_bytes();
        for part in in_parts(outcomes, bytes) {
            self.record(Entry::ToolOutcomes(part), out);
        }
    }

    /// None of the calls in an answer that was cut runs.
    fn record_truncated(&mut self, calls: Vec<ToolCall>, out: &mut Vec<Effect>) {
        let not_run = || {
            Outcome::error(
                "Not run: the answer was cut at the output limit before the call was complete. Make smaller calls.",
            )
        };
        let outcomes = calls.into_iter().map(|call| (call.id, not_run()));
        self.record_outcomes(outcomes.collect(), out);
    }
}

/// Splits a list in order, into parts of about [`ENTRY_MEDIA_BYTES_MAX`] bytes of pictures and documents each.
pub(super) fn in_parts<T>(all: Vec<T>, media_bytes: impl Fn(&T) -> usize) -> Vec<Vec<T>> {
    let (mut parts, mut bytes) = (Vec::<Vec<T>>::new(), 0);
    for one in all {
        let more = media_bytes(&one);
        match parts.last_mut() {
            Some(last) if bytes + more <= ENTRY_MEDIA_BYTES_MAX => {
                bytes += more;
                last.push(one);
            }
            Some(_) | None => {
                bytes = more;
                parts.push(vec![one]);
            }
        }
    }
    parts
}
