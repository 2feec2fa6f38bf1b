//! One message in the API's form. Its bytes never change, unless the server refuses what is in it.

use std::borrow::Cow;

use serde::Deserialize;
use teammate_core::{
    block::{Block, BlockView},
    model::{ChatMessage, Role},
    tool::{CallId, ToolCall, ToolInput},
};

use crate::{
    attachments::{self, Takes},
    call_id::to_wire_id,
    json::{Fields, raw_list, raw_string},
};

/// Replaces an empty or blank message, which the API refuses.
const EMPTY_TEXT: &str = r#"{"type":"text","text":"(nothing)"}"#;

/// The parts of a message that the model can read.
#[derive(Debug, Clone, Copy)]
pub(super) struct Readable {
    pub(super) thinking: bool,
    /// Its pictures and documents.
    pub(super) takes: Takes,
}

/// One message without cache markers.
pub(super) fn rendered(message: &ChatMessage, readable: Readable) -> String {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let mut out = format!(r#"{{"role":"{role}","content":["#);
    let blocks: Vec<Cow<'_, str>> = message
        .blocks
        .iter()
        .filter_map(|block| sendable(block, message.role, readable))
        .collect();
    if blocks.is_empty() {
        out.push_str(EMPTY_TEXT);
    }
    out.push_str(&blocks.join(","));
    out.push_str("]}");
    out
}

/// Whether the message begins with thinking, as a model that is asked for it with a budget wants its last answer to.
pub(super) fn begins_with_thinking(message: &ChatMessage) -> bool {
    message.blocks.first().is_some_and(|block| {
        matches!(block.view(), BlockView::Thinking(_)) || kind(block) == "redacted_thinking"
    })
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type", default)]
    kind: String,
    #[serde(default)]
    title: Option<String>,
}

fn kind(block: &Block) -> String {
    serde_json::from_str(block.json()).map_or_else(|_| String::new(), |kind: Kind| kind.kind)
}

/// A block in the form that the API accepts; `None` if it accepts none.
fn sendable(block: &Block, role: Role, readable: Readable) -> Option<Cow<'_, str>> {
    let as_it_is = Some(Cow::Borrowed(block.json()));
    match block.view() {
        BlockView::Text(text) if text.trim().is_empty() => None,
        BlockView::Text(_) => as_it_is,
        BlockView::ToolUse(call) => Some(tool_use(block, call)),
        BlockView::Thinking(_) => as_it_is.filter(|_| readable.thinking),
        BlockView::Other => match (role, kind(block).as_str()) {
            (Role::User, "tool_result") => Some(tool_result(block, readable.takes)),
            (Role::User, _) => Some(match line_for(block, readable.takes) {
                Some(line) => Cow::Owned(line.json().to_owned()),
                None => Cow::Borrowed(block.json()),
            }),
            (Role::Assistant, _) => as_it_is.filter(|_| readable.thinking),
        },
    }
}

/// A call with an input, an id and a name that the API accepts.
fn tool_use(block: &Block, call: ToolCall) -> Cow<'_, str> {
    let (id, name) = (to_wire_id(call.id.as_str()), to_wire_id(&call.name));
    let input = match call.input {
        ToolInput::Json(_) if id == call.id.as_str() && name == call.name => {
            return Cow::Borrowed(block.json());
        }
        input @ ToolInput::Json(_) => input,
        ToolInput::Damaged(_) => ToolInput::from_json("{}".to_owned()),
    };
    let block = Block::tool_use(&ToolCall {
        id: CallId::new(id.into_owned()),
        name: name.into_owned(),
        input,
    });
    Cow::Owned(block.json().to_owned())
}

/// A tool result without blank texts and without what the model does not take, with an id that the API accepts.
fn tool_result(block: &Block, takes: Takes) -> Cow<'_, str> {
    let content = |fields: &Fields| serde_json::from_str::<Vec<Block>>(fields.raw("content")?).ok();
    let Ok(mut fields) = serde_json::from_str::<Fields>(block.json()) else {
        return Cow::Borrowed(block.json());
    };
    let Some(parts) = content(&fields) else {
        return Cow::Borrowed(block.json());
    };
    let said: Vec<Cow<'_, Block>> = parts
        .iter()
        .filter_map(|part| result_part(part, takes))
        .collect();
    let is_untouched = said.len() == parts.len()
        && !said.is_empty()
        && said.iter().all(|part| matches!(part, Cow::Borrowed(_)));
    let id = fields.string("tool_use_id").unwrap_or_default();
    if is_untouched && to_wire_id(&id) == id {
        return Cow::Borrowed(block.json());
    }
    fields.set("tool_use_id", raw_string(&to_wire_id(&id)));
    let said = match said.is_empty() {
        true => raw_list([EMPTY_TEXT]),
        false => raw_list(said.iter().map(|part| part.json())),
    };
    fields.set("content", said);
    Cow::Owned(fields.json())
}

/// A part of a tool result as it is sent; `None` if it is blank.
fn result_part(part: &Block, takes: Takes) -> Option<Cow<'_, Block>> {
    match part.view() {
        BlockView::Text(text) if text.trim().is_empty() => None,
        BlockView::Text(_) | BlockView::ToolUse(_) | BlockView::Thinking(_) => {
            Some(Cow::Borrowed(part))
        }
        BlockView::Other => Some(match line_for(part, takes) {
            Some(line) => Cow::Owned(line),
            None => Cow::Borrowed(part),
        }),
    }
}

/// The line in place of a block that the model does not take.
fn line_for(block: &Block, takes: Takes) -> Option<Block> {
    let fields: Kind = serde_json::from_str(block.json()).ok()?;
    let line = attachments::line_for(&fields.kind, fields.title.as_deref(), takes)?;
    Some(Block::text(&line))
}

/// True if the API accepts a cache marker on the message's last block.
pub(super) fn can_carry_cache_control(message: &ChatMessage) -> bool {
    message
        .blocks
        .last()
        .is_some_and(|block| match block.view() {
            BlockView::Text(text) => !text.trim().is_empty(),
            BlockView::ToolUse(_) => true,
            BlockView::Thinking(_) => false,
            BlockView::Other => {
                matches!(kind(block).as_str(), "tool_result" | "image" | "document")
            }
        })
}
