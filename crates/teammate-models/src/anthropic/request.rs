//! A request's bytes. What was sent before is copied, not made again, so the work of a turn grows with what is new;
//! and the bytes of one request, without cache markers and closing brackets, begin the next.

use std::borrow::Cow;

use serde::Deserialize;
use teammate_core::{
    block::{Block, BlockView},
    model::{ChatMessage, Preamble, Request, Role, Wire},
    tool::{CallId, ToolCall, ToolInput, ToolSpec},
};

use crate::{
    call_id::plain,
    json::{Fields, quoted, raw_list, raw_string},
};

const MARKER: &str = r#","cache_control":{"type":"ephemeral"}"#;

/// Stands where a message would be empty or blank, which the API refuses.
const NOTHING: &str = r#"{"type":"text","text":"(nothing)"}"#;

/// The whole body.
pub(super) fn body(model: &str, request: &Request) -> String {
    let preamble = &request.preamble;
    let shared = preamble.rendered_tools(Wire::Anthropic, |tools| shared(tools, preamble));
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
        // The last block of all is written to the cache; the one that was last before is where it is read from.
        let is_last = at + 1 == messages.len();
        let was_last = at + 1 == request.cached && message.role == Role::User;
        match bytes.strip_suffix("}]}") {
            Some(start) if (is_last || was_last) && ends_markable(message) => {
                out.push_str(start);
                out.push_str(MARKER);
                out.push_str("}]}");
            }
            Some(_) | None => out.push_str(bytes),
        }
    }
    out.push_str("]}");
    out
}

/// Tools and shared instructions, with the marker that caches both.
fn shared(tools: &[ToolSpec], preamble: &Preamble) -> String {
    let has_system = !preamble.system.trim().is_empty();
    let mut out = String::new();
    if !tools.is_empty() {
        let tools: Vec<String> = tools
            .iter()
            .enumerate()
            .map(|(at, tool)| {
                let is_end = at + 1 == tools.len() && !has_system;
                format!(
                    r#"{{"name":{},"description":{},"input_schema":{}{}}}"#,
                    quoted(&tool.name),
                    quoted(&tool.description),
                    tool.schema.get(),
                    if is_end { MARKER } else { "" },
                )
            })
            .collect();
        out.push_str(&format!(r#","tools":[{}]"#, tools.join(",")));
    }
    if has_system {
        out.push_str(&format!(
            r#","system":[{{"type":"text","text":{}{MARKER}}}"#,
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

/// One message without markers: the same bytes for ever.
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
        out.push_str(NOTHING);
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

/// A block as the API takes it; `None` if it takes it in no form.
fn sendable<'a>(block: &'a Block, message: &ChatMessage) -> Option<Cow<'a, str>> {
    // Reasoning is signed by, or known to, the wire it came in; on another it is refused or means nothing.
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

/// A call with an input, an id and a name that the API takes.
fn tool_use(block: &Block, call: ToolCall) -> Cow<'_, str> {
    let (id, name) = (plain(call.id.as_str()), plain(&call.name));
    let input = match call.input {
        ToolInput::Json(_) if id == call.id.as_str() && name == call.name => {
            return Cow::Borrowed(block.json());
        }
        input @ ToolInput::Json(_) => input,
        ToolInput::Damaged(_) => ToolInput::read("{}".to_owned()),
    };
    let block = Block::tool_use(&ToolCall {
        id: CallId::new(id.into_owned()),
        name: name.into_owned(),
        input,
    });
    Cow::Owned(block.json().to_owned())
}

/// A tool result whose texts are not blank, for an id that the API takes.
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
    if said.len() == parts.len() && !said.is_empty() && plain(&id) == id {
        return Cow::Borrowed(block.json());
    }
    fields.set("tool_use_id", raw_string(&plain(&id)));
    let said = if said.is_empty() { vec![NOTHING] } else { said };
    fields.set("content", raw_list(said));
    Cow::Owned(fields.json())
}

/// Whether the message's last block is one that a marker may be on.
fn ends_markable(message: &ChatMessage) -> bool {
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
