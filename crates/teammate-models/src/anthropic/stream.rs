//! From events to blocks. A block is whole when it was closed, an answer when its last event came.
//!
//! Blocks of kinds and deltas that this version does not know are put together by the one rule that all known
//! ones follow: text is appended to the field it names, anything else replaces it.

use std::{collections::HashMap, sync::Arc};

use serde::Deserialize;
use serde_json::value::RawValue;
use teammate_core::{
    block::Block,
    model::{ChatMessage, ModelFailure, Part, Reply, Stop, Usage, Wire},
    port::PartSink,
    tool::{CallId, ToolCall, ToolInput},
};

use crate::{
    call_id::CallIds,
    http::Line,
    json::{Fields, raw_list, raw_string},
    size::{ENDLESS, Endless, Size, one_more_field},
    sse::Event,
};

/// Fields of known blocks, in the order they are written.
const ORDER: [&str; 8] = [
    "type",
    "id",
    "name",
    "text",
    "thinking",
    "signature",
    "data",
    "input",
];

/// What an event did.
pub(super) enum Step {
    /// Nothing: a ping, or an event of a later version.
    Ignored,
    /// It belongs to the answer and brought nothing.
    Empty,
    /// The answer grew.
    Progress,
    /// The answer is whole.
    Done,
}

/// The stream cannot become an answer.
pub(super) enum Broken {
    /// The server said so: the event's data.
    Error(String),
    /// It makes no sense.
    Nonsense(&'static str),
    /// It does not end.
    Endless,
}

impl From<Endless> for Broken {
    fn from(Endless: Endless) -> Self {
        Self::Endless
    }
}

impl Broken {
    pub(super) fn failure(&self, line: &Line) -> ModelFailure {
        match self {
            Self::Error(data) => line.error_in_stream(data),
            Self::Nonsense(what) => line.broken_stream(what),
            Self::Endless => line.broken_stream(ENDLESS),
        }
    }
}

/// An answer while it comes.
pub(super) struct Assembly<'a> {
    slots: Slots,
    size: Size,
    stop: Option<String>,
    usage: Usage,
    model: String,
    ids: CallIds<'a>,
}

enum State {
    Open(Box<Open>),
    Closed(Block),
}

/// A block while it comes: how it started, and what was added to its fields.
struct Open {
    start: Box<RawValue>,
    kind: String,
    added: Vec<(String, String)>,
    citations: Vec<Box<RawValue>>,
    replaced: Vec<(String, Box<RawValue>)>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct Wired {
    r#type: String,
    index: u64,
    content_block: Option<Box<RawValue>>,
    delta: Fields,
    message: Option<Started>,
    usage: Option<WiredUsage>,
}

#[derive(Deserialize)]
struct Started {
    #[serde(default)]
    model: String,
    #[serde(default)]
    usage: Option<WiredUsage>,
}

#[derive(Deserialize)]
struct WiredUsage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    cache_read_input_tokens: Option<u64>,
    cache_creation_input_tokens: Option<u64>,
}

impl<'a> Assembly<'a> {
    /// For an answer to these messages.
    pub(super) fn new(history: &'a [Arc<ChatMessage>]) -> Self {
        Self {
            slots: Slots::default(),
            size: Size::default(),
            stop: None,
            usage: Usage::default(),
            model: String::new(),
            ids: CallIds::after(history),
        }
    }

    /// Takes the next event.
    pub(super) fn take(&mut self, event: &Event, parts: &mut PartSink) -> Result<Step, Broken> {
        let wired: Wired = match serde_json::from_str(&event.data) {
            Ok(wired) => wired,
            Err(_) if event.name == "error" => return Err(Broken::Error(event.data.clone())),
            Err(_) => return Err(Broken::Nonsense("sent an event that is not JSON")),
        };
        let kind = if wired.r#type.is_empty() {
            event.name.as_str()
        } else {
            wired.r#type.as_str()
        };
        let before = (self.size.total(), self.stop.is_some());
        match kind {
            "message_start" => {
                if let Some(started) = wired.message {
                    self.model = started.model;
                    self.count(started.usage);
                }
            }
            "content_block_start" => self.open(wired.index, wired.content_block, parts)?,
            "content_block_delta" => self.add(wired.index, &wired.delta, parts)?,
            "content_block_stop" => self.close(wired.index)?,
            "message_delta" => {
                self.stop = wired.delta.string("stop_reason").or(self.stop.take());
                self.count(wired.usage);
            }
            "message_stop" => return Ok(Step::Done),
            "error" => return Err(Broken::Error(event.data.clone())),
            _ => return Ok(Step::Ignored),
        }
        Ok(match (self.size.total(), self.stop.is_some()) == before {
            true => Step::Empty,
            false => Step::Progress,
        })
    }

    /// The whole answer, after [`Step::Done`].
    pub(super) fn reply(self) -> Result<Reply, Broken> {
        let mut blocks = Vec::with_capacity(self.slots.all.len());
        for state in self.slots.all {
            match state {
                State::Closed(block) => blocks.push(block),
                State::Open(_) => return Err(Broken::Nonsense("left a part of its answer open")),
            }
        }
        let mut reply = Reply {
            blocks,
            stop: Stop::EndTurn,
            usage: self.usage,
            model: self.model,
            wire: Wire::Anthropic,
        };
        reply.stop = match self.stop.as_deref() {
            // Some servers do not say that they wait for tools.
            None | Some("end_turn" | "stop_sequence" | "tool_use") if !reply.calls().is_empty() => {
                Stop::ToolUse
            }
            None | Some("end_turn" | "stop_sequence") => Stop::EndTurn,
            Some("tool_use") => Stop::ToolUse,
            Some("max_tokens") => Stop::MaxTokens,
            Some("pause_turn") => Stop::Pause,
            Some("refusal") => Stop::Refusal,
            Some("model_context_window_exceeded") => Stop::ContextFull,
            Some(other) => Stop::Other(other.to_owned()),
        };
        Ok(reply)
    }

    /// Counts only ever grow while an answer comes; servers that know one only at one end send 0 at the other.
    fn count(&mut self, usage: Option<WiredUsage>) {
        let Some(new) = usage else { return };
        let known = &mut self.usage;
        for (known, new) in [
            (&mut known.input, new.input_tokens),
            (&mut known.output, new.output_tokens),
            (&mut known.cache_read, new.cache_read_input_tokens),
            (&mut known.cache_write, new.cache_creation_input_tokens),
        ] {
            *known = new.unwrap_or(0).max(*known);
        }
    }

    fn open(
        &mut self,
        index: u64,
        start: Option<Box<RawValue>>,
        parts: &mut PartSink,
    ) -> Result<(), Broken> {
        if self.slots.open(index).is_some() {
            return Err(Broken::Nonsense("opened a part of its answer twice"));
        }
        let start = start.ok_or(Broken::Nonsense("opened a part of its answer with nothing"))?;
        self.size.block(start.get().len())?;
        let fields: Fields = serde_json::from_str(start.get())
            .map_err(|_| Broken::Nonsense("sent a block that is no object"))?;
        let kind = fields.string("type").unwrap_or_default();
        if kind == "tool_use" {
            let name = fields.string("name").unwrap_or_default();
            parts(Part::ToolUse { name });
        }
        show("text", fields.string("text"), parts);
        show("thinking", fields.string("thinking"), parts);
        let open = Open {
            start,
            kind,
            added: Vec::new(),
            citations: Vec::new(),
            replaced: Vec::new(),
        };
        self.slots.push(index, open);
        Ok(())
    }

    fn add(&mut self, index: u64, delta: &Fields, parts: &mut PartSink) -> Result<(), Broken> {
        let open = self.slots.open(index).ok_or(Broken::Nonsense(
            "added to a part of its answer that is not open",
        ))?;
        for (field, value) in delta.iter() {
            match (field, serde_json::from_str::<String>(value.get())) {
                ("type", _) => continue,
                ("citation", _) => open.citations.push(value.to_owned()),
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

    fn close(&mut self, index: u64) -> Result<(), Broken> {
        let state = self.slots.get(index).ok_or(Broken::Nonsense(
            "closed a part of its answer that it never opened",
        ))?;
        if let State::Open(open) = state {
            let block = open.block(&mut self.ids);
            *state =
                State::Closed(block.ok_or(Broken::Nonsense("sent a block that is no object"))?);
        }
        Ok(())
    }
}

/// All blocks in the order in which they were opened, and by index the last one: a server may use an index again.
#[derive(Default)]
struct Slots {
    all: Vec<State>,
    last: HashMap<u64, usize>,
}

impl Slots {
    fn push(&mut self, index: u64, open: Open) {
        self.last.insert(index, self.all.len());
        self.all.push(State::Open(Box::new(open)));
    }

    fn get(&mut self, index: u64) -> Option<&mut State> {
        self.all.get_mut(*self.last.get(&index)?)
    }

    fn open(&mut self, index: u64) -> Option<&mut Open> {
        match self.get(index)? {
            State::Open(open) => Some(&mut **open),
            State::Closed(_) => None,
        }
    }
}

fn show(field: &str, text: Option<String>, parts: &mut PartSink) {
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return;
    };
    match field {
        "text" => parts(Part::Text(text)),
        "thinking" => parts(Part::Thinking(text)),
        _ => {}
    }
}

impl Open {
    fn append(&mut self, field: &str, text: &str) -> Result<(), Endless> {
        match self.added.iter_mut().find(|(name, _)| name == field) {
            Some((_, known)) => known.push_str(text),
            None => {
                one_more_field(self.added.len())?;
                self.added.push((field.to_owned(), text.to_owned()));
            }
        }
        Ok(())
    }

    fn replace(&mut self, field: &str, value: &RawValue) -> Result<(), Endless> {
        match self.replaced.iter_mut().find(|(name, _)| name == field) {
            Some((_, known)) => *known = value.to_owned(),
            None => {
                one_more_field(self.replaced.len())?;
                self.replaced.push((field.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    fn block(&self, ids: &mut CallIds<'_>) -> Option<Block> {
        let is_known = matches!(self.kind.as_str(), "text" | "thinking" | "tool_use");
        let is_untouched =
            self.added.is_empty() && self.citations.is_empty() && self.replaced.is_empty();
        if !is_known && is_untouched {
            return Block::from_json(self.start.get().to_owned());
        }
        let mut fields: Fields = serde_json::from_str(self.start.get()).ok()?;
        let mut arguments = String::new();
        for (field, text) in &self.added {
            if field == "partial_json" {
                arguments.clone_from(text);
                continue;
            }
            let start = fields.string(field).unwrap_or_default();
            fields.set(field, raw_string(&(start + text)));
        }
        for (field, value) in &self.replaced {
            fields.set(field, value.clone());
        }
        if !self.citations.is_empty() {
            let earlier: Vec<Box<RawValue>> = fields
                .raw("citations")
                .and_then(|list| serde_json::from_str(list).ok())
                .unwrap_or_default();
            let all = earlier.iter().chain(&self.citations);
            fields.set("citations", raw_list(all.map(|citation| citation.get())));
        }
        if self.kind == "tool_use" {
            return self.tool_use(fields, arguments, ids);
        }
        if let ToolInput::Json(input) = ToolInput::read(arguments) {
            fields.set("input", input);
        }
        if is_known {
            fields.in_order(&ORDER);
        }
        Block::from_json(fields.json())
    }

    fn tool_use(
        &self,
        mut fields: Fields,
        arguments: String,
        ids: &mut CallIds<'_>,
    ) -> Option<Block> {
        let id = ids.give(&fields.string("id").unwrap_or_default());
        let arguments = match arguments.trim() {
            "" => fields.raw("input").unwrap_or("{}").to_owned(),
            _ => arguments,
        };
        match ToolInput::read(arguments) {
            ToolInput::Json(input) => {
                fields.set("id", raw_string(&id));
                fields.set("input", input);
                fields.in_order(&ORDER);
                Block::from_json(fields.json())
            }
            input @ ToolInput::Damaged(_) => Some(Block::tool_use(&ToolCall {
                id: CallId::new(id),
                name: fields.string("name").unwrap_or_default(),
                input,
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::sse::Reader;

    /// What a stream of these bytes gives before it breaks off.
    fn read(bytes: &[u8]) -> Option<Reply> {
        let mut events = Vec::new();
        Reader::default().feed(bytes, &mut events).unwrap();
        let mut assembly = Assembly::new(&[]);
        let mut sink: PartSink = Box::new(|_| {});
        for event in events {
            if let Step::Done = assembly.take(&event, &mut sink).ok()? {
                return assembly.reply().ok();
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
        // A lost byte may break the answer or a word in it, but never this program: no panic.
        for lost in 0..stream.len() {
            let bytes = stream.as_bytes();
            read(&[&bytes[..lost], &bytes[lost + 1..]].concat());
        }
    }
}
