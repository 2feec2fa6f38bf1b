//! Arguments brought to what a tool's schema wants, where nothing of them is lost: models write numbers as text, null for what
//! they leave out, a list as JSON text. What does not fit then is named in words.
//!
//! It is no validator: what a schema forbids besides types is left to the tool.

use serde_json::{Map, Number, Value};

use crate::tool::{Outcome, ToolInput};

mod wanted;
mod wrapper;

pub use wanted::{REFERENCES_MAX, referred};
use wanted::{ValueKind, Wanted};

/// How deep arguments are looked at. What is deeper stays as it was written.
const DEPTH_MAX: usize = 16;

/// How much of a value a refusal repeats, in characters.
const VALUE_CHARS_MAX: usize = 60;

/// Beyond it a number with a fraction does not hold every integer.
const EXACT_MAX: f64 = 9_007_199_254_740_992.0;

/// The arguments as this schema wants them; as they are, byte for byte, if nothing is to be changed. What cannot be brought to
/// the schema stays.
pub fn fitted(given: &ToolInput, schema: &Value) -> ToolInput {
    let ToolInput::Json(raw) = given else {
        return given.clone();
    };
    let Ok(before) = serde_json::from_str::<Value>(raw.get()) else {
        return given.clone();
    };
    let mut after = before.clone();
    let wanted = Wanted::new(schema);
    if let Some(within) = wrapper::taken_off(&after, &wanted) {
        after = within;
    }
    fit(&mut after, &wanted, 0);
    match after == before {
        true => given.clone(),
        false => ToolInput::from_json(after.to_string()),
    }
}

/// The refusal of arguments that could not be read: it names the first that is not what the schema wants; `other` where all are.
pub fn refusal(given: &ToolInput, schema: &Value, other: Outcome) -> Outcome {
    misfit(given, schema).map_or(other, |which| {
        Outcome::error(format!(
            "The arguments do not fit: {which}. Nothing was done."
        ))
    })
}

/// The first argument whose type is not what the schema wants, in a sentence's beginning: `limit is "soon" and must be an
/// integer`.
fn misfit(given: &ToolInput, schema: &Value) -> Option<String> {
    let ToolInput::Json(raw) = given else {
        return None;
    };
    let value = serde_json::from_str::<Value>(raw.get()).ok()?;
    find(&value, &Wanted::new(schema), "", 0)
}

fn fit(value: &mut Value, wanted: &Wanted<'_>, depth: usize) {
    if depth > DEPTH_MAX {
        return;
    }
    let kinds = wanted.kinds();
    if !kinds.is_empty() && !kinds.iter().any(|kind| kind.is_of(value)) {
        let mut ways = kinds.iter();
        if let Some(other) = ways.find_map(|kind| converted(value, *kind, wanted, depth)) {
            *value = other;
        }
    }
    match value {
        Value::Object(parts) => {
            drop_absent(parts, wanted);
            for (name, part) in parts {
                if let Some(wanted) = wanted.property(name) {
                    fit(part, &wanted, depth + 1);
                }
            }
        }
        Value::Array(items) => {
            if let Some(wanted) = wanted.items() {
                items
                    .iter_mut()
                    .for_each(|item| fit(item, &wanted, depth + 1));
            }
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

/// Takes out what is null where null is none of the values, or an empty text where only numbers and truths are: it was left out.
fn drop_absent(parts: &mut Map<String, Value>, wanted: &Wanted<'_>) {
    parts.retain(|name, part| {
        if part.as_str() == Some("") {
            let is_plain = |property: Wanted<'_>| {
                let kinds = property.kinds();
                !kinds.is_empty() && kinds.iter().all(|kind| kind.is_plain())
            };
            return wanted.requires(name) || !wanted.property(name).is_some_and(is_plain);
        }
        !part.is_null()
            || match wanted.property(name) {
                Some(property) => property.takes(ValueKind::Null) || wanted.requires(name),
                None => wanted.takes_more(),
            }
    });
}

/// The value as one of this kind, if it says the same.
fn converted(value: &Value, kind: ValueKind, wanted: &Wanted<'_>, depth: usize) -> Option<Value> {
    let text = value.as_str().map(str::trim);
    match kind {
        ValueKind::Integer => {
            let number = match text {
                Some(text) => text.parse::<Number>().ok()?,
                None => value.as_number()?.clone(),
            };
            integer(&number)
        }
        ValueKind::Number => {
            let number = text?.parse::<Number>().ok()?;
            number
                .as_f64()
                .is_some_and(f64::is_finite)
                .then_some(Value::Number(number))
        }
        ValueKind::Boolean => match text?.to_ascii_lowercase().as_str() {
            "true" => Some(Value::Bool(true)),
            "false" => Some(Value::Bool(false)),
            _ => None,
        },
        ValueKind::Text => match value {
            Value::Number(number) if !number.is_f64() => Some(number.to_string().into()),
            Value::Bool(is_so) => Some(is_so.to_string().into()),
            Value::Number(_)
            | Value::Null
            | Value::String(_)
            | Value::Array(_)
            | Value::Object(_) => None,
        },
        ValueKind::Object => text
            .and_then(|text| serde_json::from_str(text).ok())
            .filter(Value::is_object),
        ValueKind::Array => match text {
            // A list that is written as text, and one that is damaged.
            Some(text) if text.starts_with('[') => {
                serde_json::from_str(text).ok().filter(Value::is_array)
            }
            Some("") => None,
            Some(_) | None => single(value, wanted, depth),
        },
        ValueKind::Null => None,
    }
}

/// The integer that a number is, if it is one.
fn integer(number: &Number) -> Option<Value> {
    if number.is_i64() || number.is_u64() {
        return Some(Value::Number(number.clone()));
    }
    let float = number
        .as_f64()
        .filter(|float| float.fract() == 0.0 && float.abs() <= EXACT_MAX)?;
    format!("{float:.0}")
        .parse::<Number>()
        .ok()
        .map(Value::Number)
}

/// A list of this one value, if it is such an item.
fn single(value: &Value, wanted: &Wanted<'_>, depth: usize) -> Option<Value> {
    let mut item = value.clone();
    if item.is_null() {
        return None;
    }
    if let Some(wanted) = wanted.items() {
        fit(&mut item, &wanted, depth + 1);
        let kinds = wanted.kinds();
        if !kinds.is_empty() && !kinds.iter().any(|kind| kind.is_of(&item)) {
            return None;
        }
    }
    Some(Value::Array(vec![item]))
}

fn find(value: &Value, wanted: &Wanted<'_>, at: &str, depth: usize) -> Option<String> {
    if depth > DEPTH_MAX {
        return None;
    }
    let kinds = wanted.kinds();
    if !kinds.is_empty() && !kinds.iter().any(|kind| kind.is_of(value)) {
        let words: Vec<&str> = kinds.iter().map(|kind| kind.words()).collect();
        return said(value, at, &format!("must be {}", words.join(" or ")));
    }
    if let Some(choice) = wanted.choice()
        && !choice.contains(value)
    {
        let choice: Vec<String> = choice.iter().map(Value::to_string).collect();
        return said(value, at, &format!("must be one of {}", choice.join(", ")));
    }
    match value {
        Value::Object(parts) => parts.iter().find_map(|(name, part)| {
            let wanted = wanted.property(name)?;
            let at = match at {
                "" => name.clone(),
                at => format!("{at}.{name}"),
            };
            find(part, &wanted, &at, depth + 1)
        }),
        Value::Array(items) => {
            let wanted = wanted.items()?;
            let mut items = items.iter().enumerate();
            items.find_map(|(n, item)| find(item, &wanted, &format!("{at}[{n}]"), depth + 1))
        }
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => None,
    }
}

fn said(value: &Value, at: &str, must: &str) -> Option<String> {
    if at.is_empty() {
        return None;
    }
    let whole = value.to_string();
    let mut shown: String = whole.chars().take(VALUE_CHARS_MAX).collect();
    if shown.len() < whole.len() {
        shown.push_str("...");
    }
    Some(format!("{at} is {shown} and {must}"))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn schema() -> Value {
        json!({
            "type": "object",
            "properties": {
                "n": { "type": "integer" },
                "x": { "type": "number" },
                "b": { "type": "boolean" },
                "s": { "type": "string" },
                "size": { "type": "string", "enum": ["small", "large"] },
                "names": { "type": "array", "items": { "type": "string" } },
                "ids": { "type": "array", "items": { "type": "integer" } },
                "any": { "type": "array" },
                "o": { "type": "object", "properties": { "n": { "type": "integer" } } },
                "os": { "type": "array", "items": { "$ref": "#/$defs/O" } },
                "maybe": { "type": ["integer", "null"] },
                "either": { "anyOf": [{ "type": "boolean" }, { "type": "array", "items": { "type": "integer" } }] },
                "must": { "type": "integer" },
                "free": {},
            },
            "required": ["must"],
            "additionalProperties": false,
            "$defs": { "O": { "type": "object", "properties": { "n": { "type": "integer" } } } },
        })
    }

    fn fitted_text(given: &str) -> String {
        match fitted(&ToolInput::from_json(given.to_owned()), &schema()) {
            ToolInput::Json(json) => json.get().to_owned(),
            ToolInput::Damaged(text) => panic!("{text}"),
        }
    }

    #[test]
    fn what_says_the_same_in_another_shape_is_brought_to_the_schema() {
        for (given, wanted) in [
            (r#"{"n":"30"}"#, json!({ "n": 30 })),
            (r#"{"n":" -3 "}"#, json!({ "n": -3 })),
            (r#"{"n":120000.0}"#, json!({ "n": 120_000 })),
            (r#"{"n":"120000.0"}"#, json!({ "n": 120_000 })),
            (r#"{"n":1e3}"#, json!({ "n": 1_000 })),
            (r#"{"x":"1.5"}"#, json!({ "x": 1.5 })),
            (r#"{"x":"2"}"#, json!({ "x": 2 })),
            (r#"{"b":"false"}"#, json!({ "b": false })),
            (r#"{"b":"True"}"#, json!({ "b": true })),
            (r#"{"s":5}"#, json!({ "s": "5" })),
            (r#"{"n":null,"b":null,"unknown":null}"#, json!({})),
            (r#"{"names":"lead"}"#, json!({ "names": ["lead"] })),
            (
                r#"{"names":"[\"a\",\"b\"]"}"#,
                json!({ "names": ["a", "b"] }),
            ),
            (r#"{"names":["a",7]}"#, json!({ "names": ["a", "7"] })),
            (r#"{"ids":"7"}"#, json!({ "ids": [7] })),
            (r#"{"ids":["7",8.0]}"#, json!({ "ids": [7, 8] })),
            (r#"{"any":{"a":1}}"#, json!({ "any": [{ "a": 1 }] })),
            (r#"{"o":"{\"n\":\"1\"}"}"#, json!({ "o": { "n": 1 } })),
            (
                r#"{"os":{"n":"1","z":null}}"#,
                json!({ "os": [{ "n": 1, "z": null }] }),
            ),
            (r#"{"n":"","b":"","s":""}"#, json!({ "s": "" })),
            (r#"{"input":{"n":"1"}}"#, json!({ "n": 1 })),
            (r#"{"arguments":"{\"s\":\"a\"}"}"#, json!({ "s": "a" })),
            (r#"{"either":"true"}"#, json!({ "either": true })),
            (r#"{"either":"[\"1\"]"}"#, json!({ "either": [1] })),
        ] {
            let found: Value = serde_json::from_str(&fitted_text(given)).unwrap();
            assert_eq!(found, wanted, "{given}");
        }
    }

    #[test]
    fn what_fits_or_would_lose_something_stays_byte_for_byte() {
        for given in [
            r#"{ "n" : 30, "s":"30", "maybe": null }"#,
            r#"{"n":1.5}"#,
            r#"{"n":"soon"}"#,
            r##"{"n":"#3"}"##,
            r#"{"n":1e30}"#,
            r#"{"n":true}"#,
            r#"{"x":"NaN"}"#,
            r#"{"b":"yes"}"#,
            r#"{"b":1}"#,
            r#"{"s":{"a":1}}"#,
            r#"{"s":1.0}"#,
            r#"{"names":"[\"a\""}"#,
            r#"{"names":""}"#,
            r#"{"ids":"soon"}"#,
            r#"{"o":"{"}"#,
            r#"{"must":null}"#,
            r#"{"must":""}"#,
            r#"{"input":{"unknown":1}}"#,
            r#"{"input":{"n":1},"s":"a"}"#,
            r#"{"free":null}"#,
            r#"{"free":"7"}"#,
        ] {
            assert_eq!(fitted_text(given), given);
        }
        let damaged = ToolInput::Damaged("{\"n\":".to_owned());
        assert_eq!(fitted(&damaged, &schema()), damaged);
    }

    #[test]
    fn a_misfit_is_told_by_name_value_and_what_is_wanted() {
        let told = |given: &str| misfit(&ToolInput::from_json(given.to_owned()), &schema());
        for (given, words) in [
            (r#"{"n":"soon"}"#, r#"n is "soon" and must be an integer"#),
            (r#"{"b":[]}"#, "b is [] and must be true or false"),
            (
                r#"{"maybe":"x"}"#,
                r#"maybe is "x" and must be an integer or null"#,
            ),
            (r#"{"o":{"n":[1]}}"#, "o.n is [1] and must be an integer"),
            (
                r#"{"os":[{"n":"x"}]}"#,
                r#"os[0].n is "x" and must be an integer"#,
            ),
            (
                r#"{"size":"big"}"#,
                r#"size is "big" and must be one of "small", "large""#,
            ),
        ] {
            assert_eq!(told(given).as_deref(), Some(words), "{given}");
        }
        assert_eq!(told(r#"{"n":3,"size":"small","free":[]}"#), None);
        let long = format!(r#"{{"n":"{}"}}"#, "x".repeat(500));
        assert!(told(&long).is_some_and(|told| told.len() < 120));
    }

    #[test]
    fn a_schema_that_refers_to_itself_ends() {
        let round = json!({ "$ref": "#" });
        let given = ToolInput::from_json(r#"{"a":1}"#.to_owned());
        assert_eq!(fitted(&given, &round), given);
        let tree = json!({ "type": "object", "properties": { "next": { "$ref": "#" } } });
        let deep = format!("{}{{}}{}", r#"{"next":"#.repeat(60), "}".repeat(60));
        let given = ToolInput::from_json(deep);
        assert_eq!(fitted(&given, &tree), given);
    }
}
