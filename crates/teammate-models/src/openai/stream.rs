//! Builds an answer from chunks.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use teammate_core::{
    block::Block,
    model::{ChatMessage, Reply, StopReason, StreamPart, Wire},
    port::PartSink,
    tool::{CallId, ToolCall, ToolInput},
};

use super::{
    REASONING_BLOCK,
    calls::{CallDelta, Calls},
    vendor_fields::VendorFields,
};
use crate::{
    call_id::CallIds,
    json::{Fields, quoted},
    reply_stream::{CUT_SHORT, Progress, ReplyStream, StreamError},
    size::Size,
    sse::SseEvent,
    usage::ReportedUsage,
};

const NO_JSON: StreamError = StreamError::Nonsense("sent an event that is not JSON");

/// Collects the chunks of one answer.
pub(super) struct ReplyBuilder<'a> {
    text: String,
    reasoning: Option<(String, String)>,
    vendor_fields: VendorFields,
    calls: Calls,
    size: Size,
    finish: Option<String>,
    refused: bool,
    done: bool,
    begun: bool,
    keeps_vendor_fields: bool,
    usage: ReportedUsage,
    model: String,
    ids: CallIds<'a>,
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<Value>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Option<Fields>,
    /// The whole answer, where a server sends one as if it were a piece.
    #[serde(default)]
    message: Option<Box<RawValue>>,
    /// A piece of text, as servers of plain completions send it.
    #[serde(default)]
    text: Option<Value>,
    #[serde(default)]
    finish_reason: Option<String>,
    #[serde(default)]
    error: Option<Value>,
    /// Where some servers report it.
    #[serde(default)]
    usage: Option<Value>,
}

impl<'a> ReplyBuilder<'a> {
    /// A builder for the answer to `history`. `keeps_vendor_fields`: unknown fields are kept to be sent
    /// back.
    pub(super) fn new(history: &'a [Arc<ChatMessage>], keeps_added: bool) -> Self {
        Self {
            text: String::new(),
            reasoning: None,
            vendor_fields: VendorFields::default(),
            calls: Calls::default(),
            size: Size::default(),
            finish: None,
            refused: false,
            done: false,
            begun: false,
            keeps_vendor_fields: keeps_added,
            usage: ReportedUsage::over(Wire::OpenAi),
            model: String::new(),
            ids: CallIds::after(history),
        }
    }

    fn add(&mut self, delta: &Fields, parts: &mut PartSink) -> Result<(), StreamError> {
        for (field, value) in delta.iter() {
            match field {
                "role" => {}
                "content" => self.say(text_of(value), parts)?,
                "refusal" => {
                    let text = text_of(value);
                    self.refused |= !text.is_empty();
                    self.say(text, parts)?;
                }
                "reasoning_content" | "reasoning" => {
                    let text = text_of(value);
                    self.size.grow(text.len())?;
                    self.reason(field, text, parts);
                }
                "tool_calls" => {
                    let deltas: Vec<Fields> =
                        serde_json::from_str(value.get()).map_err(|_| NO_JSON)?;
                    for delta in deltas {
                        self.calls
                            .add(CallDelta::read(&delta), &mut self.size, parts)?;
                    }
                }
                "function_call" => {
                    let function: Fields =
                        serde_json::from_str(value.get()).map_err(|_| NO_JSON)?;
                    let delta = CallDelta::of_function(&function);
                    self.calls.add(delta, &mut self.size, parts)?;
                }
                _ if self.keeps_vendor_fields => {
                    self.size.grow(value.get().len())?;
                    self.vendor_fields.add(field, value)?;
                }
                _ => {}
            }
        }
        Ok(())
    }

    fn say(&mut self, text: String, parts: &mut PartSink) -> Result<(), StreamError> {
        self.size.grow(text.len())?;
        self.text.push_str(&text);
        show(text, StreamPart::Text, parts);
        Ok(())
    }

    /// Some servers send the same reasoning in two fields; the first one counts.
    fn reason(&mut self, field: &str, text: String, parts: &mut PartSink) {
        let (known, all) = self
            .reasoning
            .get_or_insert_with(|| (field.to_owned(), String::new()));
        if known == field {
            all.push_str(&text);
            show(text, StreamPart::Thinking, parts);
        }
    }
}

impl ReplyStream for ReplyBuilder<'_> {
    fn take(&mut self, event: &SseEvent, parts: &mut PartSink) -> Result<Progress, StreamError> {
        let data = event.data.as_str();
        if data.trim().eq_ignore_ascii_case("[DONE]") {
            self.done = true;
            return Ok(Progress::Done);
        }
        let before = (self.size.total(), self.finish.is_some());
        let chunk: Chunk = serde_json::from_str(data).map_err(|_| NO_JSON)?;
        if chunk.error.is_some() {
            return Err(StreamError::Error(data.to_owned()));
        }
        if let Some(model) = chunk.model.filter(|_| self.model.is_empty()) {
            self.model = model;
        }
        self.usage.take(chunk.usage.as_ref());
        // The request asks for one choice.
        if let Some(choice) = chunk.choices.and_then(|list| list.into_iter().next()) {
            self.begun = true;
            self.usage.take(choice.usage.as_ref());
            if let Some(error) = choice.error {
                return Err(StreamError::Error(format!(r#"{{"error":{error}}}"#)));
            }
            // Some repeat at the end what came in pieces.
            let whole = choice.message.filter(|_| self.size.total() == 0);
            let whole = || serde_json::from_str::<Fields>(whole?.get()).ok();
            match (choice.delta.or_else(whole), choice.text) {
                (Some(delta), _) => self.add(&delta, parts)?,
                (None, Some(Value::String(text))) => self.say(text, parts)?,
                (None, Some(_) | None) => {}
            }
            match choice.finish_reason.as_deref() {
                Some("error") => return Err(StreamError::Error(data.to_owned())),
                None | Some("") => {}
                Some(reason) => self.finish = Some(reason.to_owned()),
            }
        }
        Ok(match (self.size.total(), self.finish.is_some()) == before {
            true => Progress::Empty,
            false => Progress::Grew,
        })
    }

    fn is_whole(&self) -> bool {
        self.finish.is_some()
    }

    fn reply(mut self) -> Result<Reply, StreamError> {
        if !self.begun || !(self.done || self.finish.is_some()) {
            return Err(CUT_SHORT);
        }
        let calls: Vec<(ToolCall, Fields)> = std::mem::take(&mut self.calls)
            .into_all()
            .map(|call| {
                let id = CallId::new(self.ids.unique(&call.id));
                let arguments = match call.arguments.trim() {
                    "" => "{}".to_owned(),
                    _ => call.arguments,
                };
                let input = ToolInput::from_json(arguments);
                let name = call.name;
                (ToolCall { id, name, input }, call.added)
            })
            .collect();
        let mut blocks = Vec::new();
        if let Some((field, text)) = self.reasoning.take().filter(|(_, text)| !text.is_empty()) {
            blocks.extend(Block::from_json(format!(
                r#"{{"type":"{REASONING_BLOCK}","text":{},"field":{}}}"#,
                quoted(&text),
                quoted(&field)
            )));
        }
        blocks.extend(self.vendor_fields.block(&calls));
        if !self.text.is_empty() {
            blocks.push(Block::text(&self.text));
        }
        blocks.extend(calls.iter().map(|(call, _)| Block::tool_use(call)));
        let stop = match self.finish.as_deref() {
            Some("length") => StopReason::MaxTokens,
            Some("content_filter") => StopReason::Refusal,
            _ if !calls.is_empty() => StopReason::ToolUse,
            _ if self.refused => StopReason::Refusal,
            None | Some("stop") => StopReason::EndTurn,
            // Announced calls, but none came: there is nothing to run.
            Some("tool_calls" | "function_call") => StopReason::EndTurn,
            Some(other) => StopReason::Other(other.to_owned()),
        };
        Ok(Reply {
            blocks,
            stop,
            usage: self.usage.usage(),
            model: self.model,
            wire: Wire::OpenAi,
        })
    }
}

fn show(text: String, part: impl FnOnce(String) -> StreamPart, parts: &mut PartSink) {
    if !text.is_empty() {
        parts(part(text));
    }
}

/// A string, or the text in a list of parts.
fn text_of(value: &RawValue) -> String {
    match serde_json::from_str(value.get()) {
        Ok(Value::String(text)) => text,
        Ok(Value::Array(parts)) => parts
            .iter()
            .filter_map(|part| part.get("text")?.as_str())
            .collect(),
        Ok(_) | Err(_) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sse::SseReader;

    /// The answer that a complete stream of these bytes gives.
    fn read(bytes: &[u8]) -> Option<Reply> {
        let mut events = Vec::new();
        SseReader::default().feed(bytes, &mut events).unwrap();
        let mut builder = ReplyBuilder::new(&[], true);
        let mut sink: PartSink = Box::new(|_| {});
        for event in events {
            if let Progress::Done = builder.take(&event, &mut sink).ok()? {
                break;
            }
        }
        builder.reply().ok()
    }

    #[test]
    fn a_stream_cut_at_any_byte_is_never_another_answer() {
        let deltas = [
            r#"{"reasoning":"é","x":{"y":1}}"#,
            r#"{"content":"a"}"#,
            r#"{"tool_calls":[{"index":0,"id":"t","function":{"name":"n","arguments":"{\"a\":"}}]}"#,
            r#"{"tool_calls":[{"index":0,"function":{"arguments":" 1}"}}]}"#,
        ]
        .map(|delta| format!("data: {{\"choices\":[{{\"delta\":{delta}}}]}}\n\n"))
        .concat();
        let finish = "data: {\"choices\":[{\"delta\":{},\"finish_reason\":\"tool_calls\"}]}\n\n";
        let stream = format!("{deltas}{finish}data: [DONE]\n\n");
        let whole = read(stream.as_bytes()).unwrap();
        assert_eq!(whole.blocks.len(), 4);
        let finished = deltas.len() + finish.len();
        for cut in 0..stream.len() {
            let reply = read(&stream.as_bytes()[..cut]);
            let wanted = (cut >= finished).then(|| whole.clone());
            assert_eq!(reply, wanted, "cut at {cut}");
        }
        // A lost byte may damage the answer, but never panics.
        for lost in 0..stream.len() {
            let bytes = stream.as_bytes();
            read(&[&bytes[..lost], &bytes[lost + 1..]].concat());
        }
    }
}
