//! The schema of a tool's input: as it is kept and compared, and as model servers take it. One that they refuse would fail every
//! request of the member, so what they do not take is pared off; only where nothing is left that could be called, the tool is.

use serde_json::{Map, Value, json};
use teammate_core::fence::visible;

mod pared;

/// The longest schema that is kept, in bytes.
const KEPT_BYTES_MAX: usize = 200_000;

/// The longest schema that is sent, in bytes. It is sent with each request.
const BYTES_MAX: usize = 32_000;

/// How many levels of properties are sent of a schema that is too long else.
const LEVELS_OF_LONG: [usize; 3] = [4, 2, 1];

/// The schema as it is kept: what was accepted is compared with it, so it is what the server says, without hidden characters.
/// Nothing in its place is no arguments.
///
/// # Errors
///
/// Why the tool is left out.
pub(crate) fn kept(schema: Option<&Value>) -> Result<Value, String> {
    let none = || json!({ "type": "object", "properties": {} });
    let mut schema = match schema {
        None | Some(Value::Null | Value::Bool(_)) => return Ok(none()),
        Some(Value::Object(schema)) => schema.clone(),
        Some(Value::Number(_) | Value::String(_) | Value::Array(_)) => {
            return Err("its schema is no object".to_owned());
        }
    };
    schema.remove("$schema");
    if schema.is_empty() {
        return Ok(none());
    }
    let is_object = match schema.get("type") {
        None | Some(Value::Null) => true,
        Some(Value::String(kind)) => kind == "object",
        Some(Value::Array(kinds)) => kinds.iter().any(|kind| kind == "object"),
        Some(Value::Bool(_) | Value::Number(_) | Value::Object(_)) => false,
    };
    if !is_object {
        return Err("its schema is not of the type object".to_owned());
    }
    schema.entry("properties").or_insert_with(|| json!({}));
    let mut whole = Value::Object(schema);
    show_hidden(&mut whole);
    let bytes = whole.to_string().len();
    match bytes > KEPT_BYTES_MAX {
        true => Err(format!(
            "its schema has {bytes} bytes, more than {KEPT_BYTES_MAX}"
        )),
        false => Ok(whole),
    }
}

/// A kept schema as it is sent to model servers.
///
/// # Errors
///
/// Why the tool is left out.
pub(crate) fn sent(kept: &Value) -> Result<Value, String> {
    let mut sent = pared::pared(kept, pared::LEVELS_MAX)?;
    for levels in LEVELS_OF_LONG {
        if sent.to_string().len() > BYTES_MAX {
            sent = pared::pared(kept, levels)?;
        }
    }
    if sent.to_string().len() > BYTES_MAX {
        pared::drop_words(&mut sent);
    }
    let bytes = sent.to_string().len();
    match bytes > BYTES_MAX {
        true => Err(format!(
            "its schema has {bytes} bytes, more than {BYTES_MAX}"
        )),
        false => Ok(sent),
    }
}

/// Makes hidden characters visible. JSON that was read is nested no deeper than its reader goes.
fn show_hidden(value: &mut Value) {
    match value {
        Value::String(text) => *text = visible(text),
        Value::Array(items) => items.iter_mut().for_each(show_hidden),
        Value::Object(parts) => parts.values_mut().for_each(show_hidden),
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

/// Whether these parts say nothing.
fn is_open(schema: &Map<String, Value>) -> bool {
    schema.keys().all(|word| word == "description")
}

#[cfg(test)]
mod tests;
