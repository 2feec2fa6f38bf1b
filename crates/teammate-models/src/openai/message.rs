//! Translates blocks into chat messages, each message once; later requests copy the bytes.

use std::borrow::Cow;

use serde::Deserialize;
use teammate_core::{
    block::{Block, BlockView},
    model::{ChatMessage, Role},
    tool::ToolInput,
};

use super::{REASONING_BLOCK, VENDOR_FIELDS_BLOCK};
use crate::{
    attachments::{self, Takes},
    call_id::{short_id, to_wire_id},
    json::{Fields, quoted},
};

/// The parts of a message that the model can read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Readable {
    /// The reasoning and the vendor's fields of its answer.
    pub(super) reasoning: bool,
    /// Its pictures and documents.
    pub(super) takes: Takes,
    /// Whether answers with calls say that they have no reasoning.
    pub(super) echo: bool,
    /// Whether what is said beside results of tools stands in the last of them.
    pub(super) joins_mail: bool,
    /// No text beside calls.
    pub(super) null: &'static str,
    /// Whether ids of calls have nine letters and digits.
    pub(super) short_ids: bool,
}

/// One message as one or more chat messages, joined by commas.
pub(super) fn rendered(message: &ChatMessage, readable: Readable) -> String {
    match message.role {
        Role::User => user_messages(message, readable).join(","),
        Role::Assistant => assistant_message(message, readable),
    }
}

/// The fields of a block that this wire uses.
#[derive(Deserialize)]
struct WireBlock {
    #[serde(rename = "type", default)]
    kind: String,
    // A tool's result.
    #[serde(default)]
    tool_use_id: String,
    #[serde(default)]
    content: Content,
    #[serde(default)]
    is_error: bool,
    // A picture or a document.
    source: Option<Source>,
    title: Option<String>,
    // Our own blocks.
    #[serde(default)]
    text: String,
    #[serde(default)]
    field: String,
    #[serde(default)]
    fields: Fields,
    #[serde(default)]
    calls: Fields,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Content {
    Text(String),
    Parts(Vec<ContentPart>),
}

impl Default for Content {
    fn default() -> Self {
        Self::Parts(Vec::new())
    }
}

#[derive(Deserialize)]
struct ContentPart {
    #[serde(rename = "type", default)]
    kind: String,
    title: Option<String>,
    text: Option<String>,
    source: Option<Source>,
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
        if let (Some(DOCUMENT), Some(data)) = (self.media_type.as_deref(), &self.data) {
            return Some(format!(
                r#"{{"type":"file","file":{{"filename":{},"file_data":"data:{DOCUMENT};base64,{data}"}}}}"#,
                quoted(title.unwrap_or("document.pdf"))
            ));
        }
        let url = match (&self.media_type, &self.data, &self.url) {
            (Some(kind), Some(data), _) => format!("data:{kind};base64,{data}"),
            (_, _, Some(url)) => url.clone(),
            _ => return None,
        };
        let url = quoted(&url);
        Some(format!(
            r#"{{"type":"image_url","image_url":{{"url":{url}}}}}"#
        ))
    }
}

fn wire_block(block: &Block) -> Option<WireBlock> {
    serde_json::from_str(block.json()).ok()
}

/// A user message: a `tool` message for each result, then one `user` message with pictures, documents and text.
fn user_messages(message: &ChatMessage, readable: Readable) -> Vec<String> {
    let takes = readable.takes;
    let mut results: Vec<ToolMessage> = Vec::new();
    let mut out = Vec::new();
    let mut pictures = Vec::new();
    let mut texts = Vec::new();
    for block in &message.blocks {
        if let BlockView::Text(text) = block.view() {
            texts.push(text);
        } else if let Some(block) = wire_block(block) {
            match block.kind.as_str() {
                "tool_result" => results.push(tool_message(&block, readable, &mut pictures)),
                kind => match attachments::line_for(kind, block.title.as_deref(), takes) {
                    Some(line) => texts.push(line),
                    None => {
                        let part = block
                            .source
                            .and_then(|source| source.part(block.title.as_deref()));
                        pictures.extend(part);
                    }
                },
            }
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let mut text = joined(&texts);
    if readable.joins_mail
        && let Some(last) = results.last_mut()
    {
        let said = std::mem::take(&mut text);
        last.text = joined(&[&last.text, &said]);
    }
    out.extend(results.iter().map(ToolMessage::json));
    if !pictures.is_empty() {
        if readable.joins_mail && !results.is_empty() {
            out.push(r#"{"role":"assistant","content":"(waiting for what follows)"}"#.to_owned());
        }
        if !text.is_empty() {
            pictures.push(format!(r#"{{"type":"text","text":{}}}"#, quoted(&text)));
        }
        let parts = pictures.join(",");
        out.push(format!(r#"{{"role":"user","content":[{parts}]}}"#));
    } else if !text.is_empty() || out.is_empty() {
        let text = if text.is_empty() { "(nothing)" } else { &text };
        out.push(format!(r#"{{"role":"user","content":{}}}"#, quoted(text)));
    }
    out
}

/// A result as a `tool` message, which holds only text; pictures and documents follow in the `user` message.
fn tool_message(result: &WireBlock, readable: Readable, pictures: &mut Vec<String>) -> ToolMessage {
    let takes = readable.takes;
    let mut texts: Vec<Cow<'_, str>> = Vec::new();
    let mut shown = Vec::new();
    match &result.content {
        Content::Text(text) => texts.push(text.into()),
        Content::Parts(parts) => {
            for part in parts {
                texts.extend(part.text.as_deref().map(Cow::Borrowed));
                match attachments::line_for(&part.kind, part.title.as_deref(), takes) {
                    Some(line) => texts.push(line.into()),
                    None => {
                        let source = part.source.as_ref();
                        shown.extend(source.and_then(|source| source.part(part.title.as_deref())));
                    }
                }
            }
        }
    }
    let texts: Vec<&str> = texts.iter().map(|text| &**text).collect();
    let mut text = joined(&texts);
    if text.is_empty() {
        text = match shown.len() {
            0 => "(nothing)".to_owned(),
            _ => "(see the picture below)".to_owned(),
        };
    }
    // The wire has no field for an error.
    if result.is_error && !text.to_ascii_lowercase().starts_with("error") {
        text = format!("Error: {text}");
    }
    pictures.append(&mut shown);
    ToolMessage {
        id: readable.id(&result.tool_use_id).into_owned(),
        text,
    }
}

/// A `tool` message.
struct ToolMessage {
    id: String,
    text: String,
}

impl ToolMessage {
    fn json(&self) -> String {
        format!(
            r#"{{"role":"tool","tool_call_id":{},"content":{}}}"#,
            quoted(&self.id),
            quoted(&self.text)
        )
    }
}

impl Readable {
    /// The id of a call, as the server takes it.
    fn id(self, id: &str) -> Cow<'_, str> {
        match self.short_ids {
            true => short_id(id).into(),
            false => id.into(),
        }
    }
}

/// An assistant message: text, tool calls and vendor fields.
fn assistant_message(message: &ChatMessage, readable: Readable) -> String {
    let mut texts = Vec::new();
    let mut calls = Vec::new();
    let mut added = String::new();
    let mut added_to_calls = Fields::default();
    for block in &message.blocks {
        match block.view() {
            BlockView::Text(text) => texts.push(text),
            BlockView::ToolUse(call) => calls.push(call),
            BlockView::Thinking(_) => {}
            BlockView::Other if readable.reasoning => {
                let Some(block) = wire_block(block) else {
                    continue;
                };
                match block.kind.as_str() {
                    REASONING_BLOCK => added.push_str(&format!(
                        ",{}:{}",
                        quoted(&block.field),
                        quoted(&block.text)
                    )),
                    VENDOR_FIELDS_BLOCK => {
                        push_fields(&mut added, &block.fields);
                        added_to_calls = block.calls;
                    }
                    _ => {}
                }
            }
            BlockView::Other => {}
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let text = match texts.as_slice() {
        [text] if !text.trim().is_empty() => (*text).to_owned(),
        texts => joined(texts),
    };
    let calls: Vec<String> = calls
        .iter()
        .map(|call| {
            let arguments = match &call.input {
                ToolInput::Json(raw) => raw.get(),
                ToolInput::Damaged(_) => "{}",
            };
            let mut more = String::new();
            if let Some(fields) = added_to_calls.raw(call.id.as_str())
                && let Ok(fields) = serde_json::from_str(fields)
            {
                push_fields(&mut more, &fields);
            }
            format!(
                r#"{{"id":{},"type":"function","function":{{"name":{},"arguments":{}}}{more}}}"#,
                quoted(&readable.id(call.id.as_str())),
                quoted(&to_wire_id(&call.name)),
                quoted(arguments)
            )
        })
        .collect();
    if readable.echo && !calls.is_empty() && !added.contains(r#""reasoning_content""#) {
        added.push_str(r#","reasoning_content":"""#);
    }
    let content = match (text.is_empty(), calls.is_empty()) {
        (true, false) => readable.null.to_owned(),
        (true, true) => quoted("(nothing)"),
        (false, _) => quoted(&text),
    };
    let calls = match calls.as_slice() {
        [] => String::new(),
        calls => format!(r#","tool_calls":[{}]"#, calls.join(",")),
    };
    format!(r#"{{"role":"assistant","content":{content}{calls}{added}}}"#)
}

fn push_fields(out: &mut String, fields: &Fields) {
    for (name, value) in fields.iter() {
        out.push_str(&format!(",{}:{}", quoted(name), value.get()));
    }
}

/// The texts that are not blank, separated by blank lines.
pub(crate) fn joined(texts: &[&str]) -> String {
    let said: Vec<&str> = texts
        .iter()
        .copied()
        .filter(|text| !text.trim().is_empty())
        .collect();
    said.join("\n\n")
}
