//! One output item of an answer, and the blocks that it becomes.

use serde_json::value::RawValue;
use teammate_core::{
    block::Block,
    tool::{CallId, ToolCall, ToolInput},
};

use super::super::{ITEM_BLOCK, PHASE_BLOCK};
use crate::{
    call_id::CallIds,
    json::{Fields, quoted},
    size::{Endless, Size},
};

/// The types of blocks that the program itself knows: an item of such a type must not be taken for one.
const TAKEN: [&str; 8] = [
    "text",
    "thinking",
    "redacted_thinking",
    "tool_use",
    "tool_result",
    "image",
    "document",
    "message",
];

/// One item.
#[derive(Default)]
pub(super) struct Item {
    /// Its type, as it was announced.
    pub(super) kind: Option<String>,
    /// As it was announced.
    pub(super) start: Option<Fields>,
    text: String,
    refusal: String,
    arguments: String,
    /// As it is when it is done, byte for byte.
    pub(super) done: Option<Box<RawValue>>,
}

impl Item {
    pub(super) fn add_text(&mut self, delta: &str, size: &mut Size) -> Result<(), Endless> {
        size.grow(delta.len())?;
        self.text.push_str(delta);
        Ok(())
    }

    pub(super) fn add_refusal(&mut self, delta: &str, size: &mut Size) -> Result<(), Endless> {
        size.grow(delta.len())?;
        self.refusal.push_str(delta);
        Ok(())
    }

    pub(super) fn add_arguments(&mut self, delta: &str, size: &mut Size) -> Result<(), Endless> {
        size.grow(delta.len())?;
        self.arguments.push_str(delta);
        Ok(())
    }

    /// The whole text, where no pieces of it came.
    pub(super) fn set_text(
        &mut self,
        text: Option<String>,
        size: &mut Size,
    ) -> Result<(), Endless> {
        match text.filter(|_| self.text.is_empty()) {
            Some(text) => self.add_text(&text, size),
            None => Ok(()),
        }
    }

    /// Sets a refusal.
    pub(super) fn set_refusal(
        &mut self,
        text: Option<String>,
        size: &mut Size,
    ) -> Result<(), Endless> {
        match text.filter(|_| self.refusal.is_empty()) {
            Some(text) => self.add_refusal(&text, size),
            None => Ok(()),
        }
    }

    /// Sets the arguments.
    pub(super) fn set_arguments(
        &mut self,
        arguments: Option<String>,
        size: &mut Size,
    ) -> Result<(), Endless> {
        match arguments.filter(|_| self.arguments.is_empty()) {
            Some(arguments) => self.add_arguments(&arguments, size),
            None => Ok(()),
        }
    }

    fn known(&self) -> Fields {
        let done = self.done.as_deref();
        let done = done.and_then(|done| serde_json::from_str(done.get()).ok());
        done.or_else(|| self.start.clone()).unwrap_or_default()
    }

    /// Its text and its refusal: as it was when it was done, or else as they streamed.
    pub(super) fn said(&self) -> (String, String) {
        let (mut text, mut refusal) = (String::new(), String::new());
        let known = self.known();
        let parts: Vec<Fields> = known
            .raw("content")
            .filter(|_| known.string("type").as_deref() == Some("message"))
            .and_then(|content| serde_json::from_str(content).ok())
            .unwrap_or_default();
        for part in &parts {
            text.push_str(&part.string("text").unwrap_or_default());
            refusal.push_str(&part.string("refusal").unwrap_or_default());
        }
        match text.is_empty() && refusal.is_empty() {
            true => (self.text.clone(), self.refusal.clone()),
            false => (text, refusal),
        }
    }

    pub(super) fn blocks(self, ids: &mut CallIds<'_>) -> Vec<Block> {
        let known = self.known();
        match known.string("type").as_deref() {
            Some("function_call") => vec![self.call(&known, ids)],
            Some("message") | None => self.message(&known),
            Some(kind) => {
                // Only what is done is whole.
                let Some(done) = self.done else {
                    return Vec::new();
                };
                let json = match TAKEN.contains(&kind) {
                    true => format!(r#"{{"type":"{ITEM_BLOCK}","item":{}}}"#, done.get()),
                    false => done.get().to_owned(),
                };
                Block::from_json(json).into_iter().collect()
            }
        }
    }

    fn call(&self, known: &Fields, ids: &mut CallIds<'_>) -> Block {
        let arguments = known.string("arguments");
        let arguments = match arguments.filter(|text| !text.trim().is_empty()) {
            Some(arguments) => arguments,
            None if !self.arguments.trim().is_empty() => self.arguments.clone(),
            // A call without arguments is whole; one that was cut before them must not run.
            None if self.is_whole(known) => "{}".to_owned(),
            None => String::new(),
        };
        let id = known.string("call_id").or_else(|| known.string("id"));
        Block::tool_use(&ToolCall {
            id: CallId::new(ids.unique(&id.unwrap_or_default())),
            name: known.string("name").unwrap_or_default(),
            input: ToolInput::from_json(arguments),
        })
    }

    fn is_whole(&self, known: &Fields) -> bool {
        self.done.is_some() && known.string("status").as_deref() != Some("incomplete")
    }

    fn message(&self, known: &Fields) -> Vec<Block> {
        let (text, refusal) = self.said();
        let text = match (text.is_empty(), refusal.is_empty()) {
            (true, _) => refusal,
            (false, true) => text,
            (false, false) => format!("{text}\n\n{refusal}"),
        };
        if text.is_empty() {
            return Vec::new();
        }
        let phase = known.string("phase").and_then(|phase| {
            let phase = quoted(&phase);
            Block::from_json(format!(r#"{{"type":"{PHASE_BLOCK}","phase":{phase}}}"#))
        });
        phase.into_iter().chain([Block::text(&text)]).collect()
    }
}
