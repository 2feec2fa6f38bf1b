//! The calls of one answer that are beyond what one answer may hold: refused at once, without running anything.

use super::{Agent, AgentState, Effect, Turn, call_batch::CallBatch};
use crate::{
    model::CALLS_MAX,
    tool::{CallId, Outcome, ToolCall},
};

impl Agent {
    /// Runs the first [`CALLS_MAX`] calls of an answer and refuses the others. They are refused first, so that a member that
    /// continues after a crash does not take them up again.
    pub(super) fn run_calls(
        &mut self,
        turn: Turn,
        mut calls: Vec<ToolCall>,
        out: &mut Vec<Effect>,
    ) -> AgentState {
        for call in &mut calls {
            if let Some(tool) = self.tool_classes.meant(&call.name) {
                call.name = tool.to_owned();
            }
        }
        let all = calls.len();
        let surplus = calls.split_off(all.min(CALLS_MAX));
        if !surplus.is_empty() {
            out.push(Effect::Note(format!(
                "one answer asked for {all} tool calls; the first {CALLS_MAX} run, the other {} are refused",
                surplus.len()
            )));
            self.record_outcomes(refused(surplus, all), out);
        }
        self.run_tools(CallBatch::of(turn, calls), out)
    }
}

/// Every call needs an outcome. Only the first outcome explains, because there may be thousands.
fn refused(calls: Vec<ToolCall>, all: usize) -> Vec<(CallId, Outcome)> {
    let ids = calls.into_iter().map(|call| call.id);
    let outcomes = ids.enumerate().map(|(at, id)| {
        let text = match at {
            0 => format!(
                "Not run: one answer may hold {CALLS_MAX} calls, and this one had {all}. This call and the calls after it were refused; make them in later answers if still needed."
            ),
            _ => format!("Not run: beyond the {CALLS_MAX} calls of one answer."),
        };
        (id, Outcome::error(text))
    });
    outcomes.collect()
}
