//! The fields that a vendor adds to its messages, put together from their pieces. They are kept
//! to be sent back, never interpreted.

use serde_json::{Value, value::RawValue};
use teammate_core::{block::Block, tool::ToolCall};

use super::VENDOR_FIELDS_BLOCK;
use crate::{
    json::{Fields, quoted},
    size::{Endless, one_more_field},
};

/// The fields of one message, in the order in which they came.
#[derive(Default)]
pub(super) struct VendorFields(Vec<(String, Value)>);

impl VendorFields {
    /// Adds a field of a chunk; one that is no JSON is passed over.
    pub(super) fn add(&mut self, name: &str, value: &RawValue) -> Result<(), Endless> {
        one_more_field(self.0.len())?;
        if let Ok(value) = serde_json::from_str(value.get()) {
            self.merge(name, value);
        }
        Ok(())
    }

    /// The block that keeps these fields and those of the calls; `None` if there are none.
    pub(super) fn block(&self, calls: &[(ToolCall, Fields)]) -> Option<Block> {
        let fields: Vec<String> = self
            .0
            .iter()
            .map(|(name, value)| format!("{}:{value}", quoted(name)))
            .collect();
        let calls: Vec<String> = calls
            .iter()
            .filter(|(_, added)| added.iter().next().is_some())
            .map(|(call, added)| format!("{}:{}", quoted(call.id.as_str()), added.json()))
            .collect();
        if fields.is_empty() && calls.is_empty() {
            return None;
        }
        let (fields, calls) = (fields.join(","), calls.join(","));
        Block::from_json(format!(
            r#"{{"type":"{VENDOR_FIELDS_BLOCK}","fields":{{{fields}}},"calls":{{{calls}}}}}"#
        ))
    }

    /// Merges a field of a later chunk into the same field of earlier ones: texts and lists grow,
    /// and neighbours in a list with the same `type` and `index` become one.
    fn merge(&mut self, name: &str, new: Value) {
        let Some((_, known)) = self.0.iter_mut().find(|(field, _)| field == name) else {
            self.0.push((name.to_owned(), new));
            return;
        };
        match (known, new) {
            (Value::String(known), Value::String(new)) => known.push_str(&new),
            (Value::Array(known), Value::Array(new)) => {
                for item in new {
                    match known.last_mut() {
                        Some(last) if is_piece(last, &item) => merge_piece(last, item),
                        Some(_) | None => known.push(item),
                    }
                }
            }
            (known, new) => *known = new,
        }
    }
}

fn is_piece(last: &Value, item: &Value) -> bool {
    let same = |field| last.get(field).is_some() && last.get(field) == item.get(field);
    same("type") && same("index")
}

fn merge_piece(last: &mut Value, item: Value) {
    let (Value::Object(last), Value::Object(item)) = (last, item) else {
        return;
    };
    for (name, new) in item {
        match (last.get_mut(&name), new) {
            (_, Value::Null) => {}
            (Some(Value::String(known)), Value::String(new))
                if matches!(name.as_str(), "text" | "summary" | "data") =>
            {
                known.push_str(&new);
            }
            (_, new) => {
                last.insert(name, new);
            }
        }
    }
}
