//! Arguments within another object, as the forms of other programs have them: `{"input": {...}}`.

use serde_json::Value;

use super::wanted::Wanted;

/// What models put around all arguments, as the forms of other programs have it.
const WRAPPERS: [&str; 5] = ["input", "arguments", "args", "parameters", "params"];

/// The arguments within a wrapper that the schema does not have, where there is nothing else.
pub(super) fn taken_off(value: &Value, wanted: &Wanted<'_>) -> Option<Value> {
    let parts = value.as_object().filter(|parts| parts.len() == 1)?;
    let (name, within) = parts.iter().next()?;
    if !WRAPPERS.contains(&name.as_str()) || wanted.property(name).is_some() {
        return None;
    }
    let within = match within {
        Value::String(text) => serde_json::from_str(text).ok()?,
        other => other.clone(),
    };
    let parts = within.as_object()?;
    let is_known = parts.keys().all(|key| wanted.property(key).is_some());
    // Where other arguments are taken, too, one that must be there says that it is not such a one.
    let is_wrapper = !wanted.takes_more() || parts.keys().any(|key| wanted.requires(key));
    (is_known && is_wrapper).then_some(within)
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn a_wrapper_is_taken_off_where_more_is_taken_if_something_would_be_missing() {
        let schema = json!({
            "type": "object",
            "properties": { "path": { "type": "string" }, "depth": { "type": "integer" } },
            "required": ["path"],
        });
        let taken_off = |given: Value| taken_off(&given, &Wanted::new(&schema));
        let within = json!({ "path": "a" });
        assert_eq!(taken_off(json!({ "params": within })), Some(within));
        assert_eq!(taken_off(json!({ "params": { "depth": 1 } })), None);
    }
}
