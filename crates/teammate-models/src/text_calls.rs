//! Calls that a server has left in the text of an answer: where the model's template is known they become calls as any other,
//! and are not shown as text. What only seems to be one stays text; the agent's rules say what follows of that.

use std::sync::{Arc, Mutex};

use teammate_core::{
    block::{Block, BlockView},
    lock::Hold,
    model::{ModelRequest, Reply, StopReason, StreamPart},
    port::PartSink,
    tool::{CallId, ToolCall},
    written_call::{CALL_MARKS, CallTemplate, written_calls},
};

use crate::call_id::CallIds;

/// How the calls in the text of one answer are found.
pub(crate) struct TextCalls<'a> {
    template: CallTemplate,
    request: &'a ModelRequest,
    held: Arc<Mutex<HeldText>>,
}

impl<'a> TextCalls<'a> {
    /// Those of a model with this template, in the answer to this request.
    pub(crate) fn of(template: CallTemplate, request: &'a ModelRequest) -> Self {
        Self {
            template,
            request,
            held: Arc::new(Mutex::new(HeldText::of(template))),
        }
    }

    /// Shows what is surely no call; the rest when the answer is there.
    pub(crate) fn held_back(&self, mut parts: PartSink) -> PartSink {
        let held = self.held.clone();
        Box::new(move |part| match part {
            StreamPart::Text(piece) => {
                let shown = held.hold().take(&piece);
                show(shown, &mut parts);
            }
            StreamPart::Started
            | StreamPart::Thinking(_)
            | StreamPart::Adapted(_)
            | StreamPart::ToolUse { .. } => parts(part),
        })
    }

    /// The answer with the calls of its text as calls. `parts`: where what was held back is shown.
    pub(crate) fn read(self, mut reply: Reply, parts: &mut PartSink) -> Reply {
        let held = self.held.hold().end();
        let calls_at = self.found(&reply);
        let Some((place, text, at, calls)) = calls_at else {
            show(held, parts);
            return reply;
        };
        let before = held.len().saturating_sub(text.len() - at);
        show(held[..held.floor_char_boundary(before)].to_owned(), parts);
        let before = text[..at].trim_end();
        let text = (!before.is_empty()).then(|| Block::text(before));
        let blocks = calls.iter().map(|call| {
            parts(StreamPart::ToolUse {
                name: call.name.clone(),
            });
            Block::tool_use(call)
        });
        reply
            .blocks
            .splice(place..=place, text.into_iter().chain(blocks));
        reply.stop = StopReason::ToolUse;
        reply
    }

    /// Which block has calls, its text, where they begin there, and the calls.
    fn found(&self, reply: &Reply) -> Option<(usize, String, usize, Vec<ToolCall>)> {
        let is_whole = match reply.stop {
            StopReason::EndTurn | StopReason::ToolUse | StopReason::Other(_) => true,
            StopReason::MaxTokens
            | StopReason::Pause
            | StopReason::Refusal
            | StopReason::ContextFull => false,
        };
        if !is_whole || !reply.calls().is_empty() {
            return None;
        }
        let mut texts = reply.blocks.iter().enumerate().rev();
        let (place, text) = texts.find_map(|(place, block)| match block.view() {
            BlockView::Text(text) => Some((place, text)),
            BlockView::ToolUse(_) | BlockView::Thinking(_) | BlockView::Other => None,
        })?;
        let tools = &self.request.preamble.tools;
        let is_tool = |name: &str| tools.iter().any(|tool| tool.name == name);
        let found = written_calls(&text, self.template, is_tool)?;
        let mut ids = CallIds::after(&self.request.messages);
        let calls = found.calls.into_iter().map(|(name, input)| ToolCall {
            id: CallId::new(ids.unique("")),
            name,
            input,
        });
        let calls = calls.collect();
        Some((place, text, found.at, calls))
    }
}

/// The text of an answer that comes, from where a call may begin.
struct HeldText {
    mark: &'static str,
    held: String,
    /// Whether all that comes is held.
    holds_all: bool,
    /// Whether the answer is there: nothing is held any more.
    has_ended: bool,
    has_shown: bool,
}

impl HeldText {
    fn of(template: CallTemplate) -> Self {
        let mark = CALL_MARKS.iter().find(|(of, _)| *of == template);
        Self {
            mark: mark.map_or("", |(_, mark)| *mark),
            held: String::new(),
            holds_all: false,
            has_ended: false,
            has_shown: false,
        }
    }

    /// Takes the next piece, and gives what can be shown.
    fn take(&mut self, piece: &str) -> String {
        if self.has_ended {
            return piece.to_owned();
        }
        self.held.push_str(piece);
        if self.holds_all {
            return String::new();
        }
        let from = match self.begins_as_call() {
            true => 0,
            false => self.mark_begins(),
        };
        let held = self.held.split_off(from);
        let shown = std::mem::replace(&mut self.held, held);
        self.has_shown |= !shown.is_empty();
        shown
    }

    /// Holds nothing any more, and gives what was held.
    fn end(&mut self) -> String {
        self.has_ended = true;
        std::mem::take(&mut self.held)
    }

    /// Whether all of the answer may be a call: an object, or a block of code.
    fn begins_as_call(&mut self) -> bool {
        if self.has_shown {
            return false;
        }
        let start = self.held.trim_start();
        self.holds_all = ["{", "[", "```"].iter().any(|mark| start.starts_with(mark));
        self.holds_all || "```".starts_with(start)
    }

    /// Where the mark begins, or what may become it.
    fn mark_begins(&mut self) -> usize {
        if let Some(at) = self.held.find(self.mark) {
            self.holds_all = true;
            return at;
        }
        let all = self.held.len();
        let tail = all.saturating_sub(self.mark.len());
        let mut places = (tail..all).filter(|at| self.held.is_char_boundary(*at));
        places
            .find(|at| self.mark.starts_with(&self.held[*at..]))
            .unwrap_or(all)
    }
}

fn show(text: String, parts: &mut PartSink) {
    if !text.is_empty() {
        parts(StreamPart::Text(text));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What is shown of these pieces while they come, and what is held at the end.
    fn shown(template: CallTemplate, pieces: &[&str]) -> (String, String) {
        let mut held = HeldText::of(template);
        let shown = pieces.iter().map(|piece| held.take(piece)).collect();
        (shown, held.held)
    }

    #[test]
    fn text_is_shown_up_to_where_a_call_may_begin() {
        use CallTemplate::{Hermes, Llama, Mistral};
        for (template, pieces, wanted) in [
            (Hermes, &["I ", "look."][..], ("I look.", "")),
            (
                Hermes,
                &["I look.\n<to", "ol_call>{", "}"],
                ("I look.\n", "<tool_call>{}"),
            ),
            (Hermes, &["a <", "b> <t"], ("a <b> ", "<t")),
            (Hermes, &["\n", " {\"na", "me\""], ("", "\n {\"name\"")),
            (Hermes, &["`", "``json\n{"], ("", "```json\n{")),
            (Hermes, &["`", "x` is"], ("`x` is", "")),
            (Mistral, &["[TOOL", "_CALLS]look"], ("", "[TOOL_CALLS]look")),
            (Llama, &["é<", "|python_tag|>"], ("é", "<|python_tag|>")),
        ] {
            let wanted = (wanted.0.to_owned(), wanted.1.to_owned());
            assert_eq!(shown(template, pieces), wanted, "{pieces:?}");
        }
    }
}
