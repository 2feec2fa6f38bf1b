//! Reads the fields of a request as strictly as the real servers do: what both wires have in
//! common.

use serde_json::{Map, Value};

/// What was read, or what is wrong with the request.
pub(crate) type Checked<T> = Result<T, String>;

/// The body of a request.
pub(crate) fn read(body: &str) -> Checked<Value> {
    serde_json::from_str(body).map_err(|error| format!("not JSON: {error}"))
}

/// The fields of a request that names a model, wants a stream and has none but these.
pub(crate) fn top_level<'a>(body: &'a Value, known: &[&str]) -> Checked<&'a Map<String, Value>> {
    let top = object(body, "the request")?;
    only(top, known, "the request")?;
    text(top, "model", "the request")?;
    match top.get("stream") {
        Some(Value::Bool(true)) => Ok(top),
        Some(_) | None => Err("stream: this server only streams".to_owned()),
    }
}

pub(crate) fn object<'a>(value: &'a Value, what: &str) -> Checked<&'a Map<String, Value>> {
    value
        .as_object()
        .ok_or_else(|| format!("{what}: not an object"))
}

pub(crate) fn only(map: &Map<String, Value>, known: &[&str], what: &str) -> Checked<()> {
    match map.keys().find(|key| !known.contains(&key.as_str())) {
        Some(key) => Err(format!("{what}: {key}: Extra inputs are not permitted")),
        None => Ok(()),
    }
}

pub(crate) fn text<'a>(map: &'a Map<String, Value>, field: &str, what: &str) -> Checked<&'a str> {
    let found = map.get(field).and_then(Value::as_str);
    found.ok_or_else(|| format!("{what}: {field}: a string is required"))
}

pub(crate) fn said<'a>(map: &'a Map<String, Value>, field: &str, what: &str) -> Checked<&'a str> {
    let found = text(map, field, what)?;
    if found.trim().is_empty() {
        return Err(format!("{what}: {field} must contain non-whitespace text"));
    }
    Ok(found)
}

pub(crate) fn plain<'a>(map: &'a Map<String, Value>, field: &str, what: &str) -> Checked<&'a str> {
    let found = text(map, field, what)?;
    let is_plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-');
    if found.is_empty() || found.len() > 64 || !found.chars().all(is_plain) {
        return Err(format!(
            "{what}: {field}: '{found}' should match '^[a-zA-Z0-9_-]{{1,64}}$'"
        ));
    }
    Ok(found)
}

pub(crate) fn list<'a>(value: Option<&'a Value>, what: &str) -> Checked<&'a [Value]> {
    let list = value.and_then(Value::as_array);
    list.map(Vec::as_slice)
        .ok_or_else(|| format!("{what}: a list is required"))
}

pub(crate) fn schema(schema: Option<&Value>) -> Checked<()> {
    match schema.and_then(|schema| schema.get("type")?.as_str()) {
        Some("object") => Ok(()),
        Some(_) | None => Err("tools: the schema must be of an object".to_owned()),
    }
}
