//! From chunks to blocks. Servers differ in how they number, name and cut tool calls; [`Call::goes_on`] is where
//! that is settled.

use std::sync::Arc;

use serde::Deserialize;
use serde_json::{Value, value::RawValue};
use teammate_core::{
    block::Block,
    model::{ChatMessage, ModelFailure, Part, Reply, Stop, Usage, Wire},
    port::PartSink,
    tool::{CallId, ToolCall, ToolInput},
};

use super::{ADDED, REASONING};
use crate::{
    call_id::CallIds,
    http::Line,
    json::{Fields, quoted},
};

/// What a chunk did.
pub(super) enum Step {
    /// The answer grew.
    Progress,
    /// The server has said its last word.
    Done,
}

/// The stream cannot become an answer.
pub(super) enum Broken {
    /// The server said so: the chunk.
    Error(String),
    /// The chunk is not JSON.
    Nonsense,
}

impl Broken {
    pub(super) fn failure(&self, line: &Line) -> ModelFailure {
        match self {
            Self::Error(data) => line.error_in_stream(data),
            Self::Nonsense => line.broken_stream("sent an event that is not JSON"),
        }
    }
}

/// An answer while it comes.
pub(super) struct Assembly<'a> {
    text: String,
    reasoning: Option<(String, String)>,
    added: Vec<(String, Value)>,
    calls: Vec<Call>,
    finish: Option<String>,
    refused: bool,
    done: bool,
    begun: bool,
    keeps_added: bool,
    usage: Usage,
    model: String,
    ids: CallIds<'a>,
}

#[derive(Default)]
struct Call {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    added: Fields,
}

#[derive(Deserialize)]
struct Chunk {
    #[serde(default)]
    model: Option<String>,
    #[serde(default)]
    choices: Option<Vec<Choice>>,
    #[serde(default)]
    usage: Option<WiredUsage>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct Choice {
    #[serde(default)]
    delta: Option<Fields>,
    #[serde(default)]
    finish_reason: Option<String>,
    #[serde(default)]
    error: Option<Value>,
}

#[derive(Deserialize)]
struct WiredUsage {
    prompt_tokens: Option<u64>,
    completion_tokens: Option<u64>,
    prompt_tokens_details: Option<PromptDetails>,
}

#[derive(Deserialize)]
struct PromptDetails {
    cached_tokens: Option<u64>,
}

impl<'a> Assembly<'a> {
    /// For an answer to these messages. `keeps_added`: fields of later or other versions are kept to be sent back.
    pub(super) fn new(history: &'a [Arc<ChatMessage>], keeps_added: bool) -> Self {
        Self {
            text: String::new(),
            reasoning: None,
            added: Vec::new(),
            calls: Vec::new(),
            finish: None,
            refused: false,
            done: false,
            begun: false,
            keeps_added,
            usage: Usage::default(),
            model: String::new(),
            ids: CallIds::after(history),
        }
    }

    /// Takes the next chunk.
    pub(super) fn take(&mut self, data: &str, parts: &mut PartSink) -> Result<Step, Broken> {
        if data.trim() == "[DONE]" {
            self.done = true;
            return Ok(Step::Done);
        }
        let chunk: Chunk = serde_json::from_str(data).map_err(|_| Broken::Nonsense)?;
        if chunk.error.is_some() {
            return Err(Broken::Error(data.to_owned()));
        }
        if let Some(model) = chunk.model.filter(|_| self.model.is_empty()) {
            self.model = model;
        }
        if let Some(usage) = chunk.usage {
            let cached = usage
                .prompt_tokens_details
                .and_then(|details| details.cached_tokens)
                .unwrap_or(0);
            self.usage = Usage {
                input: usage.prompt_tokens.unwrap_or(0).saturating_sub(cached),
                output: usage.completion_tokens.unwrap_or(0),
                cache_read: cached,
                cache_write: 0,
            };
        }
        // Only one choice was asked for.
        if let Some(choice) = chunk.choices.and_then(|list| list.into_iter().next()) {
            self.begun = true;
            if let Some(error) = choice.error {
                return Err(Broken::Error(format!(r#"{{"error":{error}}}"#)));
            }
            if let Some(delta) = choice.delta {
                self.add(&delta, parts)?;
            }
            match choice.finish_reason.as_deref() {
                Some("error") => return Err(Broken::Error(data.to_owned())),
                None | Some("") => {}
                Some(reason) => self.finish = Some(reason.to_owned()),
            }
        }
        Ok(Step::Progress)
    }

    fn add(&mut self, delta: &Fields, parts: &mut PartSink) -> Result<(), Broken> {
        for (field, value) in delta.iter() {
            match field {
                "role" => {}
                "content" => {
                    let text = text_of(value);
                    self.text.push_str(&text);
                    show(text, Part::Text, parts);
                }
                "refusal" => {
                    let text = text_of(value);
                    self.refused |= !text.is_empty();
                    self.text.push_str(&text);
                    show(text, Part::Text, parts);
                }
                "reasoning_content" | "reasoning" => self.reason(field, text_of(value), parts),
                "tool_calls" => {
                    let deltas: Vec<Fields> =
                        serde_json::from_str(value.get()).map_err(|_| Broken::Nonsense)?;
                    for delta in deltas {
                        self.call(CallDelta::read(&delta), parts);
                    }
                }
                "function_call" => {
                    let function: Fields =
                        serde_json::from_str(value.get()).map_err(|_| Broken::Nonsense)?;
                    self.call(CallDelta::of_function(&function), parts);
                }
                _ if self.keeps_added => {
                    if let Ok(value) = serde_json::from_str(value.get()) {
                        merge_field(&mut self.added, field, value);
                    }
                }
                _ => {}
            }
        }
        Ok(())
    }

    /// Some servers send the same reasoning in two fields: the first one counts.
    fn reason(&mut self, field: &str, text: String, parts: &mut PartSink) {
        let (known, all) = self
            .reasoning
            .get_or_insert_with(|| (field.to_owned(), String::new()));
        if known == field {
            all.push_str(&text);
            show(text, Part::Thinking, parts);
        }
    }

    fn call(&mut self, delta: CallDelta, parts: &mut PartSink) {
        let at = match delta.index {
            Some(_) => self
                .calls
                .iter()
                .rposition(|call| call.index == delta.index),
            None => self
                .calls
                .iter()
                .rposition(|call| !delta.id.is_empty() && call.id == delta.id)
                .or(self.calls.len().checked_sub(1)),
        };
        let at = match at {
            Some(at) if self.calls[at].goes_on(&delta) => at,
            Some(_) | None => {
                self.calls.push(Call {
                    index: delta.index,
                    ..Call::default()
                });
                self.calls.len() - 1
            }
        };
        let call = &mut self.calls[at];
        if call.id.is_empty() {
            call.id = delta.id;
        }
        if call.name.is_empty() && !delta.name.is_empty() {
            call.name.clone_from(&delta.name);
            parts(Part::ToolUse { name: delta.name });
        }
        call.arguments.push_str(&delta.arguments);
        for (name, value) in delta.added {
            call.added.set(&name, value);
        }
    }

    /// The whole answer; `None` if the server did not finish it.
    pub(super) fn reply(mut self) -> Option<Reply> {
        if !self.begun || !(self.done || self.finish.is_some()) {
            return None;
        }
        let calls: Vec<(ToolCall, Fields)> = std::mem::take(&mut self.calls)
            .into_iter()
            .map(|call| {
                let id = CallId::new(self.ids.give(&call.id));
                let arguments = match call.arguments.trim() {
                    "" => "{}".to_owned(),
                    _ => call.arguments,
                };
                let input = ToolInput::read(arguments);
                let name = call.name;
                (ToolCall { id, name, input }, call.added)
            })
            .collect();
        let mut blocks = Vec::new();
        if let Some((field, text)) = self.reasoning.take().filter(|(_, text)| !text.is_empty()) {
            blocks.extend(Block::from_json(format!(
                r#"{{"type":"{REASONING}","text":{},"field":{}}}"#,
                quoted(&text),
                quoted(&field)
            )));
        }
        blocks.extend(self.added_block(&calls));
        if !self.text.is_empty() {
            blocks.push(Block::text(&self.text));
        }
        blocks.extend(calls.iter().map(|(call, _)| Block::tool_use(call)));
        let stop = match self.finish.as_deref() {
            Some("length") => Stop::MaxTokens,
            Some("content_filter") => Stop::Refusal,
            _ if !calls.is_empty() => Stop::ToolUse,
            _ if self.refused => Stop::Refusal,
            None | Some("stop") => Stop::EndTurn,
            // It means to call tools, and has called none: there is nothing to run.
            Some("tool_calls" | "function_call") => Stop::EndTurn,
            Some(other) => Stop::Other(other.to_owned()),
        };
        Some(Reply {
            blocks,
            stop,
            usage: self.usage,
            model: self.model,
            wire: Wire::OpenAi,
        })
    }

    fn added_block(&self, calls: &[(ToolCall, Fields)]) -> Option<Block> {
        let fields: Vec<String> = self
            .added
            .iter()
            .map(|(name, value)| format!("{}:{value}", quoted(name)))
            .collect();
        let calls: Vec<String> = calls
            .iter()
            .filter(|(_, added)| added.iter().next().is_some())
            .map(|(call, added)| format!("{}:{}", quoted(call.id.as_str()), added.json()))
            .collect();
        if fields.is_empty() && calls.is_empty() {
            return None;
        }
        let (fields, calls) = (fields.join(","), calls.join(","));
        Block::from_json(format!(
            r#"{{"type":"{ADDED}","fields":{{{fields}}},"calls":{{{calls}}}}}"#
        ))
    }
}

fn show(text: String, part: impl FnOnce(String) -> Part, parts: &mut PartSink) {
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

/// A piece of a tool call.
#[derive(Default)]
struct CallDelta {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    added: Vec<(String, Box<RawValue>)>,
}

impl CallDelta {
    fn read(fields: &Fields) -> Self {
        let function: Fields = fields
            .raw("function")
            .and_then(|raw| serde_json::from_str(raw).ok())
            .unwrap_or_default();
        Self {
            index: fields.raw("index").and_then(|raw| raw.parse().ok()),
            id: fields.string("id").unwrap_or_default(),
            added: fields
                .iter()
                .filter(|(name, _)| !matches!(*name, "index" | "id" | "type" | "function"))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            ..Self::of_function(&function)
        }
    }

    fn of_function(function: &Fields) -> Self {
        Self {
            name: function.string("name").unwrap_or_default(),
            // Mostly a string; some servers send the object itself.
            arguments: function.string("arguments").unwrap_or_else(|| {
                let raw = function.raw("arguments").unwrap_or_default();
                raw.to_owned()
            }),
            ..Self::default()
        }
    }
}

impl Call {
    /// Whether the piece belongs to this call, whose place it names, or begins another: servers leave out ids and
    /// indexes, repeat them, or give all calls the same.
    fn goes_on(&self, delta: &CallDelta) -> bool {
        if delta.name.is_empty() {
            return true;
        }
        let other_id = !self.id.is_empty() && !delta.id.is_empty() && self.id != delta.id;
        let other_name = !self.name.is_empty() && self.name != delta.name;
        let is_whole = || {
            self.arguments.trim_end().ends_with('}')
                && matches!(ToolInput::read(self.arguments.clone()), ToolInput::Json(_))
        };
        !(other_id || other_name || (!delta.arguments.is_empty() && is_whole()))
    }
}

/// Joins what a later chunk says of a field to what earlier ones said: lists grow, and neighbours in a list that are
/// pieces of one thing (the same `type` and `index`) become one.
fn merge_field(fields: &mut Vec<(String, Value)>, name: &str, new: Value) {
    let Some((_, known)) = fields.iter_mut().find(|(field, _)| field == name) else {
        fields.push((name.to_owned(), new));
        return;
    };
    match (known, new) {
        (Value::String(known), Value::String(new)) => known.push_str(&new),
        (Value::Array(known), Value::Array(new)) => {
            for item in new {
                match known.last_mut() {
                    Some(last) if is_piece(last, &item) => merge_piece(last, item),
                    Some(_) | None => known.push(item),
                }
            }
        }
        (known, new) => *known = new,
    }
}

fn is_piece(last: &Value, item: &Value) -> bool {
    let same = |field| last.get(field).is_some() && last.get(field) == item.get(field);
    same("type") && same("index")
}

fn merge_piece(last: &mut Value, item: Value) {
    let (Value::Object(last), Value::Object(item)) = (last, item) else {
        return;
    };
    for (name, new) in item {
        match (last.get_mut(&name), new) {
            (_, Value::Null) => {}
            (Some(Value::String(known)), Value::String(new))
                if matches!(name.as_str(), "text" | "summary" | "data") =>
            {
                known.push_str(&new);
            }
            (_, new) => {
                last.insert(name, new);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sse::Reader;

    /// What a stream of these bytes gives if it ends in good order.
    fn read(bytes: &[u8]) -> Option<Reply> {
        let mut events = Vec::new();
        Reader::default().feed(bytes, &mut events).unwrap();
        let mut assembly = Assembly::new(&[], true);
        let mut sink: PartSink = Box::new(|_| {});
        for event in events {
            if let Step::Done = assembly.take(&event.data, &mut sink).ok()? {
                break;
            }
        }
        assembly.reply()
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
        // A lost byte may break the answer or a word in it, but never this program: no panic.
        for lost in 0..stream.len() {
            let bytes = stream.as_bytes();
            read(&[&bytes[..lost], &bytes[lost + 1..]].concat());
        }
    }
}
