//! Translates blocks into input items, each message once; later requests copy the bytes.

use serde::Deserialize;
use teammate_core::{
    block::{Block, BlockView},
    model::{ChatMessage, Role},
    tool::{ToolCall, ToolInput},
};

use super::{ITEM_BLOCK, PHASE_BLOCK};
use crate::{
    attachments::{self, Takes},
    call_id::to_wire_id,
    json::{Fields, quoted},
};

/// The parts of a message that the model can read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Readable {
    /// The items of its answer besides text and calls.
    pub(super) items: bool,
    /// Its pictures and documents.
    pub(super) takes: Takes,
    /// The server is OpenAI itself, which reads its reasoning only from what it encrypted.
    pub(super) is_official: bool,
}

/// One message as input items, joined by commas. Never empty.
pub(super) fn rendered(message: &ChatMessage, readable: Readable) -> String {
    let items = match message.role {
        Role::User => user_items(message, readable.takes),
        Role::Assistant => assistant_items(message, readable),
    };
    match items.is_empty() {
        true => text_item(role(message.role), "(nothing)", None),
        false => items.join(","),
    }
}

fn role(role: Role) -> &'static str {
    match role {
        Role::User => "user",
        Role::Assistant => "assistant",
    }
}

/// A message of this role, in its short form, which needs no id.
pub(super) fn text_item(role: &str, text: &str, phase: Option<&str>) -> String {
    let phase = phase.map_or_else(String::new, |phase| format!(r#","phase":{phase}"#));
    format!(r#"{{"role":"{role}","content":{}{phase}}}"#, quoted(text))
}

/// The fields of a block that this wire uses.
#[derive(Deserialize)]
struct WireBlock {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    tool_use_id: String,
    #[serde(default)]
    content: Content,
    #[serde(default)]
    is_error: bool,
    source: Option<Source>,
    title: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<Part>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Parts(Vec::new())
    }
}

#[derive(Deserialize)]
struct Part {
    #[serde(rename = "type", default)]
    kind: String,
    text: Option<String>,
    source: Option<Source>,
    title: Option<String>,
}

#[derive(Deserialize)]
struct Source {
    media_type: Option<String>,
    data: Option<String>,
    url: Option<String>,
}

/// The media type of documents; any other is a picture's.
const DOCUMENT: &str = "application/pdf";

impl Source {
    /// The content part of a picture, or of a document with this title.
    fn part(&self, title: Option<&str>) -> Option<String> {
        let url = match (&self.media_type, &self.data, &self.url) {
            (Some(kind), Some(data), _) => format!("data:{kind};base64,{data}"),
            (_, _, Some(url)) => url.clone(),
            _ => return None,
        };
        let url = quoted(&url);
        Some(match self.media_type.as_deref() {
            Some(DOCUMENT) => format!(
                r#"{{"type":"input_file","filename":{},"file_data":{url}}}"#,
                quoted(title.unwrap_or("document.pdf"))
            ),
            _ => format!(r#"{{"type":"input_image","image_url":{url},"detail":"auto"}}"#),
        })
    }
}

fn text_part(text: &str) -> String {
    format!(r#"{{"type":"input_text","text":{}}}"#, quoted(text))
}

/// A user message: the outputs of calls, then one message with what else there is, in its order.
fn user_items(message: &ChatMessage, takes: Takes) -> Vec<String> {
    let mut items = Vec::new();
    let mut parts = Vec::new();
    for block in &message.blocks {
        if let BlockView::Text(text) = block.view() {
            if !text.trim().is_empty() {
                parts.push(text_part(&text));
            }
            continue;
        }
        let Ok(block) = serde_json::from_str::<WireBlock>(block.json()) else {
            continue;
        };
        match block.kind.as_str() {
            "tool_result" => items.push(output_item(&block, takes)),
            kind => parts.extend(
                attachments::line_for(kind, block.title.as_deref(), takes)
                    .map(|line| text_part(&line))
                    .or_else(|| block.source?.part(block.title.as_deref())),
            ),
        }
    }
    if !parts.is_empty() {
        let parts = parts.join(",");
        items.push(format!(r#"{{"role":"user","content":[{parts}]}}"#));
    }
    items
}

/// The output of a call: a text, or parts if there is more in it.
fn output_item(result: &WireBlock, takes: Takes) -> String {
    let mut texts: Vec<String> = Vec::new();
    let mut shown = Vec::new();
    match &result.content {
        Content::Text(text) => texts.push(text.clone()),
        Content::Parts(parts) => {
            for part in parts {
                texts.extend(part.text.clone());
                match attachments::line_for(&part.kind, part.title.as_deref(), takes) {
                    Some(line) => texts.push(line),
                    None => {
                        let source = part.source.as_ref();
                        shown.extend(source.and_then(|source| source.part(part.title.as_deref())));
                    }
                }
            }
        }
    }
    texts.retain(|text| !text.trim().is_empty());
    let mut text = texts.join("\n\n");
    if text.is_empty() && shown.is_empty() {
        text = "(nothing)".to_owned();
    }
    // The wire has no field for an error.
    if result.is_error && !text.to_ascii_lowercase().starts_with("error") {
        text = format!("Error: {text}");
    }
    let output = match shown.is_empty() {
        true => quoted(&text),
        false => {
            let said = (!text.is_empty()).then(|| text_part(&text));
            let parts: Vec<String> = said.into_iter().chain(shown).collect();
            format!("[{}]", parts.join(","))
        }
    };
    let id = quoted(&to_wire_id(&result.tool_use_id));
    format!(r#"{{"type":"function_call_output","call_id":{id},"output":{output}}}"#)
}

/// An answer: its items in their order. Reasoning goes with what it was for: at the end of an answer that was cut or said nothing,
/// the API refuses it.
fn assistant_items(message: &ChatMessage, readable: Readable) -> Vec<String> {
    let mut items = Vec::new();
    let mut reasoning = Vec::new();
    let mut phase: Option<String> = None;
    for block in &message.blocks {
        let item = match block.view() {
            BlockView::Text(text) if text.trim().is_empty() => {
                phase = None;
                None
            }
            BlockView::Text(text) => Some(text_item("assistant", &text, phase.take().as_deref())),
            BlockView::ToolUse(call) => Some(call_item(&call)),
            BlockView::Thinking(_) => None,
            BlockView::Other if readable.items => match native(block, readable.is_official) {
                Some(Native::Phase(of_next)) => {
                    phase = Some(of_next);
                    None
                }
                Some(Native::Reasoning(item)) => {
                    reasoning.push(item);
                    None
                }
                Some(Native::Item(item)) => Some(item),
                None => None,
            },
            BlockView::Other => None,
        };
        if let Some(item) = item {
            items.append(&mut reasoning);
            items.push(item);
        }
    }
    items
}

fn call_item(call: &ToolCall) -> String {
    let arguments = match &call.input {
        ToolInput::Json(raw) => raw.get(),
        ToolInput::Damaged(_) => "{}",
    };
    format!(
        r#"{{"type":"function_call","call_id":{},"name":{},"arguments":{}}}"#,
        quoted(&to_wire_id(call.id.as_str())),
        quoted(&to_wire_id(&call.name)),
        quoted(arguments)
    )
}

/// The native blocks of an answer on this wire, besides text and calls.
enum Native {
    /// The phase of the text after it, as JSON.
    Phase(String),
    /// Reasoning, as it came.
    Reasoning(String),
    /// Another item, as it came.
    Item(String),
}

fn native(block: &Block, is_official: bool) -> Option<Native> {
    let fields: Fields = serde_json::from_str(block.json()).ok()?;
    let has = |field, nothing| fields.raw(field).is_some_and(|value| value != nothing);
    match fields.string("type")?.as_str() {
        PHASE_BLOCK => Some(Native::Phase(fields.raw("phase")?.to_owned())),
        ITEM_BLOCK => Some(Native::Item(fields.raw("item")?.to_owned())),
        // A server that keeps nothing can read what it encrypted, and those that encrypt nothing read the text.
        "reasoning" => {
            let is_whole =
                has("encrypted_content", r#""""#) || (!is_official && has("content", "[]"));
            is_whole.then(|| Native::Reasoning(block.json().to_owned()))
        }
        _ => Some(Native::Item(block.json().to_owned())),
    }
}
