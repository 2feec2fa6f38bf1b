//! Builds an answer from events: an item counts when it is done, the answer at its terminal event.

mod event;
mod item;
mod items;

use std::sync::Arc;

use serde_json::value::RawValue;
use teammate_core::{
    model::{ChatMessage, Reply, StopReason, StreamPart, Wire},
    port::PartSink,
};

use self::{
    event::{WireEvent, WiredResponse, read},
    items::Items,
};
use crate::{
    call_id::CallIds,
    json::Fields,
    reply_stream::{Progress, ReplyStream, StreamError},
    size::Size,
    sse::SseEvent,
    usage::ReportedUsage,
};

/// Collects the events of one answer.
pub(super) struct ReplyBuilder<'a> {
    items: Items,
    size: Size,
    ending: Option<Ending>,
    usage: ReportedUsage,
    model: String,
    ids: CallIds<'a>,
}

/// How the answer ended.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Ending {
    Completed,
    Incomplete(String),
}

impl<'a> ReplyBuilder<'a> {
    /// A builder for the answer to `history`.
    pub(super) fn new(history: &'a [Arc<ChatMessage>]) -> Self {
        Self {
            items: Items::default(),
            size: Size::default(),
            ending: None,
            usage: ReportedUsage::over(Wire::Responses),
            model: String::new(),
            ids: CallIds::after(history),
        }
    }

    /// Takes an event of this kind; false if it is none of an answer.
    fn add(
        &mut self,
        kind: &str,
        event: WireEvent,
        data: &str,
        parts: &mut PartSink,
    ) -> Result<bool, StreamError> {
        let (place, size) = (event.place(), &mut self.size);
        match kind {
            "response.created" | "response.queued" | "response.in_progress" => self.begin(&event),
            "response.output_item.added" => {
                let name = self.items.open(&place, event.item, size)?;
                name.into_iter()
                    .for_each(|name| parts(StreamPart::ToolUse { name }));
            }
            "response.output_item.done" => self.items.close(&place, event.item, size)?,
            "response.output_text.delta" => {
                let delta = event.delta();
                self.items.at(&place, size)?.add_text(&delta, size)?;
                show(delta, StreamPart::Text, parts);
            }
            "response.refusal.delta" => {
                let delta = event.delta();
                self.items.at(&place, size)?.add_refusal(&delta, size)?;
                show(delta, StreamPart::Text, parts);
            }
            "response.reasoning_summary_text.delta" | "response.reasoning_text.delta" => {
                let delta = event.delta();
                size.grow(delta.len())?;
                show(delta, StreamPart::Thinking, parts);
            }
            "response.reasoning_summary_part.added" => {
                // Each part of a summary is a paragraph.
                if read(event.summary_index.as_deref()).is_some_and(|at: u64| at > 0) {
                    show("\n\n".to_owned(), StreamPart::Thinking, parts);
                }
            }
            "response.function_call_arguments.delta" => {
                self.items
                    .at(&place, size)?
                    .add_arguments(&event.delta(), size)?;
            }
            "response.function_call_arguments.done" => {
                let arguments = read(event.arguments.as_deref());
                self.items
                    .at(&place, size)?
                    .set_arguments(arguments, size)?;
            }
            "response.output_text.done" => {
                let text = read(event.text.as_deref());
                self.items.at(&place, size)?.set_text(text, size)?;
            }
            "response.refusal.done" => {
                let text = read(event.refusal.as_deref());
                self.items.at(&place, size)?.set_refusal(text, size)?;
            }
            "response.completed" => self.end(Ending::Completed, event.response()?)?,
            "response.incomplete" => {
                let mut response = event.response()?;
                let details = response.incomplete_details.take();
                let reason = details.and_then(|details| details.reason);
                self.end(Ending::Incomplete(reason.unwrap_or_default()), response)?;
            }
            "response.failed" => {
                let error = event.response()?.error;
                return Err(StreamError::Error(error_body(error, data)));
            }
            "error" => return Err(StreamError::Error(error_body(event.error, data))),
            _ if event.error.is_some() => {
                return Err(StreamError::Error(error_body(event.error, data)));
            }
            // Parts begin and end within items, which say the same.
            _ if kind.starts_with("response.content_part.")
                || kind.starts_with("response.reasoning_") => {}
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn begin(&mut self, event: &WireEvent) {
        let model = event.response().ok().and_then(|response| response.model);
        if let Some(model) = model.filter(|_| self.model.is_empty()) {
            self.model = model;
        }
    }

    fn end(&mut self, ending: Ending, response: WiredResponse) -> Result<(), StreamError> {
        self.ending = Some(ending);
        if let Some(model) = response.model {
            self.model = model;
        }
        self.usage.take(response.usage.as_ref());
        self.items
            .fill(response.output.unwrap_or_default(), &mut self.size)
    }
}

impl ReplyStream for ReplyBuilder<'_> {
    fn take(&mut self, event: &SseEvent, parts: &mut PartSink) -> Result<Progress, StreamError> {
        if event.data.trim() == "[DONE]" {
            // Not of this API; some servers send it all the same.
            return Ok(Progress::Ignored);
        }
        let parsed: WireEvent = match serde_json::from_str(&event.data) {
            Ok(parsed) => parsed,
            Err(_) if event.name == "error" => return Err(StreamError::Error(event.data.clone())),
            Err(_) => return Err(StreamError::Nonsense("sent an event that is not JSON")),
        };
        let kind = match parsed.r#type.is_empty() {
            true => event.name.clone(),
            false => parsed.r#type.clone(),
        };
        let before = self.size.total();
        if !self.add(&kind, parsed, &event.data, parts)? {
            return Ok(Progress::Ignored);
        }
        Ok(match (&self.ending, self.size.total() == before) {
            (Some(_), _) => Progress::Done,
            (None, true) => Progress::Empty,
            (None, false) => Progress::Grew,
        })
    }

    fn reply(mut self) -> Result<Reply, StreamError> {
        let is_refusal = self.items.has_refusal();
        let blocks = self.items.into_blocks(&mut self.ids);
        let mut reply = Reply {
            blocks,
            stop: StopReason::EndTurn,
            usage: self.usage.usage(),
            model: self.model,
            wire: Wire::Responses,
        };
        reply.stop = match self.ending {
            Some(Ending::Incomplete(reason)) => match reason.as_str() {
                "max_output_tokens" => StopReason::MaxTokens,
                "content_filter" => StopReason::Refusal,
                _ => StopReason::Other(reason),
            },
            Some(Ending::Completed) | None if !reply.calls().is_empty() => StopReason::ToolUse,
            Some(Ending::Completed) | None if is_refusal => StopReason::Refusal,
            Some(Ending::Completed) | None => StopReason::EndTurn,
        };
        Ok(reply)
    }
}

/// An error as all servers report it outside of a stream: `{"error": {...}}`.
fn error_body(error: Option<Box<RawValue>>, data: &str) -> String {
    match error {
        Some(error) => format!(r#"{{"error":{}}}"#, error.get()),
        // The error event of the API has its fields beside its type, which is `error`.
        None => match serde_json::from_str::<Fields>(data) {
            Ok(fields) => {
                let text = |name| fields.raw(name).unwrap_or("null").to_owned();
                format!(
                    r#"{{"error":{{"code":{},"message":{}}}}}"#,
                    text("code"),
                    text("message")
                )
            }
            Err(_) => data.to_owned(),
        },
    }
}

fn show(text: String, part: impl FnOnce(String) -> StreamPart, parts: &mut PartSink) {
    if !text.is_empty() {
        parts(part(text));
    }
}

#[cfg(test)]
mod tests;
