//! The output items of an answer by their place, while they grow. What an item says when it is done counts; what streamed before
//! stands in for it at servers that leave that out.

use std::collections::{BTreeMap, HashMap};

use serde_json::value::RawValue;
use teammate_core::block::Block;

use super::item::Item;
use crate::{
    call_id::CallIds,
    json::Fields,
    reply_stream::StreamError,
    size::{Endless, Size},
};

/// Where an item is in the output, as an event says it: by its index, or (llama.cpp) by its id alone.
#[derive(Debug, Default)]
pub(super) struct Place {
    pub(super) index: Option<u64>,
    /// Empty: the event names none.
    pub(super) id: String,
}

/// The items, by their index in the output.
#[derive(Default)]
pub(super) struct Items {
    by_index: BTreeMap<u64, Item>,
    /// The indices of the items that have an id.
    by_id: HashMap<String, u64>,
    /// The item that the last event was about.
    last: u64,
}

impl Items {
    /// An item begins. Returns the name of the tool, if it is a call.
    pub(super) fn open(
        &mut self,
        place: &Place,
        item: Option<Box<RawValue>>,
        size: &mut Size,
    ) -> Result<Option<String>, StreamError> {
        let fields = fields(item.as_deref())?;
        size.block(item.map_or(0, |item| item.get().len()))?;
        let kind = fields.string("type");
        let is_call = kind.as_deref() == Some("function_call");
        let name = fields.string("name").filter(|_| is_call);
        let index = place.index.unwrap_or_else(|| self.next());
        for id in ["id", "call_id"]
            .into_iter()
            .filter_map(|id| fields.string(id))
        {
            self.name(index, id);
        }
        let item = self.touch(index);
        item.kind = kind;
        item.start = Some(fields);
        Ok(name)
    }

    /// An item is done.
    pub(super) fn close(
        &mut self,
        place: &Place,
        item: Option<Box<RawValue>>,
        size: &mut Size,
    ) -> Result<(), StreamError> {
        let fields = fields(item.as_deref())?;
        size.grow(item.as_ref().map_or(0, |item| item.get().len()))?;
        let index = place.index.or_else(|| self.begun(&fields));
        let index = index.unwrap_or_else(|| self.next());
        self.counted(index, size)?.done = item;
        Ok(())
    }

    /// The item at this place, which a server may not have announced.
    pub(super) fn at(&mut self, place: &Place, size: &mut Size) -> Result<&mut Item, Endless> {
        let known = self.by_id.get(&place.id).copied();
        let index = place.index.or(known).unwrap_or(self.last);
        self.counted(index, size)
    }

    /// The item at this index, which counts if it is new.
    fn counted(&mut self, index: u64, size: &mut Size) -> Result<&mut Item, Endless> {
        if !self.by_index.contains_key(&index) {
            size.block(0)?;
        }
        Ok(self.touch(index))
    }

    /// The item at this index is found by this id from now on.
    fn name(&mut self, index: u64, id: String) {
        if !id.is_empty() {
            self.by_id.insert(id, index);
        }
    }

    /// The item at this index, which the last event is about.
    fn touch(&mut self, index: u64) -> &mut Item {
        self.last = index;
        self.by_index.entry(index).or_default()
    }

    /// The index after all others.
    fn next(&self) -> u64 {
        let last = self.by_index.last_key_value();
        last.map_or(0, |(last, _)| last.saturating_add(1))
    }

    /// The item that began and is not done yet, and is this one by its id or its call's, or else the first of its type.
    fn begun(&self, done: &Fields) -> Option<u64> {
        let is_open = |item: &Item| item.start.is_some() && item.done.is_none();
        let known = |field| self.by_id.get(&done.string(field)?).copied();
        let same = ["id", "call_id"].into_iter().find_map(known);
        let same = same.filter(|at| self.by_index.get(at).is_some_and(is_open));
        let kind = done.string("type");
        let mut items = self.by_index.iter();
        same.or_else(|| {
            items
                .find(|(_, item)| is_open(item) && item.kind == kind)
                .map(|(at, _)| *at)
        })
    }

    /// The output as the terminal event has it: for servers that said of no item that it is done.
    pub(super) fn fill(
        &mut self,
        output: Vec<Box<RawValue>>,
        size: &mut Size,
    ) -> Result<(), StreamError> {
        if output.is_empty() || self.by_index.values().any(|item| item.done.is_some()) {
            return Ok(());
        }
        self.by_index.clear();
        self.by_id.clear();
        for item in output {
            self.close(&Place::default(), Some(item), size)?;
        }
        Ok(())
    }

    /// Whether the model declined in words.
    pub(super) fn has_refusal(&self) -> bool {
        let is_refusal = |item: &Item| !item.said().1.is_empty();
        self.by_index.values().any(is_refusal)
    }

    /// The blocks of the answer, in order.
    pub(super) fn into_blocks(self, ids: &mut CallIds<'_>) -> Vec<Block> {
        self.by_index
            .into_values()
            .flat_map(|item| item.blocks(ids))
            .collect()
    }
}

fn fields(item: Option<&RawValue>) -> Result<Fields, StreamError> {
    let item = item.ok_or(StreamError::Nonsense("sent an item that is nothing"))?;
    serde_json::from_str(item.get())
        .map_err(|_| StreamError::Nonsense("sent an item that is no object"))
}
