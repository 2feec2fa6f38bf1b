//! Chat completions from the server's side: what it refuses, and what it streams.

use std::collections::HashSet;

use serde_json::{Map, Value, json};
use teammate_core::{
    block::{Block, BlockView},
    model::{ChatMessage, Reply, Role, StopReason},
    tool::{CallId, Outcome, ToolCall, ToolInput},
};

use crate::{
    anthropic::pieces,
    fields::{Checked, list, object, only, plain, read, said, schema, text, top_level},
    media,
    parsed_request::ParsedRequest,
};

const TOP: [&str; 22] = [
    "model",
    "max_tokens",
    "max_completion_tokens",
    "stream",
    "stream_options",
    "tools",
    "messages",
    "tool_choice",
    "temperature",
    "top_p",
    "prompt_cache_key",
    "parallel_tool_calls",
    "reasoning_effort",
    "response_format",
    "stop",
    "service_tier",
    "safety_identifier",
    // Those of other vendors.
    "user",
    "reasoning",
    "thinking",
    "enable_thinking",
    "thinking_budget",
];

/// Reads a request, or says what is wrong with it.
pub(crate) fn check(body: &str) -> Checked<ParsedRequest> {
    media::request(body)?;
    let body = read(body)?;
    let top = top_level(&body, &TOP)?;
    let max_tokens = ["max_tokens", "max_completion_tokens"];
    let max_tokens = max_tokens.iter().find_map(|name| top.get(*name)?.as_u64());
    let max_tokens = max_tokens.ok_or("max_tokens: required here")?;
    tools(top.get("tools"))?;
    let messages = list(top.get("messages"), "messages")?;
    let (system, messages) = match messages.first() {
        Some(first) if first["role"] == "system" => {
            let first = object(first, "messages.0")?;
            only(first, &["role", "content"], "messages.0")?;
            (said(first, "content", "messages.0")?, &messages[1..])
        }
        Some(_) | None => ("", messages),
    };
    Ok(ParsedRequest {
        system: system.to_owned(),
        messages: conversation(messages)?,
        max_tokens: u32::try_from(max_tokens).unwrap_or(u32::MAX),
    })
}

fn tools(tools: Option<&Value>) -> Checked<()> {
    let mut names = HashSet::new();
    for tool in tools.map_or(Ok(&[][..]), |tools| list(Some(tools), "tools"))? {
        only(object(tool, "tools")?, &["type", "function"], "tools")?;
        let function = object(&tool["function"], "tools")?;
        only(function, &["name", "description", "parameters"], "tools")?;
        if tool["type"] != "function" || !names.insert(plain(function, "name", "tools")?) {
            return Err("tools: functions with names of their own are required".to_owned());
        }
        schema(function.get("parameters"))?;
    }
    Ok(())
}

/// Messages joined to turns as the Messages API has them.
#[derive(Default)]
struct Turns {
    done: Vec<ChatMessage>,
    told: Vec<Block>,
    /// Whether a `user` message has ended the list of results.
    has_user: bool,
    open: Vec<String>,
    ids: HashSet<String>,
}

fn conversation(messages: &[Value]) -> Checked<Vec<ChatMessage>> {
    let mut turns = Turns::default();
    for (at, message) in messages.iter().enumerate() {
        let what = &format!("messages.{at}");
        let message = object(message, what)?;
        match text(message, "role", what)? {
            "user" => turns.user(message, what)?,
            "tool" => turns.result(message, what)?,
            "assistant" => turns.assistant(message, what)?,
            role => return Err(format!("{what}: role '{role}' is not allowed here")),
        }
    }
    turns.all_answered("messages")?;
    turns.push_turn();
    match turns.done.last().map(|message| message.role) {
        Some(Role::User) => Ok(turns.done),
        Some(Role::Assistant) | None => {
            Err("messages: the user must have the last word".to_owned())
        }
    }
}

impl Turns {
    fn all_answered(&self, what: &str) -> Checked<()> {
        match self.open.first() {
            Some(id) => Err(format!(
                "{what}: An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id': {id}"
            )),
            None => Ok(()),
        }
    }

    fn push_turn(&mut self) {
        if !self.told.is_empty() {
            let told = std::mem::take(&mut self.told);
            self.done.push(ChatMessage::new(Role::User, told, None));
        }
    }

    fn user(&mut self, message: &Map<String, Value>, what: &str) -> Checked<()> {
        self.all_answered(what)?;
        if std::mem::replace(&mut self.has_user, true) {
            return Err(format!("{what}: two user messages in a row"));
        }
        only(message, &["role", "content"], what)?;
        if let Some(Value::Array(parts)) = message.get("content") {
            for part in parts {
                let part = object(part, what)?;
                match text(part, "type", what)? {
                    "text" => self.told.push(Block::text(said(part, "text", what)?)),
                    "image_url" => media::image_url(part, what)?,
                    "file" => media::file(part, what)?,
                    kind => return Err(format!("{what}: a part of type '{kind}'")),
                }
            }
            return Ok(());
        }
        self.told.push(Block::text(said(message, "content", what)?));
        Ok(())
    }

    fn result(&mut self, message: &Map<String, Value>, what: &str) -> Checked<()> {
        only(message, &["role", "content", "tool_call_id"], what)?;
        let id = text(message, "tool_call_id", what)?;
        let Some(at) = self.open.iter().position(|open| open == id) else {
            return Err(format!("{what}: tool_call_id '{id}' answers no call"));
        };
        self.open.remove(at);
        let outcome = Outcome::ok(said(message, "content", what)?);
        self.told
            .push(Block::tool_result(&CallId::new(id.to_owned()), &outcome));
        Ok(())
    }

    fn assistant(&mut self, message: &Map<String, Value>, what: &str) -> Checked<()> {
        self.all_answered(what)?;
        self.push_turn();
        self.has_user = false;
        if self
            .done
            .last()
            .is_none_or(|last| last.role == Role::Assistant)
        {
            return Err(format!("{what}: the assistant speaks out of turn"));
        }
        let known = [
            "role",
            "content",
            "tool_calls",
            "reasoning_content",
            "reasoning",
            "reasoning_details",
            "x_added",
        ];
        only(message, &known, what)?;
        let mut blocks = Vec::new();
        if message
            .get("content")
            .is_some_and(|content| !content.is_null())
        {
            blocks.push(Block::text(said(message, "content", what)?));
        }
        if let Some(calls) = message.get("tool_calls") {
            for call in list(Some(calls), what)? {
                blocks.push(self.call(call, what)?);
            }
        }
        if blocks.is_empty() {
            return Err(format!("{what}: content or tool_calls is required"));
        }
        self.done
            .push(ChatMessage::new(Role::Assistant, blocks, None));
        Ok(())
    }

    fn call(&mut self, call: &Value, what: &str) -> Checked<Block> {
        let call = object(call, what)?;
        only(call, &["id", "type", "function", "extra_content"], what)?;
        let id = said(call, "id", what)?;
        let function = object(call.get("function").unwrap_or(&Value::Null), what)?;
        only(function, &["name", "arguments"], what)?;
        let name = plain(function, "name", what)?;
        let input = ToolInput::from_json(text(function, "arguments", what)?.to_owned());
        if matches!(input, ToolInput::Damaged(_)) {
            return Err(format!("{what}: arguments must be a JSON object"));
        }
        if !self.ids.insert(id.to_owned()) {
            return Err(format!("{what}: the call id '{id}' comes twice"));
        }
        self.open.push(id.to_owned());
        Ok(Block::tool_use(&ToolCall {
            id: CallId::new(id.to_owned()),
            name: name.to_owned(),
            input,
        }))
    }
}

/// A reply as the stream that the API would send.
pub fn stream(reply: &Reply) -> String {
    let mut out = String::new();
    let mut chunk = |choices: Value, usage: Value| {
        let chunk = json!({"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_700_000_000,
            "model": reply.model, "choices": choices, "usage": usage});
        out.push_str(&format!("data: {chunk}\n\n"));
    };
    let choice = |delta: Value, finish: Value| json!([{"index": 0, "delta": delta, "finish_reason": finish}]);
    chunk(
        choice(json!({"role": "assistant", "content": ""}), Value::Null),
        Value::Null,
    );
    let mut calls = 0;
    for block in &reply.blocks {
        for delta in deltas(block, &mut calls) {
            chunk(choice(delta, Value::Null), Value::Null);
        }
    }
    let finish = match &reply.stop {
        StopReason::EndTurn | StopReason::Pause => "stop",
        StopReason::ToolUse => "tool_calls",
        StopReason::MaxTokens | StopReason::ContextFull => "length",
        StopReason::Refusal => "content_filter",
        StopReason::Other(name) => name,
    };
    chunk(choice(json!({}), json!(finish)), Value::Null);
    let usage = reply.usage;
    let prompt = usage.input + usage.cache_read + usage.cache_write;
    chunk(
        json!([]),
        json!({"prompt_tokens": prompt, "completion_tokens": usage.output, "total_tokens": prompt + usage.output,
            "prompt_tokens_details": {"cached_tokens": usage.cache_read}}),
    );
    out.push_str("data: [DONE]\n\n");
    out
}

fn deltas(block: &Block, calls: &mut usize) -> Vec<Value> {
    match block.view() {
        BlockView::Text(text) => pieces(&text)
            .map(|piece| json!({"content": piece}))
            .collect(),
        BlockView::Thinking(text) => pieces(&text)
            .map(|piece| json!({"reasoning_content": piece}))
            .collect(),
        BlockView::ToolUse(call) => {
            let index = *calls;
            *calls += 1;
            let input = match &call.input {
                ToolInput::Json(raw) => raw.get(),
                ToolInput::Damaged(text) => text,
            };
            let start = json!({"tool_calls": [{"index": index, "id": call.id.as_str(), "type": "function",
                "function": {"name": call.name, "arguments": ""}}]});
            let arguments = pieces(input).map(
                |piece| json!({"tool_calls": [{"index": index, "function": {"arguments": piece}}]}),
            );
            [start].into_iter().chain(arguments).collect()
        }
        BlockView::Other => Vec::new(),
    }
}
