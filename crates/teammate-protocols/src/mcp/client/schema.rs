//! Whether the schema of a tool's input can be sent to a model server. One that it refuses would fail every request of the
//! member, so the tool is left out.

use serde_json::{Map, Value, json};
use teammate_core::fence::visible;

/// The longest schema, in bytes. It is sent with each request.
const BYTES_MAX: usize = 32_000;

/// How deep it may be nested.
const DEPTH_MAX: usize = 40;

/// The longest name of a property that model servers take.
const PROPERTY_NAME_MAX: usize = 64;

/// The schema as it is sent.
///
/// # Errors
///
/// Why the tool is left out.
pub(crate) fn checked(schema: &Map<String, Value>) -> Result<Value, String> {
    let mut schema = schema.clone();
    schema.remove("$schema");
    match schema.get("type") {
        None if schema.is_empty() => return Ok(json!({ "type": "object", "properties": {} })),
        Some(Value::String(kind)) if kind == "object" => {}
        None | Some(_) => return Err("its schema is not of the type object".to_owned()),
    }
    for word in ["anyOf", "oneOf", "allOf"] {
        if schema.contains_key(word) {
            return Err(format!("its schema has {word} at its top"));
        }
    }
    match schema.get("properties") {
        None => drop(schema.insert("properties".to_owned(), json!({}))),
        Some(Value::Object(_)) => {}
        Some(_) => return Err("the properties of its schema are none".to_owned()),
    }
    let mut whole = Value::Object(schema);
    let root = whole.clone();
    clean(&mut whole, &root, 0)?;
    let bytes = whole.to_string().len();
    if bytes > BYTES_MAX {
        return Err(format!(
            "its schema has {bytes} bytes, more than {BYTES_MAX}"
        ));
    }
    Ok(whole)
}

/// Makes hidden characters visible, and finds what no model server takes.
fn clean(value: &mut Value, root: &Value, depth: usize) -> Result<(), String> {
    if depth > DEPTH_MAX {
        return Err(format!("its schema is nested more than {DEPTH_MAX} deep"));
    }
    match value {
        Value::String(text) => *text = visible(text),
        Value::Array(items) => {
            for item in items {
                clean(item, root, depth + 1)?;
            }
        }
        Value::Object(parts) => {
            if let Some(Value::String(to)) = parts.get("$ref")
                && to
                    .strip_prefix('#')
                    .is_none_or(|at| root.pointer(at).is_none())
            {
                return Err("its schema refers to something that is not in it".to_owned());
            }
            if let Some(Value::Object(properties)) = parts.get("properties")
                && let Some(name) = properties.keys().find(|name| !is_property_name(name))
            {
                let name: String = name
                    .chars()
                    .take(20)
                    .flat_map(char::escape_default)
                    .collect();
                return Err(format!("its schema has a property '{name}'"));
            }
            for part in parts.values_mut() {
                clean(part, root, depth + 1)?;
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
    Ok(())
}

fn is_property_name(name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    !name.is_empty() && name.len() <= PROPERTY_NAME_MAX && name.chars().all(is_word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(schema: Value) -> Result<Value, String> {
        match schema {
            Value::Object(schema) => checked(&schema),
            other => panic!("{other}"),
        }
    }

    #[test]
    fn a_schema_is_sent_as_it_is_but_for_what_hides() {
        let schema = json!({
            "$schema": "http://json-schema.org/draft-07/schema#",
            "type": "object",
            "properties": { "at": { "$ref": "#/$defs/Point", "description": "a\u{202e}b" } },
            "$defs": { "Point": { "type": "object", "properties": { "x": { "type": "integer" } } } },
        });
        let sent = check(schema).unwrap();
        assert!(sent.get("$schema").is_none());
        assert_eq!(sent["properties"]["at"]["description"], "a\\u{202e}b");
        assert_eq!(sent["$defs"]["Point"]["properties"]["x"]["type"], "integer");
        let nothing = json!({ "type": "object", "properties": {} });
        assert_eq!(check(json!({})), Ok(nothing.clone()));
        assert_eq!(check(json!({ "type": "object" })), Ok(nothing));
    }

    #[test]
    fn a_schema_that_a_model_server_refuses_leaves_the_tool_out() {
        let mut deep = json!({});
        for _ in 0..60 {
            deep = json!({ "items": deep });
        }
        for (schema, why) in [
            (json!({ "type": "string" }), "type object"),
            (json!({ "properties": {} }), "type object"),
            (json!({ "type": ["object"] }), "type object"),
            (json!({ "type": "object", "anyOf": [] }), "anyOf"),
            (json!({ "type": "object", "properties": [] }), "properties"),
            (
                json!({ "type": "object", "properties": { "x": { "$ref": "#/$defs/X" } } }),
                "refers",
            ),
            (
                json!({ "type": "object", "properties": { "x": { "$ref": "http://x" } } }),
                "refers",
            ),
            (
                json!({ "type": "object", "properties": { "a b": {} } }),
                "'a b'",
            ),
            (
                json!({ "type": "object", "properties": { "x": deep } }),
                "nested",
            ),
            (
                json!({ "type": "object", "properties": { "x": { "description": "y".repeat(40_000) } } }),
                "bytes",
            ),
        ] {
            let found = check(schema.clone()).unwrap_err();
            assert!(found.contains(why), "{schema}: {found}");
        }
    }
}
