//! Joins the deltas of tool calls. Servers differ in how they number, name and split calls;
//! [`Call::continues_with`] decides which deltas belong together.

use std::collections::HashMap;

use serde_json::value::RawValue;
use teammate_core::{model::StreamPart, port::PartSink, tool::ToolInput};

use crate::{
    json::Fields,
    size::{Endless, Size, one_more_field},
};

/// The calls of one answer.
#[derive(Default)]
pub(super) struct Calls {
    all: Vec<Call>,
    /// The last call by index, and by id.
    by_index: HashMap<u64, usize>,
    by_id: HashMap<String, usize>,
}

/// A call that may still grow.
#[derive(Default)]
pub(super) struct Call {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) arguments: String,
    pub(super) added: Fields,
}

impl Calls {
    /// All calls in the order of their first deltas.
    pub(super) fn into_all(self) -> impl Iterator<Item = Call> {
        self.all.into_iter()
    }

    /// Adds a delta to its call, or starts a new call.
    pub(super) fn add(
        &mut self,
        delta: CallDelta,
        size: &mut Size,
        parts: &mut PartSink,
    ) -> Result<(), Endless> {
        let at = self.place(&delta, size)?;
        let call = &mut self.all[at];
        if call.id.is_empty() && !delta.id.is_empty() {
            size.grow(delta.id.len())?;
            let last = self.by_id.entry(delta.id.clone()).or_insert(at);
            *last = at.max(*last);
            call.id = delta.id;
        }
        if call.name.is_empty() && !delta.name.is_empty() {
            size.grow(delta.name.len())?;
            call.name.clone_from(&delta.name);
            parts(StreamPart::ToolUse { name: delta.name });
        }
        size.grow(delta.arguments.len())?;
        call.arguments.push_str(&delta.arguments);
        for (name, value) in delta.added {
            size.grow(value.get().len())?;
            one_more_field(call.added.len())?;
            call.added.set(&name, value);
        }
        Ok(())
    }

    /// The position of the call that a delta belongs to.
    fn place(&mut self, delta: &CallDelta, size: &mut Size) -> Result<usize, Endless> {
        let known = match delta.index {
            Some(index) => self.by_index.get(&index).copied(),
            None => self
                .by_id
                .get(&delta.id)
                .copied()
                .or(self.all.len().checked_sub(1)),
        };
        if let Some(at) = known {
            if !delta.name.is_empty() {
                size.reread(self.all[at].looked_at())?;
            }
            if self.all[at].continues_with(delta) {
                return Ok(at);
            }
        }
        size.block(0)?;
        if let Some(index) = delta.index {
            self.by_index.insert(index, self.all.len());
        }
        self.all.push(Call::default());
        Ok(self.all.len() - 1)
    }
}

/// A delta of a tool call.
#[derive(Default)]
pub(super) struct CallDelta {
    index: Option<u64>,
    id: String,
    name: String,
    arguments: String,
    added: Vec<(String, Box<RawValue>)>,
}

impl CallDelta {
    /// From a list of tool calls.
    pub(super) fn read(fields: &Fields) -> Self {
        let function: Fields = fields
            .raw("function")
            .and_then(|raw| serde_json::from_str(raw).ok())
            .unwrap_or_default();
        Self {
            index: fields.raw("index").and_then(|raw| raw.parse().ok()),
            id: fields.string("id").unwrap_or_default(),
            added: fields
                .iter()
                .filter(|(name, _)| !matches!(*name, "index" | "id" | "type" | "function"))
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .collect(),
            ..Self::of_function(&function)
        }
    }

    /// From the older field `function_call`, which holds one call.
    pub(super) fn of_function(function: &Fields) -> Self {
        Self {
            name: function.string("name").unwrap_or_default(),
            // Usually a string; some servers send the object itself.
            arguments: function.string("arguments").unwrap_or_else(|| {
                let raw = function.raw("arguments").unwrap_or_default();
                raw.to_owned()
            }),
            ..Self::default()
        }
    }
}

impl Call {
    /// How many bytes of the arguments must be read to tell whether a named delta belongs to this call.
    fn looked_at(&self) -> usize {
        let text = self.arguments.trim_end();
        match text.ends_with('}') {
            true => self.arguments.len(),
            false => self.arguments.len() - text.len(),
        }
    }

    /// True if the delta, which names this call's position, belongs to this call and does not start
    /// another: servers leave out ids and indexes, repeat them, or give all calls the same.
    fn continues_with(&self, delta: &CallDelta) -> bool {
        if delta.name.is_empty() {
            return true;
        }
        let other_id = !self.id.is_empty() && !delta.id.is_empty() && self.id != delta.id;
        let other_name = !self.name.is_empty() && self.name != delta.name;
        let is_whole = || {
            self.arguments.trim_end().ends_with('}')
                && matches!(
                    ToolInput::from_json(self.arguments.clone()),
                    ToolInput::Json(_)
                )
        };
        !(other_id || other_name || (!delta.arguments.is_empty() && is_whole()))
    }
}
