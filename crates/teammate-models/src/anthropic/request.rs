//! The bytes of a request. Messages that were sent before are copied, so the work of a turn grows
//! with the new messages only; and a request starts with the bytes of the one before, without its
//! cache markers and closing brackets.

use std::borrow::Cow;

use serde::Deserialize;
use teammate_core::{
    block::{Block, BlockView},
    model::{ChatMessage, ModelRequest, Preamble, Role, Wire},
    tool::{CallId, ToolCall, ToolInput, ToolSpec},
};

use crate::{
    call_id::to_wire_id,
    json::{Fields, quoted, raw_list, raw_string},
};

const CACHE_CONTROL: &str = r#","cache_control":{"type":"ephemeral"}"#;

/// Replaces an empty or blank message, which the API refuses.
const EMPTY_TEXT: &str = r#"{"type":"text","text":"(nothing)"}"#;

/// The whole body.
pub(super) fn body(model: &str, request: &ModelRequest) -> String {
    let preamble = &request.preamble;
    let shared = preamble.rendered_tools(Wire::Anthropic, |tools| shared_prefix(tools, preamble));
    let messages: Vec<_> = request
        .messages
        .iter()
        .map(|message| message.rendered(Wire::Anthropic, rendered))
        .collect();
    let length: usize = messages.iter().map(|message| message.len() + 1).sum();
    let mut out = String::with_capacity(length + shared.len() + request.identity.len() + 1024);
    out.push_str(&format!(
        r#"{{"model":{},"max_tokens":{},"stream":true"#,
        quoted(model),
        request.max_tokens
    ));
    out.push_str(&shared);
    push_identity(&mut out, preamble, &request.identity);
    out.push_str(r#","messages":["#);
    for (at, (message, bytes)) in request.messages.iter().zip(&messages).enumerate() {
        if at > 0 {
            out.push(',');
        }
        // The marker on the last block writes the cache; the one where the previous request ended reads it.
        let is_last = at + 1 == messages.len();
        let was_last = at + 1 == request.cached && message.role == Role::User;
        match bytes.strip_suffix("}]}") {
            Some(start) if (is_last || was_last) && can_carry_cache_control(message) => {
                out.push_str(start);
                out.push_str(CACHE_CONTROL);
                out.push_str("}]}");
            }
            Some(_) | None => out.push_str(bytes),
        }
    }
    out.push_str("]}");
    out
}

/// Tools and shared instructions, with a cache marker behind the tools that members of every kind begin with, and one behind
/// all.
fn shared_prefix(tools: &[ToolSpec], preamble: &Preamble) -> String {
    let has_system = !preamble.system.trim().is_empty();
    let mut out = String::new();
    if !tools.is_empty() {
        let tools: Vec<String> = tools
            .iter()
            .enumerate()
            .map(|(at, tool)| {
                let is_end = at + 1 == tools.len() && !has_system;
                let is_marked = is_end || at + 1 == preamble.common_tools;
                format!(
                    r#"{{"name":{},"description":{},"input_schema":{}{}}}"#,
                    quoted(&tool.name),
                    quoted(&tool.description),
                    tool.schema.get(),
                    if is_marked { CACHE_CONTROL } else { "" },
                )
            })
            .collect();
        out.push_str(&format!(r#","tools":[{}]"#, tools.join(",")));
    }
    if has_system {
        out.push_str(&format!(
            r#","system":[{{"type":"text","text":{}{CACHE_CONTROL}}}"#,
            quoted(&preamble.system)
        ));
    }
    out
}

fn push_identity(out: &mut String, preamble: &Preamble, identity: &str) {
    let has_system = !preamble.system.trim().is_empty();
    if !identity.trim().is_empty() {
        out.push_str(if has_system { "," } else { r#","system":["# });
        out.push_str(&format!(r#"{{"type":"text","text":{}}}"#, quoted(identity)));
    }
    if has_system || !identity.trim().is_empty() {
        out.push(']');
    }
}

/// One message without markers; its bytes never change.
fn rendered(message: &ChatMessage) -> String {
    let role = match message.role {
        Role::User => "user",
        Role::Assistant => "assistant",
    };
    let mut out = format!(r#"{{"role":"{role}","content":["#);
    let blocks: Vec<Cow<'_, str>> = message
        .blocks
        .iter()
        .filter_map(|block| sendable(block, message))
        .collect();
    if blocks.is_empty() {
        out.push_str(EMPTY_TEXT);
    }
    out.push_str(&blocks.join(","));
    out.push_str("]}");
    out
}

#[derive(Deserialize)]
struct Kind {
    #[serde(rename = "type", default)]
    kind: String,
}

fn kind(block: &Block) -> String {
    serde_json::from_str(block.json()).map_or_else(|_| String::new(), |kind: Kind| kind.kind)
}

/// A block in the form that the API accepts; `None` if it accepts none.
fn sendable<'a>(block: &'a Block, message: &ChatMessage) -> Option<Cow<'a, str>> {
    // Reasoning is valid only on the wire that it came from.
    let is_native = message.wire == Some(Wire::Anthropic);
    let as_it_is = Some(Cow::Borrowed(block.json()));
    match block.view() {
        BlockView::Text(text) if text.trim().is_empty() => None,
        BlockView::Text(_) => as_it_is,
        BlockView::ToolUse(call) => Some(tool_use(block, call)),
        BlockView::Thinking(_) => is_native.then_some(Cow::Borrowed(block.json())),
        BlockView::Other => match (message.role, kind(block).as_str()) {
            (Role::User, "tool_result") => Some(tool_result(block)),
            (Role::User, _) => as_it_is,
            (Role::Assistant, _) => is_native.then_some(Cow::Borrowed(block.json())),
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

/// A tool result without blank texts and with an id that the API accepts.
fn tool_result(block: &Block) -> Cow<'_, str> {
    let is_blank = |text: &str| text.trim().is_empty();
    let content = |fields: &Fields| serde_json::from_str::<Vec<Block>>(fields.raw("content")?).ok();
    let Ok(mut fields) = serde_json::from_str::<Fields>(block.json()) else {
        return Cow::Borrowed(block.json());
    };
    let Some(parts) = content(&fields) else {
        return Cow::Borrowed(block.json());
    };
    let said: Vec<&str> = parts
        .iter()
        .filter(|part| !matches!(part.view(), BlockView::Text(text) if is_blank(&text)))
        .map(Block::json)
        .collect();
    let id = fields.string("tool_use_id").unwrap_or_default();
    if said.len() == parts.len() && !said.is_empty() && to_wire_id(&id) == id {
        return Cow::Borrowed(block.json());
    }
    fields.set("tool_use_id", raw_string(&to_wire_id(&id)));
    let said = if said.is_empty() {
        vec![EMPTY_TEXT]
    } else {
        said
    };
    fields.set("content", raw_list(said));
    Cow::Owned(fields.json())
}

/// True if the API accepts a cache marker on the message's last block.
fn can_carry_cache_control(message: &ChatMessage) -> bool {
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
