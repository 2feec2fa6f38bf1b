//! Translates blocks into chat messages, each message once; later requests copy the bytes.

use std::{
    hash::{DefaultHasher, Hash, Hasher},
    sync::Arc,
};

use serde::Deserialize;
use teammate_core::{
    block::{Block, BlockView},
    model::{ChatMessage, ModelRequest, Role, Wire},
    tool::{ToolInput, ToolSpec},
};

use super::{REASONING_BLOCK, VENDOR_FIELDS_BLOCK};
use crate::{
    call_id::to_wire_id,
    json::{Fields, quoted},
};

/// The longest `prompt_cache_key` that is sent unchanged.
const CACHE_KEY_BYTES_MAX: usize = 64;

/// The whole body.
pub(super) fn body(model: &str, is_official: bool, request: &ModelRequest) -> String {
    let tools = request.preamble.rendered_tools(Wire::OpenAi, tools);
    let messages: Vec<Arc<str>> = request
        .messages
        .iter()
        .map(|message| match is_official && has_vendor_fields(message) {
            true => rendered(message, false).into(),
            false => message.rendered(Wire::OpenAi, |message| rendered(message, true)),
        })
        .collect();
    let limit = if is_official {
        "max_completion_tokens"
    } else {
        "max_tokens"
    };
    let mut out = format!(
        r#"{{"model":{},"{limit}":{},"stream":true,"stream_options":{{"include_usage":true}}"#,
        quoted(model),
        request.max_tokens
    );
    if is_official {
        let key = cache_key(&request.conversation);
        out.push_str(&format!(r#","prompt_cache_key":{}"#, quoted(&key)));
    }
    let length: usize = messages.iter().map(|message| message.len() + 1).sum();
    out.reserve(
        length + tools.len() + request.preamble.system.len() * 2 + request.identity.len() * 2,
    );
    out.push_str(&tools);
    out.push_str(r#","messages":["#);
    let system = joined(&[&request.preamble.system, &request.identity]);
    let mut first = true;
    if !system.is_empty() {
        out.push_str(&format!(
            r#"{{"role":"system","content":{}}}"#,
            quoted(&system)
        ));
        first = false;
    }
    for message in &messages {
        if !std::mem::take(&mut first) {
            out.push(',');
        }
        out.push_str(message);
    }
    out.push_str("]}");
    out
}

fn cache_key(conversation: &str) -> String {
    if conversation.len() <= CACHE_KEY_BYTES_MAX {
        return conversation.to_owned();
    }
    let mut hasher = DefaultHasher::new();
    conversation.hash(&mut hasher);
    format!("{:016x}", hasher.finish())
}

fn tools(tools: &[ToolSpec]) -> String {
    if tools.is_empty() {
        return String::new();
    }
    let tools: Vec<String> = tools
        .iter()
        .map(|tool| {
            format!(
                r#"{{"type":"function","function":{{"name":{},"description":{},"parameters":{}}}}}"#,
                quoted(&tool.name),
                quoted(&tool.description),
                tool.schema.get(),
            )
        })
        .collect();
    format!(r#","tools":[{}]"#, tools.join(","))
}

/// The texts that are not blank, separated by blank lines.
fn joined(texts: &[&str]) -> String {
    let said: Vec<&str> = texts
        .iter()
        .copied()
        .filter(|text| !text.trim().is_empty())
        .collect();
    said.join("\n\n")
}

/// One message as one or more chat messages, joined by commas. `gives_back`: includes the vendor
/// fields of earlier answers.
fn rendered(message: &ChatMessage, gives_back: bool) -> String {
    match message.role {
        Role::User => user_messages(message).join(","),
        Role::Assistant => {
            assistant_message(message, gives_back && message.wire == Some(Wire::OpenAi))
        }
    }
}

/// True if the message has vendor fields, which OpenAI itself would refuse. Only a member whose
/// model was changed has such messages, so they are not cached in a second form.
fn has_vendor_fields(message: &ChatMessage) -> bool {
    let is_ours = |kind: &str| {
        let start = format!(r#"{{"type":"{kind}""#);
        move |block: &Block| block.json().starts_with(&start)
    };
    message.blocks.iter().any(is_ours(REASONING_BLOCK))
        || message.blocks.iter().any(is_ours(VENDOR_FIELDS_BLOCK))
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
    // A picture or document.
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
fn user_messages(message: &ChatMessage) -> Vec<String> {
    let mut out = Vec::new();
    let mut pictures = Vec::new();
    let mut texts = Vec::new();
    for block in &message.blocks {
        if let BlockView::Text(text) = block.view() {
            texts.push(text);
        } else if let Some(block) = wire_block(block) {
            match block.kind.as_str() {
                "tool_result" => out.push(tool_message(&block, &mut pictures)),
                _ => pictures
                    .extend((block.source).and_then(|source| source.part(block.title.as_deref()))),
            }
        }
    }
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let text = joined(&texts);
    if !pictures.is_empty() {
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
fn tool_message(result: &WireBlock, pictures: &mut Vec<String>) -> String {
    let mut texts: Vec<&str> = Vec::new();
    let mut shown = Vec::new();
    match &result.content {
        Content::Text(text) => texts.push(text),
        Content::Parts(parts) => {
            texts.extend(parts.iter().filter_map(|part| part.text.as_deref()));
            let part = |part: &ContentPart| part.source.as_ref()?.part(part.title.as_deref());
            shown.extend(parts.iter().filter_map(part));
        }
    }
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
    format!(
        r#"{{"role":"tool","tool_call_id":{},"content":{}}}"#,
        quoted(&result.tool_use_id),
        quoted(&text)
    )
}

/// An assistant message: text, tool calls and vendor fields.
fn assistant_message(message: &ChatMessage, gives_back: bool) -> String {
    let mut texts = Vec::new();
    let mut calls = Vec::new();
    let mut added = String::new();
    let mut added_to_calls = Fields::default();
    for block in &message.blocks {
        match block.view() {
            BlockView::Text(text) => texts.push(text),
            BlockView::ToolUse(call) => calls.push(call),
            BlockView::Thinking(_) => {}
            BlockView::Other if gives_back => {
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
                quoted(call.id.as_str()),
                quoted(&to_wire_id(&call.name)),
                quoted(arguments)
            )
        })
        .collect();
    let content = match (text.is_empty(), calls.is_empty()) {
        (true, false) => "null".to_owned(),
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

#[cfg(test)]
mod tests {
    use teammate_core::model::Preamble;

    use super::*;

    #[test]
    fn openai_itself_is_asked_in_its_own_words() {
        let message = |role, blocks, wire| Arc::new(ChatMessage::new(role, blocks, wire));
        let reasoning = r#"{"type":"reasoning","text":"hm","field":"reasoning_content"}"#;
        let reasoning = Block::from_json(reasoning.to_owned()).unwrap();
        let said = vec![reasoning, Block::text("yes")];
        let request = ModelRequest {
            preamble: Arc::new(Preamble::new(Vec::new(), String::new())),
            identity: "".into(),
            messages: vec![
                message(Role::User, vec![Block::text("so?")], None),
                message(Role::Assistant, said, Some(Wire::OpenAi)),
                message(Role::User, vec![Block::text("ok")], None),
            ],
            cached: 0,
            max_tokens: 9,
            conversation: "team/lead".into(),
            asker: "lead".into(),
        };
        let asked = |is_official| body("m", is_official, &request);
        let tail = r#"},{"role":"user","content":"ok"}]}"#;
        let middle =
            r#""messages":[{"role":"user","content":"so?"},{"role":"assistant","content":"yes""#;
        let head =
            r#"{"model":"m","max_tokens":9,"stream":true,"stream_options":{"include_usage":true},"#;
        let added = r#","reasoning_content":"hm""#;
        assert_eq!(asked(false), format!("{head}{middle}{added}{tail}"));
        let head = r#"{"model":"m","max_completion_tokens":9,"stream":true,"stream_options":{"include_usage":true},"prompt_cache_key":"team/lead","#;
        assert_eq!(asked(true), format!("{head}{middle}{tail}"));
    }

    #[test]
    fn a_long_cache_key_is_shortened() {
        let long = "x".repeat(65);
        assert_eq!(cache_key(&long).len(), 16);
        assert_ne!(cache_key(&long), cache_key(&(long.clone() + "y")));
    }
}
