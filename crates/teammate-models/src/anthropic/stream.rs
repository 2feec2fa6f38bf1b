//! Builds an answer from events: a block is complete when it is closed, the answer at its last
//! event.

mod blocks;

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use teammate_core::{
    model::{ChatMessage, Reply, StopReason, StreamPart, Wire},
    port::PartSink,
};

use blocks::{BlockState, OpenBlock, Slots};

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
    slots: Slots,
    size: Size,
    stop: Option<String>,
    usage: ReportedUsage,
    model: String,
    ids: CallIds<'a>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WireEvent {
    r#type: String,
    index: u64,
    content_block: Option<Box<RawValue>>,
    delta: Fields,
    message: Option<Started>,
    usage: Option<Value>,
}

#[derive(Deserialize)]
struct Started {
    #[serde(default)]
    model: String,
    #[serde(default)]
    usage: Option<Value>,
}

impl<'a> ReplyBuilder<'a> {
    /// A builder for the answer to `history`.
    pub(super) fn new(history: &'a [Arc<ChatMessage>]) -> Self {
        Self {
            slots: Slots::default(),
            size: Size::default(),
            stop: None,
            usage: ReportedUsage::over(Wire::Anthropic),
            model: String::new(),
            ids: CallIds::after(history),
        }
    }

    fn open(
        &mut self,
        index: u64,
        start: Option<Box<RawValue>>,
        parts: &mut PartSink,
    ) -> Result<(), StreamError> {
        if self.slots.open(index).is_some() {
            return Err(StreamError::Nonsense("opened a part of its answer twice"));
        }
        let start = start.ok_or(StreamError::Nonsense(
            "opened a part of its answer with nothing",
        ))?;
        self.size.block(start.get().len())?;
        let fields: Fields = serde_json::from_str(start.get())
            .map_err(|_| StreamError::Nonsense("sent a block that is no object"))?;
        let kind = fields.string("type").unwrap_or_default();
        if kind == "tool_use" {
            let name = fields.string("name").unwrap_or_default();
            parts(StreamPart::ToolUse { name });
        }
        show("text", fields.string("text"), parts);
        show("thinking", fields.string("thinking"), parts);
        self.slots.push(index, OpenBlock::new(start, kind));
        Ok(())
    }

    fn add(&mut self, index: u64, delta: &Fields, parts: &mut PartSink) -> Result<(), StreamError> {
        let open = self.slots.open(index).ok_or(StreamError::Nonsense(
            "added to a part of its answer that is not open",
        ))?;
        for (field, value) in delta.iter() {
            match (field, serde_json::from_str::<String>(value.get())) {
                ("type", _) => continue,
                ("citation", _) => open.cite(value),
                ("signature", Ok(_)) | (_, Err(_)) => open.replace(field, value)?,
                (_, Ok(text)) => {
                    open.append(field, &text)?;
                    self.size.grow(text.len())?;
                    show(field, Some(text), parts);
                    continue;
                }
            }
            self.size.grow(value.get().len())?;
        }
        Ok(())
    }

    fn close(&mut self, index: u64) -> Result<(), StreamError> {
        let state = self.slots.get(index).ok_or(StreamError::Nonsense(
            "closed a part of its answer that it never opened",
        ))?;
        if let BlockState::Open(open) = state {
            let block = open.block(&mut self.ids);
            *state = BlockState::Closed(
                block.ok_or(StreamError::Nonsense("sent a block that is no object"))?,
            );
        }
        Ok(())
    }
}

impl ReplyStream for ReplyBuilder<'_> {
    fn take(&mut self, event: &SseEvent, parts: &mut PartSink) -> Result<Progress, StreamError> {
        let parsed: WireEvent = match serde_json::from_str(&event.data) {
            Ok(parsed) => parsed,
            Err(_) if event.name == "error" => return Err(StreamError::Error(event.data.clone())),
            Err(_) => return Err(StreamError::Nonsense("sent an event that is not JSON")),
        };
        let kind = if parsed.r#type.is_empty() {
            event.name.as_str()
        } else {
            parsed.r#type.as_str()
        };
        let before = (self.size.total(), self.stop.is_some());
        match kind {
            "message_start" => {
                if let Some(started) = parsed.message {
                    self.model = started.model;
                    self.usage.take(started.usage.as_ref());
                }
            }
            "content_block_start" => self.open(parsed.index, parsed.content_block, parts)?,
            "content_block_delta" => self.add(parsed.index, &parsed.delta, parts)?,
            "content_block_stop" => self.close(parsed.index)?,
            "message_delta" => {
                self.stop = parsed.delta.string("stop_reason").or(self.stop.take());
                self.usage.take(parsed.usage.as_ref());
            }
            "message_stop" => return Ok(Progress::Done),
            "error" => return Err(StreamError::Error(event.data.clone())),
            _ => return Ok(Progress::Ignored),
        }
        Ok(match (self.size.total(), self.stop.is_some()) == before {
            true => Progress::Empty,
            false => Progress::Grew,
        })
    }

    fn reply(self) -> Result<Reply, StreamError> {
        let mut blocks = Vec::with_capacity(self.slots.all.len());
        for state in self.slots.all {
            match state {
                BlockState::Closed(block) => blocks.push(block),
                BlockState::Open(_) => {
                    return Err(StreamError::Nonsense("left a part of its answer open"));
                }
            }
        }
        let mut reply = Reply {
            blocks,
            stop: StopReason::EndTurn,
            usage: self.usage.usage(),
            model: self.model,
            wire: Wire::Anthropic,
        };
        reply.stop = match self.stop.as_deref() {
            // Some servers do not send the stop reason `tool_use`.
            None | Some("end_turn" | "stop_sequence" | "tool_use") if !reply.calls().is_empty() => {
                StopReason::ToolUse
            }
            None | Some("end_turn" | "stop_sequence") => StopReason::EndTurn,
            Some("tool_use") => StopReason::ToolUse,
            Some("max_tokens") => StopReason::MaxTokens,
            Some("pause_turn") => StopReason::Pause,
            Some("refusal") => StopReason::Refusal,
            Some("model_context_window_exceeded") => StopReason::ContextFull,
            Some(other) => StopReason::Other(other.to_owned()),
        };
        Ok(reply)
    }
}

fn show(field: &str, text: Option<String>, parts: &mut PartSink) {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return;
    };
    match field {
        "text" => parts(StreamPart::Text(text)),
        "thinking" => parts(StreamPart::Thinking(text)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sse::SseReader;

    /// The answer that a stream of these bytes gives before it breaks off.
    fn read(bytes: &[u8]) -> Option<Reply> {
        let mut events = Vec::new();
        SseReader::default().feed(bytes, &mut events).unwrap();
        let mut builder = ReplyBuilder::new(&[]);
        let mut sink: PartSink = Box::new(|_| {});
        for event in events {
            if let Progress::Done = builder.take(&event, &mut sink).ok()? {
                return builder.reply().ok();
            }
        }
        None
    }

    #[test]
    fn a_stream_cut_at_any_byte_is_no_answer() {
        let stream = [
            r#"{"type":"message_start","message":{"model":"m","usage":{"input_tokens":1}}}"#,
            r#"{"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"","signature":""}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"é"}}"#,
            r#"{"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}}"#,
            r#"{"type":"content_block_stop","index":0}"#,
            r#"{"type":"content_block_start","index":1,"content_block":{"type":"tool_use","id":"t","name":"n","input":{}}}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":"{\"a\":"}}"#,
            r#"{"type":"content_block_delta","index":1,"delta":{"type":"input_json_delta","partial_json":" 1}"}}"#,
            r#"{"type":"content_block_stop","index":1}"#,
            r#"{"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}}"#,
            r#"{"type":"message_stop"}"#,
        ]
        .map(|data| format!("data: {data}\n\n"))
        .concat();
        let whole = read(stream.as_bytes()).unwrap();
        assert_eq!(whole.blocks.len(), 2);
        for cut in 0..stream.len() {
            assert_eq!(read(&stream.as_bytes()[..cut]), None, "cut at {cut}");
        }
        // A lost byte may damage the answer, but never panics.
        for lost in 0..stream.len() {
            let bytes = stream.as_bytes();
            read(&[&bytes[..lost], &bytes[lost + 1..]].concat());
        }
    }
}
