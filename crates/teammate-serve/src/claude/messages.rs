//! Messages for the caller: of members' transcripts, which hold answers and outcomes whole, and of the events that say when to read them.
//!
//! What the lead says and does is the session's own; what a teammate or a subagent does has the id of the call that began it as its
//! parent, as subagents have there.

mod calls;
mod pieces;
mod words;

use std::collections::BTreeMap;

use serde_json::{Value, json};
use teammate::{
    Event, EventKind, MemberName, Passage, ReadUpTo, Timestamp,
    request::{Request, RequestKind},
};
use uuid::Uuid;

pub(crate) use self::words::{stop_word, usage};
use self::{calls::Calls, pieces::Pieces};
use crate::claude::session_id::ClaudeSession;

/// Turns what happens into messages, in its order.
#[derive(Debug)]
pub(crate) struct Messages {
    session: ClaudeSession,
    read: BTreeMap<MemberName, ReadUpTo>,
    calls: Calls,
    pieces: Option<Pieces>,
    /// What the lead did for the last thing that was said to it.
    pub(crate) lead: LeadsPart,
}

/// What the lead did for one thing that the caller said.
#[derive(Debug, Default)]
pub(crate) struct LeadsPart {
    /// Answers of its model.
    pub(crate) answers: u64,
    /// The last round of its turn.
    pub(crate) round: u32,
    /// How its last answer stopped.
    pub(crate) stop: Option<String>,
    /// How long its model took for all answers, in milliseconds.
    pub(crate) model_ms: u64,
    /// Calls that were refused.
    pub(crate) denied: Vec<Value>,
    asked: Option<Timestamp>,
}

impl Messages {
    /// For a session of a team that works in this directory.
    pub(crate) fn new(
        session: ClaudeSession,
        workspace: &std::path::Path,
        with_pieces: bool,
    ) -> Self {
        Self {
            session,
            read: BTreeMap::new(),
            calls: Calls::new(workspace),
            pieces: with_pieces.then(Pieces::default),
            lead: LeadsPart::default(),
        }
    }

    /// The caller says something else.
    pub(crate) fn begins(&mut self) {
        self.lead = LeadsPart::default();
    }

    /// How far the member's transcript was read.
    pub(crate) fn read_up_to(&self, member: &MemberName) -> ReadUpTo {
        self.read.get(member).cloned().unwrap_or_default()
    }

    /// The past is no news.
    pub(crate) fn skip_to(&mut self, member: &MemberName, up_to: ReadUpTo) {
        self.read.insert(member.clone(), up_to);
    }

    /// Whether the member's transcript has more by now than was read.
    pub(crate) fn is_to_read(event: &Event) -> bool {
        matches!(
            event.what,
            EventKind::ModelAsked { .. }
                | EventKind::ModelAnswered { .. }
                | EventKind::TurnEnded { .. }
        )
    }

    /// The messages for an event itself; maybe none.
    pub(crate) fn event(&mut self, event: &Event) -> Vec<Value> {
        let is_lead = event.member.is_lead();
        match &event.what {
            EventKind::ModelAsked { round, model, .. } if is_lead => {
                self.lead.round = *round;
                self.lead.asked = Some(event.at);
                self.pieces(|pieces| pieces.begin(model))
            }
            EventKind::Text { delta } if is_lead => self.pieces(|pieces| pieces.text(delta)),
            EventKind::ModelAnswered { stop, usage, .. } if is_lead => {
                self.lead.answers += 1;
                self.lead.stop = Some(stop_word(stop));
                let asked = self.lead.asked.take();
                let took = asked.map_or(0, |asked| event.at.0.saturating_sub(asked.0));
                self.lead.model_ms += took;
                let (stop, usage) = (stop_word(stop), words::usage(*usage));
                self.pieces(|pieces| pieces.end(&stop, &usage))
            }
            EventKind::Compacted { before, .. } if is_lead => {
                let about = json!({ "trigger": "auto", "pre_tokens": before });
                vec![self.system("compact_boundary", json!({ "compact_metadata": about }))]
            }
            EventKind::SubagentStarted { .. }
            | EventKind::ToolStarted {
                subagent: Some(_), ..
            }
            | EventKind::ToolFinished {
                subagent: Some(_), ..
            } => self.of_subagent(event).into_iter().collect(),
            EventKind::ToolFinished {
                subagent: None,
                call,
                refused: Some(_),
                ..
            } => {
                let denied = self.calls.denial(&event.member, call);
                self.lead.denied.extend(denied);
                Vec::new()
            }
            // What is said is in transcripts; the rest has no word there.
            _ => Vec::new(),
        }
    }

    /// What a subagent of a member does: it has no transcript.
    fn of_subagent(&mut self, event: &Event) -> Option<Value> {
        let member = &event.member;
        match &event.what {
            EventKind::SubagentStarted { call, kind, .. } => {
                self.calls.subagent_begins(member, kind, call);
                None
            }
            EventKind::ToolStarted {
                subagent: Some(kind),
                call,
                tool,
                input,
                ..
            } => {
                let block = self
                    .calls
                    .of_subagent(member, (call, tool), input.as_deref());
                let parent = self.calls.subagents_parent(member, kind);
                Some(self.assistant(&block, parent.as_deref(), &Value::Null, ""))
            }
            EventKind::ToolFinished {
                subagent: Some(kind),
                call,
                ok,
                summary,
                output,
                ..
            } => {
                let text = output.as_ref().map_or(summary.clone(), |output| {
                    format!("{}{}", output.head, output.tail)
                });
                let block = json!({
                    "type": "tool_result",
                    "tool_use_id": call.as_str(),
                    "content": text,
                    "is_error": !ok,
                });
                let parent = self.calls.subagents_parent(member, kind);
                self.calls.ended(member, call);
                Some(self.outcomes(&[block], parent.as_deref()))
            }
            // Nothing else is a subagent's.
            _ => None,
        }
    }

    /// The messages for passages of the member's transcript, which is read up to there with them.
    pub(crate) fn passages(
        &mut self,
        member: &MemberName,
        passages: Vec<Passage>,
        up_to: ReadUpTo,
    ) -> Vec<Value> {
        self.skip_to(member, up_to);
        let parent = self.calls.members_parent(member);
        let mut messages = Vec::new();
        for passage in passages {
            match passage {
                Passage::Answer {
                    entry,
                    blocks,
                    model,
                    usage,
                    ..
                } => {
                    let usage = words::usage(usage);
                    for block in blocks {
                        let block = self.calls.named(member, entry, block);
                        let message = self.assistant(&block, parent.as_deref(), &usage, &model);
                        messages.push(message);
                    }
                }
                Passage::Outcomes(blocks) => {
                    messages.push(self.outcomes(&blocks, parent.as_deref()));
                }
            }
        }
        messages
    }

    /// A call that a request is about: its id, name and arguments, as the caller reads them.
    pub(crate) fn asked(&self, request: &Request) -> (String, String, Value) {
        match request.request_kind() {
            RequestKind::Permission => self.calls.asked(request),
            RequestKind::Plan | RequestKind::Shutdown => {
                let id = request.id.to_string();
                (
                    id,
                    "ExitPlanMode".to_owned(),
                    json!({ "plan": request.shows() }),
                )
            }
        }
    }

    /// A message of this type about the session.
    pub(crate) fn message(&self, kind: &str, fields: Value) -> Value {
        let mut message = json!({
            "type": kind,
            "session_id": self.session.to_string(),
            "uuid": Uuid::now_v7().to_string(),
        });
        if let (Value::Object(all), Value::Object(fields)) = (&mut message, fields) {
            all.extend(fields);
        }
        message
    }

    /// A message of the program.
    pub(crate) fn system(&self, subtype: &str, fields: Value) -> Value {
        let mut message = self.message("system", fields);
        message["subtype"] = subtype.into();
        message
    }

    /// A block that a model said, as a message of its own.
    fn assistant(&self, block: &Value, parent: Option<&str>, usage: &Value, model: &str) -> Value {
        let said = json!({
            "id": format!("msg_{}", Uuid::now_v7().simple()),
            "type": "message",
            "role": "assistant",
            "model": model,
            "content": [block],
            "stop_reason": null,
            "stop_sequence": null,
            "usage": usage,
        });
        self.message(
            "assistant",
            json!({ "message": said, "parent_tool_use_id": parent }),
        )
    }

    fn outcomes(&self, blocks: &[Value], parent: Option<&str>) -> Value {
        let said = json!({ "role": "user", "content": blocks });
        self.message(
            "user",
            json!({ "message": said, "parent_tool_use_id": parent }),
        )
    }

    /// What the caller reads of the lead's words as they come, if it wants them.
    fn pieces(&mut self, change: impl FnOnce(&mut Pieces) -> Vec<Value>) -> Vec<Value> {
        let events = self.pieces.as_mut().map(change).unwrap_or_default();
        let fields = |event| json!({ "event": event, "parent_tool_use_id": null });
        let events = events.into_iter();
        events
            .map(|event| self.message("stream_event", fields(event)))
            .collect()
    }
}
