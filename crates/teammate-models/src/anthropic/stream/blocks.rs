//! The blocks of an answer while it grows, and how the additions to one become its fields.
//!
//! Unknown kinds of blocks and deltas follow the rule that holds for all known ones: text is
//! appended to the field that it names, anything else replaces the field.

use std::collections::HashMap;

use serde_json::value::RawValue;
use teammate_core::{
    block::Block,
    tool::{CallId, ToolCall, ToolInput},
};

use crate::{
    call_id::CallIds,
    json::{Fields, raw_list, raw_string},
    size::{Endless, one_more_field},
};

/// The fields of known blocks, in the order in which they are written.
const ORDER: [&str; 8] = [
    "type",
    "id",
    "name",
    "text",
    "thinking",
    "signature",
    "data",
    "input",
];

/// All blocks in the order of their opening, and the last block of each index: a server may reuse
/// an index.
#[derive(Default)]
pub(super) struct Slots {
    pub(super) all: Vec<BlockState>,
    last: HashMap<u64, usize>,
}

impl Slots {
    pub(super) fn push(&mut self, index: u64, open: OpenBlock) {
        self.last.insert(index, self.all.len());
        self.all.push(BlockState::Open(Box::new(open)));
    }

    pub(super) fn get(&mut self, index: u64) -> Option<&mut BlockState> {
        self.all.get_mut(*self.last.get(&index)?)
    }

    pub(super) fn open(&mut self, index: u64) -> Option<&mut OpenBlock> {
        match self.get(index)? {
            BlockState::Open(open) => Some(&mut **open),
            BlockState::Closed(_) => None,
        }
    }
}

pub(super) enum BlockState {
    Open(Box<OpenBlock>),
    Closed(Block),
}

/// A block that is not closed yet: its first form, and the additions to its fields.
pub(super) struct OpenBlock {
    start: Box<RawValue>,
    kind: String,
    added: Vec<(String, String)>,
    citations: Vec<Box<RawValue>>,
    replaced: Vec<(String, Box<RawValue>)>,
}

impl OpenBlock {
    /// A block of this kind that begins as `start`.
    pub(super) fn new(start: Box<RawValue>, kind: String) -> Self {
        Self {
            start,
            kind,
            added: Vec::new(),
            citations: Vec::new(),
            replaced: Vec::new(),
        }
    }

    pub(super) fn cite(&mut self, citation: &RawValue) {
        self.citations.push(citation.to_owned());
    }

    pub(super) fn append(&mut self, field: &str, text: &str) -> Result<(), Endless> {
        match self.added.iter_mut().find(|(name, _)| name == field) {
            Some((_, known)) => known.push_str(text),
            None => {
                one_more_field(self.added.len())?;
                self.added.push((field.to_owned(), text.to_owned()));
            }
        }
        Ok(())
    }

    pub(super) fn replace(&mut self, field: &str, value: &RawValue) -> Result<(), Endless> {
        match self.replaced.iter_mut().find(|(name, _)| name == field) {
            Some((_, known)) => *known = value.to_owned(),
            None => {
                one_more_field(self.replaced.len())?;
                self.replaced.push((field.to_owned(), value.to_owned()));
            }
        }
        Ok(())
    }

    pub(super) fn block(&self, ids: &mut CallIds<'_>) -> Option<Block> {
        let is_known = matches!(self.kind.as_str(), "text" | "thinking" | "tool_use");
        let is_untouched =
            self.added.is_empty() && self.citations.is_empty() && self.replaced.is_empty();
        if !is_known && is_untouched {
            return Block::from_json(self.start.get().to_owned());
        }
        let mut fields: Fields = serde_json::from_str(self.start.get()).ok()?;
        let mut arguments = String::new();
        for (field, text) in &self.added {
            if field == "partial_json" {
                arguments.clone_from(text);
                continue;
            }
            let start = fields.string(field).unwrap_or_default();
            fields.set(field, raw_string(&(start + text)));
        }
        for (field, value) in &self.replaced {
            fields.set(field, value.clone());
        }
        if !self.citations.is_empty() {
            let earlier: Vec<Box<RawValue>> = fields
                .raw("citations")
                .and_then(|list| serde_json::from_str(list).ok())
                .unwrap_or_default();
            let all = earlier.iter().chain(&self.citations);
            fields.set("citations", raw_list(all.map(|citation| citation.get())));
        }
        if self.kind == "tool_use" {
            return self.tool_use(fields, arguments, ids);
        }
        if let ToolInput::Json(input) = ToolInput::from_json(arguments) {
            fields.set("input", input);
        }
        if is_known {
            fields.sort_like(&ORDER);
        }
        Block::from_json(fields.json())
    }

    fn tool_use(
        &self,
        mut fields: Fields,
        arguments: String,
        ids: &mut CallIds<'_>,
    ) -> Option<Block> {
        let id = ids.unique(&fields.string("id").unwrap_or_default());
        let arguments = match arguments.trim() {
            "" => fields.raw("input").unwrap_or("{}").to_owned(),
            _ => arguments,
        };
        match ToolInput::from_json(arguments) {
            ToolInput::Json(input) => {
                fields.set("id", raw_string(&id));
                fields.set("input", input);
                fields.sort_like(&ORDER);
                Block::from_json(fields.json())
            }
            input @ ToolInput::Damaged(_) => Some(Block::tool_use(&ToolCall {
                id: CallId::new(id),
                name: fields.string("name").unwrap_or_default(),
                input,
            })),
        }
    }
}
