//! The calls of one answer: which wait, which run, which have an outcome. Neighbours that only look run side by side, and so do
//! subagents; everything else one by one, in the order in which the model wrote it. So a call that looks sees what the calls
//! before it changed, and nothing of what those after it change.

use std::collections::VecDeque;

use super::{Effect, ToolClasses, Turn, repeats};
use crate::tool::{CallId, EffectClass, Outcome, ToolCall};

/// How many programs that only look run side by side.
const PROGRAMS_MAX: usize = 16;

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
    /// A hash of the tool and its arguments.
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

    /// Whether calls have not begun.
    pub(super) fn has_waiting(&self) -> bool {
        !self.waiting.is_empty()
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

    /// Declines the calls that have not begun: the member has agreed to shut down.
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
        let group = match class {
            EffectClass::Delegates => self.delegating(first, classes),
            EffectClass::Reads
            | EffectClass::Writes
            | EffectClass::Executes
            | EffectClass::Calls
            | EffectClass::Team => self.looking(first, classes),
        };
        self.in_flight = group
            .iter()
            .map(|call| RunningCall::of(call, None))
            .collect();
        out.push(Effect::RunTools(group));
        true
    }

    /// A call that delegates, and its neighbours that do.
    fn delegating(&mut self, first: ToolCall, classes: &ToolClasses) -> Vec<ToolCall> {
        let mut group = vec![first];
        let delegates =
            |next: &mut ToolCall| classes.get(&next.name) == Some(EffectClass::Delegates);
        while let Some(next) = self.waiting.pop_front_if(delegates) {
            group.push(next);
        }
        group
    }

    /// A call, and if it only looks its neighbours that do. To know that of a command, it is parsed: once for each.
    fn looking(&mut self, first: ToolCall, classes: &ToolClasses) -> Vec<ToolCall> {
        if self.waiting.is_empty() || !classes.only_looks(&first) {
            return vec![first];
        }
        let program =
            |call: &ToolCall| usize::from(classes.get(&call.name) != Some(EffectClass::Reads));
        let mut programs = program(&first);
        let mut group = vec![first];
        while programs < PROGRAMS_MAX
            && let Some(next) = self.waiting.pop_front_if(|next| classes.only_looks(next))
        {
            programs += program(&next);
            group.push(next);
        }
        group
    }
}

/// Outcomes of calls that a member wanted in the answer in which it agreed to shut down.
pub(super) fn declined(calls: impl IntoIterator<Item = ToolCall>) -> Vec<(CallId, Outcome)> {
    let text =
        "Not run: you have agreed to shut down, so the later calls of that answer do not run.";
    let calls = calls.into_iter();
    calls.map(|call| (call.id, Outcome::error(text))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        agent::Looking,
        tool::{ToolInput, ToolNames},
    };

    fn of(command: &str) -> ToolInput {
        ToolInput::from_json(format!("{{\"command\":\"{command}\"}}"))
    }

    #[test]
    fn neighbours_that_only_look_run_together() {
        let tools = [
            ("bash", EffectClass::Executes),
            ("read", EffectClass::Reads),
            ("edit", EffectClass::Writes),
            ("explore", EffectClass::Delegates),
        ];
        let looking = Looking::new(|input| *input == of("cat"));
        let classes =
            ToolClasses::new(tools, ToolNames::default()).with_looking([("bash".into(), looking)]);
        let groups = |calls: &str| -> Vec<usize> {
            let calls = calls.split(' ').enumerate().map(|(nth, call)| {
                let (name, input) = call.split_once(':').unwrap_or((call, ""));
                ToolCall {
                    id: CallId::new(nth.to_string()),
                    name: name.to_owned(),
                    input: of(input),
                }
            });
            let mut batch = CallBatch::of(Turn::default(), calls.collect());
            let mut sizes = Vec::new();
            let mut out = Vec::new();
            while batch.start_next(&classes, &mut out) {
                sizes.push(batch.in_flight.len());
            }
            sizes
        };
        assert_eq!(groups("bash:cat read bash:cat"), [3]);
        assert_eq!(groups("bash:cat bash:rm bash:cat bash:cat"), [1, 1, 2]);
        assert_eq!(groups("bash:rm bash:rm read edit read"), [1, 1, 1, 1, 1]);
        assert_eq!(groups("explore explore read explore"), [2, 1, 1]);
        assert_eq!(groups(&["read"; 20].join(" ")), [20]);
        assert_eq!(groups(&["bash:cat"; 20].join(" ")), [16, 4]);
    }
}
