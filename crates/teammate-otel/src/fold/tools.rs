//! A member's calls of tools, and its subagents, which such calls make.

use teammate_core::{
    Timestamp,
    event::{Event, EventKind},
};

use super::{
    FoldParts,
    member::{MemberTrace, OpenTurn},
    words::cut,
};
use crate::{
    metrics::Instrument,
    names::{attribute, error, operation},
    span::{OpenSpan, SpanId, SpanSide},
};

/// How many calls of a turn may run at once; more have no span.
const CALLS_MAX: usize = 1_000;

impl MemberTrace {
    /// A call of a tool began.
    pub(super) fn start_tool(&mut self, shared: &mut FoldParts, event: &Event) {
        let EventKind::ToolStarted {
            call, tool, input, ..
        } = &event.what
        else {
            return;
        };
        let turn = self.turn(shared, event);
        let name = format!("{} {tool}", operation::EXECUTE_TOOL);
        let parent = turn.parent_of(call.as_str());
        let open = shared.begin(parent, name, SpanSide::Internal, event.at);
        let mut open = shared
            .of_member(open, &event.member, operation::EXECUTE_TOOL)
            .with(attribute::TOOL_NAME, tool.as_str())
            .with(attribute::TOOL_CALL_ID, call.as_str())
            .with(attribute::TOOL_TYPE, "function");
        let input = input.as_deref().and_then(|text| shared.said(|| cut(text)));
        if let Some(text) = input {
            open.set(attribute::TOOL_ARGUMENTS, text);
        }
        if turn.tools.len() < CALLS_MAX {
            turn.tools.insert(call.clone(), open);
            turn.begun.push(call.clone());
        }
    }

    /// A person is asked about the call that began last: its time is not the call's until they have answered.
    pub(super) fn ask_person(&mut self, question: u64, at: Timestamp) {
        let Some(turn) = &mut self.turn else { return };
        if let Some(call) = turn.begun.last() {
            turn.asked.insert(question, (call.clone(), at));
        }
    }

    /// They have.
    pub(super) fn person_answered(&mut self, question: u64, at: Timestamp) {
        let Some(turn) = &mut self.turn else { return };
        if let Some((call, since)) = turn.asked.remove(&question) {
            let waited = turn.waited.entry(call).or_default();
            *waited = waited.saturating_add(at.0.saturating_sub(since.0));
        }
    }

    pub(super) fn finish_tool(&mut self, shared: &mut FoldParts, event: &Event) {
        let EventKind::ToolFinished {
            call,
            tool,
            ok,
            summary,
            output,
            refused,
            ..
        } = &event.what
        else {
            return;
        };
        let turn = self.turn.as_mut();
        let Some(turn) = turn else { return };
        turn.begun.retain(|begun| begun != call);
        let waited = turn.waited.remove(call).unwrap_or(0);
        let Some(mut open) = turn.tools.remove(call) else {
            return;
        };
        if waited > 0 {
            open.set(attribute::TOOL_WAITED, waited);
        }
        let result = output.as_ref().map_or(summary, |output| &output.head);
        if let Some(text) = shared.said(|| cut(result)) {
            open.set(attribute::TOOL_RESULT, text);
        }
        let error = match refused {
            Some(_) => Some(error::REFUSED),
            None => (!ok).then_some(error::TOOL),
        };
        let mut labels = vec![
            (attribute::TOOL_NAME, tool.clone()),
            (attribute::AGENT_NAME, event.member.to_string()),
        ];
        labels.extend(error.map(|error| (attribute::ERROR_TYPE, error.to_owned())));
        let took = open.seconds(Timestamp(event.at.0.saturating_sub(waited)));
        shared
            .metrics
            .record(Instrument::ToolDuration, labels, took);
        shared.end(open, event.at, error);
    }

    pub(super) fn start_subagent(&mut self, shared: &mut FoldParts, event: &Event) {
        let EventKind::SubagentStarted { call, kind, .. } = &event.what else {
            return;
        };
        let turn = self.turn(shared, event);
        let parent = turn.parent_of(last_part(call));
        let name = format!("{} {kind}", operation::INVOKE_AGENT);
        let open = shared
            .begin(parent, name, SpanSide::Internal, event.at)
            .with(attribute::OPERATION, operation::INVOKE_AGENT)
            .with(attribute::AGENT_NAME, kind.as_str());
        if turn.subagents.len() < CALLS_MAX {
            turn.subagents.insert(call.clone(), open);
        }
    }

    pub(super) fn end_subagent(&mut self, shared: &mut FoldParts, event: &Event) {
        let EventKind::SubagentEnded { call, ok, .. } = &event.what else {
            return;
        };
        let turn = self.turn.as_mut();
        if let Some(open) = turn.and_then(|turn| turn.subagents.remove(call)) {
            shared.end(open, event.at, (!ok).then_some(error::TOOL));
        }
    }
}

impl OpenTurn {
    /// The span that a call is a part of: the subagent that makes it, the call that makes the subagent, or the turn. The
    /// calls of a subagent have its own call before theirs.
    fn parent_of(&self, call: &str) -> SpanId {
        let tools = self.tools.iter().map(|(id, open)| (id.as_str(), open));
        let subagents = self.subagents.iter().map(|(id, open)| (id.as_str(), open));
        let within = |(id, open): (&str, &OpenSpan)| {
            let is_part = call == id || call.strip_prefix(id)?.starts_with('/');
            is_part.then(|| (id.len(), open.id()))
        };
        let nearest = tools.chain(subagents).filter_map(within);
        nearest
            .max_by_key(|(length, _)| *length)
            .map_or(self.open.id(), |(_, id)| id)
    }
}

/// The call itself, of one that names where it was made.
fn last_part(call: &str) -> &str {
    call.rsplit_once('/').map_or(call, |(_, last)| last)
}
