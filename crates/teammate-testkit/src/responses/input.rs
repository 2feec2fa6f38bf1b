//! The input of a request: items, read as the turns of a conversation.

use std::collections::HashSet;

use serde_json::{Map, Value};
use teammate_core::{
    block::Block,
    model::{ChatMessage, Role},
    tool::{CallId, Outcome, ToolCall, ToolInput},
};

use crate::{
    fields::{Checked, list, object, only, plain, said, text},
    media,
};

/// The system text and the conversation.
pub(super) fn read(items: &[Value]) -> Checked<(String, Vec<ChatMessage>)> {
    let (system, items) = match items.first() {
        Some(first) if first["role"] == "developer" || first["role"] == "system" => {
            let first = object(first, "input.0")?;
            only(first, &["role", "content"], "input.0")?;
            (said(first, "content", "input.0")?, &items[1..])
        }
        Some(_) | None => ("", items),
    };
    let mut turns = Turns::default();
    for (at, item) in items.iter().enumerate() {
        let what = format!("input.{}", at + 1);
        turns.take(object(item, &what)?, &what)?;
    }
    Ok((system.to_owned(), turns.end()?))
}

/// Items joined to turns as the Messages API has them.
#[derive(Default)]
struct Turns {
    done: Vec<ChatMessage>,
    role: Option<Role>,
    blocks: Vec<Block>,
    /// Calls without an output.
    open: Vec<String>,
    ids: HashSet<String>,
    /// The last item was reasoning: what it was for must follow.
    is_after_reasoning: bool,
}

impl Turns {
    fn take(&mut self, item: &Map<String, Value>, what: &str) -> Checked<()> {
        let kind = match item.get("type") {
            Some(kind) => kind.as_str().ok_or_else(|| format!("{what}: type"))?,
            None => "message",
        };
        let is_reasoning = kind == "reasoning";
        match kind {
            "message" => self.message(item, what)?,
            "reasoning" => self.reasoning(item, what)?,
            "function_call" => self.call(item, what)?,
            "function_call_output" => self.output(item, what)?,
            // What this server sends for a kind that nobody knows, and for one with the name of another thing.
            "of_tomorrow" | "document" => self.turn_to(Role::Assistant),
            kind => return Err(format!("{what}: Invalid value: '{kind}'")),
        }
        self.is_after_reasoning = is_reasoning;
        Ok(())
    }

    fn turn_to(&mut self, role: Role) {
        if self.role == Some(role) {
            return;
        }
        let blocks = std::mem::take(&mut self.blocks);
        if let Some(before) = self.role.replace(role) {
            self.done.push(ChatMessage::new(before, blocks, None));
        }
    }

    fn message(&mut self, item: &Map<String, Value>, what: &str) -> Checked<()> {
        only(item, &["type", "role", "content", "phase"], what)?;
        if let Some(id) = self.open.first() {
            return Err(format!("No tool output found for function call {id}."));
        }
        match text(item, "role", what)? {
            "user" => self.user(item, what),
            "assistant" => {
                if item.contains_key("phase") {
                    let phase = text(item, "phase", what)?;
                    if !["commentary", "final_answer"].contains(&phase) {
                        return Err(format!("{what}: phase: '{phase}'"));
                    }
                }
                self.turn_to(Role::Assistant);
                self.blocks.push(Block::text(said(item, "content", what)?));
                Ok(())
            }
            role => Err(format!("{what}: role '{role}' in the middle")),
        }
    }

    fn user(&mut self, item: &Map<String, Value>, what: &str) -> Checked<()> {
        if self.is_after_reasoning {
            return Err(format!(
                "{what}: reasoning was provided without its required following item."
            ));
        }
        self.turn_to(Role::User);
        if let Some(Value::Array(_)) = item.get("content") {
            let texts = parts(item.get("content"), what)?;
            self.blocks
                .extend(texts.iter().map(|text| Block::text(text)));
            return Ok(());
        }
        self.blocks.push(Block::text(said(item, "content", what)?));
        Ok(())
    }

    fn reasoning(&mut self, item: &Map<String, Value>, what: &str) -> Checked<()> {
        let known = [
            "type",
            "id",
            "summary",
            "content",
            "encrypted_content",
            "status",
        ];
        only(item, &known, what)?;
        text(item, "id", what)?;
        list(item.get("summary"), what)?;
        said(item, "encrypted_content", what)?;
        self.turn_to(Role::Assistant);
        Ok(())
    }

    fn call(&mut self, item: &Map<String, Value>, what: &str) -> Checked<()> {
        // An id belongs to an item that the server keeps.
        only(item, &["type", "call_id", "name", "arguments"], what)?;
        let id = plain(item, "call_id", what)?;
        let name = plain(item, "name", what)?;
        let input = ToolInput::from_json(text(item, "arguments", what)?.to_owned());
        if matches!(input, ToolInput::Damaged(_)) {
            return Err(format!("{what}: arguments must be a JSON object"));
        }
        if !self.ids.insert(id.to_owned()) {
            return Err(format!("{what}: the call id '{id}' comes twice"));
        }
        self.turn_to(Role::Assistant);
        self.open.push(id.to_owned());
        self.blocks.push(Block::tool_use(&ToolCall {
            id: CallId::new(id.to_owned()),
            name: name.to_owned(),
            input,
        }));
        Ok(())
    }

    fn output(&mut self, item: &Map<String, Value>, what: &str) -> Checked<()> {
        only(item, &["type", "call_id", "output"], what)?;
        let id = plain(item, "call_id", what)?;
        let Some(at) = self.open.iter().position(|open| open == id) else {
            return Err(format!("{what}: No tool call found for call_id {id}."));
        };
        self.open.remove(at);
        let texts = match item.get("output") {
            Some(Value::Array(_)) => parts(item.get("output"), what)?,
            Some(_) | None => vec![said(item, "output", what)?.to_owned()],
        };
        self.turn_to(Role::User);
        let outcome = Outcome::ok(texts.join("\n"));
        self.blocks
            .push(Block::tool_result(&CallId::new(id.to_owned()), &outcome));
        Ok(())
    }

    fn end(mut self) -> Checked<Vec<ChatMessage>> {
        if let Some(id) = self.open.first() {
            return Err(format!("No tool output found for function call {id}."));
        }
        if self.is_after_reasoning {
            return Err("reasoning was provided without its required following item.".to_owned());
        }
        if let Some(role) = self.role {
            self.done.push(ChatMessage::new(role, self.blocks, None));
        }
        match self.done.first().map(|first| first.role) {
            Some(Role::User) => Ok(self.done),
            Some(Role::Assistant) | None => Err("input: the user speaks first".to_owned()),
        }
    }
}

/// The texts among the parts of a message or an output; all parts are checked.
fn parts(parts: Option<&Value>, what: &str) -> Checked<Vec<String>> {
    let mut texts = Vec::new();
    for part in list(parts, what)? {
        let part = object(part, what)?;
        match text(part, "type", what)? {
            "input_text" => {
                only(part, &["type", "text"], what)?;
                texts.push(said(part, "text", what)?.to_owned());
            }
            "input_image" => media::input_image(part, what)?,
            "input_file" => media::input_file(part, what)?,
            kind => return Err(format!("{what}: a part of type '{kind}'")),
        }
    }
    Ok(texts)
}
