//! The Messages API from the server's side: what it refuses. `stream` is what it streams.

mod options;
mod stream;

use std::collections::HashSet;

use serde_json::{Map, Value};
use teammate_core::{
    block::Block,
    model::{ChatMessage, Role},
};

use crate::{
    fields::{Checked, list, object, only, plain, read, said, schema, text, top_level},
    media,
    parsed_request::ParsedRequest,
};
pub(crate) use options::check_beta;
pub(crate) use stream::pieces;
pub use stream::stream;

const TOP: [&str; 15] = [
    "model",
    "max_tokens",
    "stream",
    "tools",
    "system",
    "messages",
    "metadata",
    "temperature",
    "top_p",
    "top_k",
    "stop_sequences",
    "tool_choice",
    "thinking",
    "output_config",
    "service_tier",
];

/// Reads a request, or says what is wrong with it.
pub(crate) fn check(body: &str) -> Checked<ParsedRequest> {
    media::request(body)?;
    let body = read(body)?;
    let top = top_level(&body, &TOP)?;
    let max_tokens = top.get("max_tokens").and_then(Value::as_u64);
    let max_tokens = max_tokens
        .filter(|&max| max > 0)
        .ok_or("max_tokens: required")?;
    if body.to_string().matches("\"cache_control\"").count() > 4 {
        return Err("A maximum of 4 blocks with cache_control may be provided.".to_owned());
    }
    tools(top.get("tools"))?;
    options::check(top, max_tokens)?;
    Ok(ParsedRequest {
        system: system(top.get("system"))?,
        messages: messages(top.get("messages"))?,
        max_tokens: u32::try_from(max_tokens).unwrap_or(u32::MAX),
    })
}

fn tools(tools: Option<&Value>) -> Checked<()> {
    let mut names = HashSet::new();
    for tool in tools.map_or(Ok(&[][..]), |tools| list(Some(tools), "tools"))? {
        let tool = object(tool, "tools")?;
        only(
            tool,
            &["name", "description", "input_schema", "cache_control"],
            "tools",
        )?;
        said(tool, "description", "tools")?;
        if !names.insert(plain(tool, "name", "tools")?) {
            return Err("tools: Tool names must be unique.".to_owned());
        }
        schema(tool.get("input_schema"))?;
    }
    Ok(())
}

fn system(system: Option<&Value>) -> Checked<String> {
    let Some(system) = system else {
        return Ok(String::new());
    };
    let mut texts = Vec::new();
    for block in list(Some(system), "system")? {
        let block = object(block, "system")?;
        only(block, &["type", "text", "cache_control"], "system")?;
        texts.push(said(block, "text", "system")?);
    }
    Ok(texts.join("\n\n"))
}

fn messages(messages: Option<&Value>) -> Checked<Vec<ChatMessage>> {
    let messages = list(messages, "messages")?;
    let mut out = Vec::new();
    let mut ids = HashSet::new();
    let mut open: Vec<String> = Vec::new();
    for (at, message) in messages.iter().enumerate() {
        let what = format!("messages.{at}");
        let message = object(message, &what)?;
        only(message, &["role", "content"], &what)?;
        let role = match (text(message, "role", &what)?, at % 2) {
            ("user", 0) => Role::User,
            ("assistant", 1) => Role::Assistant,
            _ => return Err(format!("{what}: roles must alternate and begin with user")),
        };
        let content = list(message.get("content"), &what)?;
        if content.is_empty() {
            return Err(format!("{what}: content must not be empty"));
        }
        for block in content {
            check_block(object(block, &what)?, role, &what)?;
        }
        if role == Role::Assistant {
            server_tools(content, at + 1 == messages.len(), &what)?;
        }
        if role == Role::User {
            answered(std::mem::take(&mut open), content, &what)?;
        } else {
            open = called(content, &mut ids, &what)?;
        }
        let blocks = content
            .iter()
            .filter_map(|block| Block::from_json(block.to_string()));
        out.push(ChatMessage::new(role, blocks.collect(), None));
    }
    ending(messages.last())?;
    match (out.is_empty(), open.first()) {
        (true, _) => Err("messages: at least one message is required".to_owned()),
        (_, Some(id)) => Err(format!("`tool_use` {id} was found without `tool_result`")),
        _ => Ok(out),
    }
}

fn check_block(block: &Map<String, Value>, role: Role, what: &str) -> Checked<()> {
    let kind = text(block, "type", what)?;
    let what = &format!("{what}.{kind}");
    match (kind, role) {
        ("text", _) => {
            only(block, &["type", "text", "citations", "cache_control"], what)?;
            said(block, "text", what)?;
        }
        ("thinking", Role::Assistant) => {
            only(block, &["type", "thinking", "signature"], what)?;
            text(block, "thinking", what)?;
            text(block, "signature", what)?;
        }
        ("redacted_thinking", Role::Assistant) => {
            only(block, &["type", "data"], what)?;
            said(block, "data", what)?;
        }
        ("tool_use", Role::Assistant) => {
            only(
                block,
                &["type", "id", "name", "input", "cache_control"],
                what,
            )?;
            plain(block, "id", what)?;
            plain(block, "name", what)?;
            object(block.get("input").unwrap_or(&Value::Null), what)?;
        }
        ("tool_result", Role::User) => {
            only(
                block,
                &[
                    "type",
                    "tool_use_id",
                    "content",
                    "is_error",
                    "cache_control",
                ],
                what,
            )?;
            plain(block, "tool_use_id", what)?;
            for part in list(block.get("content"), what)? {
                check_block(object(part, what)?, Role::User, what)?;
            }
        }
        ("image", Role::User) => media::image(block, what)?,
        ("document", Role::User) => media::document(block, what)?,
        // Blocks of server tools and of later versions are the server's own.
        (kind, Role::Assistant) if kind != "reasoning" && kind != "openai_fields" => {}
        (kind, _) => return Err(format!("{what}: {kind} is not allowed here")),
    }
    Ok(())
}

/// Tools of the server have their outcomes in the same message; only a paused answer, which is the last one, or one that
/// waits for tools of the client may lack some.
fn server_tools(content: &[Value], is_last: bool, what: &str) -> Checked<()> {
    let mut open: Vec<&str> = Vec::new();
    for block in content {
        let id = |field: &str| block[field].as_str().unwrap_or_default();
        match block["type"].as_str().unwrap_or_default() {
            "server_tool_use" | "mcp_tool_use" => open.push(id("id")),
            kind if kind.ends_with("_tool_result") => {
                let at = open.iter().position(|open| *open == id("tool_use_id"));
                let at = at.ok_or_else(|| format!("{what}: {kind} without its server_tool_use"))?;
                open.remove(at);
            }
            _ => {}
        }
    }
    let waits = content.iter().any(|block| block["type"] == "tool_use");
    match open.first() {
        Some(id) if !is_last && !waits => Err(format!(
            "{what}: `server_tool_use` {id} was found without its result"
        )),
        Some(_) | None => Ok(()),
    }
}

/// The last message may be an answer that was paused, but it must not end in reasoning or in blanks.
fn ending(last: Option<&Value>) -> Checked<()> {
    let Some(last) = last.filter(|last| last["role"] == "assistant") else {
        return Ok(());
    };
    let blocks = last["content"].as_array().and_then(|blocks| blocks.last());
    let block = blocks.unwrap_or(&Value::Null);
    match block["type"].as_str() {
        Some("thinking" | "redacted_thinking") => {
            Err("messages: the final block in an assistant message cannot be `thinking`".to_owned())
        }
        Some("text")
            if block["text"]
                .as_str()
                .is_some_and(|text| text != text.trim_end()) =>
        {
            Err("messages: final assistant content cannot end with trailing whitespace".to_owned())
        }
        Some(_) | None => Ok(()),
    }
}

/// The ids of the calls in an answer.
fn called(content: &[Value], ids: &mut HashSet<String>, what: &str) -> Checked<Vec<String>> {
    let calls = content.iter().filter(|block| block["type"] == "tool_use");
    let calls: Vec<String> = calls
        .filter_map(|block| Some(block["id"].as_str()?.to_owned()))
        .collect();
    match calls.iter().find(|id| !ids.insert((*id).clone())) {
        Some(id) => Err(format!("{what}: `tool_use` ids must be unique: {id}")),
        None => Ok(calls),
    }
}

/// All calls must be answered, each once, before anything else is said.
fn answered(mut open: Vec<String>, content: &[Value], what: &str) -> Checked<()> {
    let results = content
        .iter()
        .take_while(|block| block["type"] == "tool_result");
    let results: Vec<&str> = results
        .filter_map(|block| block["tool_use_id"].as_str())
        .collect();
    if content
        .iter()
        .filter(|block| block["type"] == "tool_result")
        .count()
        > results.len()
    {
        return Err(format!("{what}: tool_result blocks must come first"));
    }
    for id in results {
        match open.iter().position(|known| known == id) {
            Some(at) => open.remove(at),
            None => return Err(format!("{what}: unexpected `tool_use_id` {id}")),
        };
    }
    match open.first() {
        Some(id) => Err(format!(
            "{what}: `tool_use` {id} was found without `tool_result`"
        )),
        None => Ok(()),
    }
}
