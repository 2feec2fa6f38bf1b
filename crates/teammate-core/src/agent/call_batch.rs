//! The calls of one answer: which wait, which run, which have an outcome. Readers run side by side, and so do subagents; everything else
//! one by one, in the order in which the model wrote it.

use std::collections::VecDeque;

use super::{Effect, ToolClasses, Turn, repeats};
use crate::tool::{CallId, EffectClass, Outcome, ToolCall};

/// The calls of one answer.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct CallBatch {
    pub(super) turn: Turn,
    waiting: VecDeque<ToolCall>,
    in_flight: Vec<RunningCall>,
}

#[derive(Debug, Clone, PartialEq)]
struct RunningCall {
    id: CallId,
    tool: String,
    /// What is called with what.
    call: u64,
    outcome: Option<Outcome>,
}

impl RunningCall {
    fn of(call: &ToolCall, outcome: Option<Outcome>) -> Self {
        Self {
            id: call.id.clone(),
            tool: call.name.clone(),
            call: repeats::of_call(call),
            outcome,
        }
    }
}

impl CallBatch {
    pub(super) fn of(turn: Turn, calls: Vec<ToolCall>) -> Self {
        Self {
            turn,
            waiting: calls.into(),
            in_flight: Vec::new(),
        }
    }

    /// Whether something has no outcome yet.
    pub(super) fn is_running(&self) -> bool {
        self.in_flight.iter().any(|call| call.outcome.is_none())
    }

    /// Takes an outcome; false if nothing waits for it.
    pub(super) fn finish(&mut self, id: &CallId, outcome: Outcome) -> bool {
        let slot = self
            .in_flight
            .iter_mut()
            .find(|call| call.id == *id && call.outcome.is_none());
        slot.map(|call| call.outcome = Some(outcome)).is_some()
    }

    /// The outcomes of the group that has just ended, in the order of its calls. The same may fail `repeats_max` times in a
    /// row.
    pub(super) fn collect(&mut self, repeats_max: u32) -> Vec<(CallId, Outcome)> {
        let repeats = &mut self.turn.repeats;
        let ended = self.in_flight.drain(..).filter_map(|running| {
            let mut outcome = running.outcome?;
            repeats.take(&running.tool, running.call, &mut outcome, repeats_max);
            Some((running.id, outcome))
        });
        ended.collect()
    }

    /// What has not begun does not run: the member has agreed to shut down.
    pub(super) fn decline(&mut self) -> Vec<(CallId, Outcome)> {
        declined(self.waiting.drain(..))
    }

    /// Everything that has no outcome is given up.
    pub(super) fn abandon(self, why: &str) -> Vec<(CallId, Outcome)> {
        let running = self.in_flight.into_iter().map(|call| {
            let outcome = call
                .outcome
                .unwrap_or_else(|| Outcome::error(format!("Cancelled: {why}.")));
            (call.id, outcome)
        });
        let waiting = self.waiting.into_iter().map(|call| {
            (
                call.id,
                Outcome::error("Not run: an earlier call of the same answer was interrupted."),
            )
        });
        running.chain(waiting).collect()
    }

    /// Starts the next group. An unknown tool is answered on the spot. False if nothing is left.
    pub(super) fn start_next(&mut self, classes: &ToolClasses, out: &mut Vec<Effect>) -> bool {
        let Some(first) = self.waiting.pop_front() else {
            return false;
        };
        let Some(class) = classes.get(&first.name) else {
            let outcome = Some(Outcome::error(classes.refusal(&first.name)));
            self.in_flight.push(RunningCall::of(&first, outcome));
            return true;
        };
        let mut group = vec![first];
        if matches!(class, EffectClass::Reads | EffectClass::Delegates) {
            while let Some(next) = self.waiting.front()
                && classes.get(&next.name) == Some(class)
            {
                group.extend(self.waiting.pop_front());
            }
        }
        self.in_flight = group
            .iter()
            .map(|call| RunningCall::of(call, None))
            .collect();
        out.push(Effect::RunTools(group));
        true
    }
}

/// Outcomes of calls that a member wanted in the answer in which it agreed to shut down.
pub(super) fn declined(calls: impl IntoIterator<Item = ToolCall>) -> Vec<(CallId, Outcome)> {
    let text =
        "Not run: you have agreed to shut down, so the later calls of that answer do not run.";
    let calls = calls.into_iter();
    calls.map(|call| (call.id, Outcome::error(text))).collect()
}
