//! A schema with only what all model servers take: references are put in place, alternatives of one kind are joined, and what is
//! odd or only checks is left out. The server of the tool checks a call's arguments itself.

use std::cell::Cell;

use serde_json::{Map, Value, json};
use teammate_core::fit::{REFERENCES_MAX, referred};

use super::is_open;

/// How many levels of properties, items and alternatives are sent.
pub(super) const LEVELS_MAX: usize = 12;

/// The longest name of a property that model servers take.
const PROPERTY_NAME_MAX: usize = 64;

/// How many places a schema may have: one that refers to itself often has no end else. The rest takes everything.
const PLACES_MAX: usize = 2_000;

/// The longest pattern or format that a description names, in characters.
const NOTED_CHARS_MAX: usize = 100;

/// What is sent as it is, if it is of this kind.
const LIMITS: [&str; 6] = [
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
];

/// Names of types that only some servers use.
const TYPES: [(&str, &str); 12] = [
    ("string", "string"),
    ("integer", "integer"),
    ("number", "number"),
    ("boolean", "boolean"),
    ("array", "array"),
    ("object", "object"),
    ("str", "string"),
    ("int", "integer"),
    ("float", "number"),
    ("bool", "boolean"),
    ("list", "array"),
    ("dict", "object"),
];

/// The schema of a tool's input.
///
/// # Errors
///
/// It wants a property that cannot be named.
pub(super) fn pared(kept: &Value, levels: usize) -> Result<Value, String> {
    let paring = Paring {
        root: kept,
        left: Cell::new(PLACES_MAX),
    };
    let mut whole = match paring.place(kept, levels) {
        Value::Object(parts) => parts,
        _ => Map::new(),
    };
    // At the top model servers want one object.
    for word in ["anyOf", "enum", "items", "format"] {
        if let Some(Value::Array(alternatives)) = whole.remove(word) {
            join(&mut whole, &alternatives);
        }
    }
    if let Some(name) = required(kept).find(|name| !is_property_name(name)) {
        let shown: String = name
            .chars()
            .take(20)
            .flat_map(char::escape_default)
            .collect();
        return Err(format!("its schema wants a property '{shown}'"));
    }
    whole.insert("type".to_owned(), "object".into());
    whole.entry("properties").or_insert_with(|| json!({}));
    Ok(Value::Object(whole))
}

/// Takes out all words but names and types.
pub(super) fn drop_words(schema: &mut Value) {
    match schema {
        Value::Object(parts) => {
            // A property may be called so; its schema is no text.
            parts.retain(|word, value| word != "description" || !value.is_string());
            parts.values_mut().for_each(drop_words);
        }
        Value::Array(items) => items.iter_mut().for_each(drop_words),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
    }
}

struct Paring<'a> {
    root: &'a Value,
    /// How many places there may still be.
    left: Cell<usize>,
}

impl Paring<'_> {
    /// A schema at some place. What is none takes everything.
    fn place(&self, schema: &Value, levels: usize) -> Value {
        let left = self.left.get();
        if left == 0 {
            return json!({});
        }
        self.left.set(left - 1);
        let Value::Object(given) = self.found(schema) else {
            return json!({});
        };
        let mut parts = Map::new();
        let kinds = self.kinds(&given);
        if let [kind] = kinds[..] {
            parts.insert("type".to_owned(), kind.into());
        }
        describe(&mut parts, &given);
        choice(&mut parts, &given);
        for word in LIMITS {
            if let Some(limit) = given.get(word).filter(|limit| limit.is_number()) {
                parts.insert(word.to_owned(), limit.clone());
            }
        }
        if let Some(usual) = given.get("default").filter(|usual| !usual.is_null()) {
            parts.insert("default".to_owned(), usual.clone());
        }
        if levels == 0 {
            // A list without the kind of its items would be refused.
            if kinds[..] == ["array"] {
                parts.insert("items".to_owned(), json!({}));
            }
            return Value::Object(parts);
        }
        match kinds[..] {
            ["object"] => self.object(&mut parts, &given, levels - 1),
            ["array"] => drop(parts.insert("items".to_owned(), self.items(&given, levels - 1))),
            _ => {}
        }
        self.alternatives(&mut parts, (&given, &kinds), levels - 1);
        Value::Object(parts)
    }

    /// The schema, or what it refers to, with its own words.
    fn found(&self, schema: &Value) -> Value {
        let mut found = schema.clone();
        for _ in 0..REFERENCES_MAX {
            let Some(Value::String(to)) = found.get("$ref") else {
                return found;
            };
            let there = referred(to, self.root).and_then(Value::as_object).cloned();
            let mut joined = there.unwrap_or_default();
            if let Value::Object(own) = &found {
                let own = own.iter().filter(|(word, value)| {
                    // Of a whole that only refers the properties were added, empty.
                    *word != "$ref" && (*word != "properties" || **value != json!({}))
                });
                joined.extend(own.map(|(word, value)| (word.clone(), value.clone())));
            }
            found = Value::Object(joined);
        }
        // It leads in a circle.
        json!({})
    }

    /// The types that it names, null left out; one that it only shows by its parts.
    fn kinds(&self, given: &Map<String, Value>) -> Vec<&'static str> {
        let known = |word: &Value| {
            let word = word.as_str()?.to_ascii_lowercase();
            let mut types = TYPES.iter();
            types.find(|(name, _)| *name == word).map(|(_, kind)| *kind)
        };
        let named = match given.get("type") {
            Some(Value::Array(words)) => words.iter().filter_map(known).collect(),
            Some(word) => known(word).into_iter().collect(),
            None => Vec::new(),
        };
        match named.is_empty() {
            false => named,
            true if given.get("properties").is_some_and(Value::is_object) => vec!["object"],
            true if given.contains_key("items") || given.contains_key("prefixItems") => {
                vec!["array"]
            }
            true => Vec::new(),
        }
    }

    fn object(&self, parts: &mut Map<String, Value>, given: &Map<String, Value>, levels: usize) {
        let mut properties = Map::new();
        if let Some(Value::Object(all)) = given.get("properties") {
            for (name, schema) in all.iter().filter(|(name, _)| is_property_name(name)) {
                properties.insert(name.clone(), self.place(schema, levels));
            }
        }
        let needed = needed(&Value::Object(given.clone()), &properties);
        parts.insert("properties".to_owned(), Value::Object(properties));
        if !needed.is_empty() {
            parts.insert("required".to_owned(), needed.into());
        }
        match given.get("additionalProperties") {
            Some(Value::Bool(more)) => {
                parts.insert("additionalProperties".to_owned(), (*more).into());
            }
            Some(more @ Value::Object(_)) => {
                parts.insert("additionalProperties".to_owned(), self.place(more, levels));
            }
            Some(_) | None => {}
        }
    }

    /// What items of a list are; anything, if it does not say so.
    fn items(&self, given: &Map<String, Value>, levels: usize) -> Value {
        let each = ["prefixItems", "items"].map(|word| given.get(word).and_then(Value::as_array));
        let each: Vec<Value> = each
            .into_iter()
            .flatten()
            .flatten()
            .map(|item| self.place(item, levels))
            .collect();
        match (&each[..], given.get("items")) {
            ([], Some(items)) => self.place(items, levels),
            ([], None) => json!({}),
            ([first, more @ ..], _) if more.iter().all(|item| item == first) => first.clone(),
            (_, _) => json!({ "anyOf": each }),
        }
    }

    /// What is one of several, or all of them.
    fn alternatives(
        &self,
        parts: &mut Map<String, Value>,
        (given, kinds): (&Map<String, Value>, &[&'static str]),
        levels: usize,
    ) {
        if let Some(Value::Array(all)) = given.get("allOf") {
            for part in all {
                if let Value::Object(part) = self.place(part, levels) {
                    merge(parts, part);
                }
            }
        }
        let mut several: Vec<Value> = match kinds {
            [] | [_] => Vec::new(),
            kinds => kinds
                .iter()
                .map(|kind| {
                    let mut one = given.clone();
                    one.insert("type".to_owned(), (*kind).into());
                    one.remove("description");
                    self.place(&Value::Object(one), levels)
                })
                .collect(),
        };
        for word in ["anyOf", "oneOf"] {
            if let Some(Value::Array(all)) = given.get(word) {
                let all = all
                    .iter()
                    .filter(|one| one.get("type") != Some(&"null".into()));
                several.extend(all.map(|one| self.place(one, levels)));
            }
        }
        several.dedup();
        match &several[..] {
            [] => {}
            [Value::Object(one)] => merge(parts, one.clone()),
            // One that says nothing takes all.
            several
                if several
                    .iter()
                    .any(|one| one.as_object().is_some_and(is_open)) => {}
            several => drop(parts.insert("anyOf".to_owned(), several.to_vec().into())),
        }
    }
}

/// Its words about itself, with what is not sent in another form.
fn describe(parts: &mut Map<String, Value>, given: &Map<String, Value>) {
    let text = |word: &str| given.get(word).and_then(Value::as_str);
    let mut words: Vec<String> = text("description").map(str::to_owned).into_iter().collect();
    for (word, told) in [("format", "Format"), ("pattern", "Pattern")] {
        match text(word) {
            Some("date-time") => drop(parts.insert(word.to_owned(), "date-time".into())),
            Some(text) if text.chars().count() <= NOTED_CHARS_MAX => {
                words.push(format!("{told}: {text}"));
            }
            Some(_) | None => {}
        }
    }
    if !words.is_empty() {
        parts.insert("description".to_owned(), words.join(" ").into());
    }
}

/// The only values, if it lists some.
fn choice(parts: &mut Map<String, Value>, given: &Map<String, Value>) {
    let mut values: Vec<Value> = match (given.get("enum"), given.get("const")) {
        (Some(Value::Array(values)), _) => values.clone(),
        (_, Some(value)) => vec![value.clone()],
        (_, None) => Vec::new(),
    };
    values.retain(|value| !value.is_null());
    let mut once: Vec<Value> = Vec::new();
    for value in values {
        if !once.contains(&value) {
            once.push(value);
        }
    }
    if !once.is_empty() {
        parts.insert("enum".to_owned(), once.into());
    }
}

/// Adds what another schema of the same value says; of both what was there first counts.
fn merge(parts: &mut Map<String, Value>, other: Map<String, Value>) {
    for (word, value) in other {
        match (parts.get_mut(&word), value) {
            (Some(Value::Object(known)), Value::Object(more)) if word == "properties" => {
                for (name, schema) in more {
                    known.entry(name).or_insert(schema);
                }
            }
            (Some(Value::Array(known)), Value::Array(more)) if word == "required" => {
                let new = more.into_iter().filter(|name| !known.contains(name));
                let new: Vec<Value> = new.collect();
                known.extend(new);
            }
            (Some(_), _) => {}
            (None, value) => drop(parts.insert(word, value)),
        }
    }
}

/// Makes alternatives of a whole input one: with the properties of all, of which those are required that all require.
fn join(whole: &mut Map<String, Value>, alternatives: &[Value]) {
    let all: Vec<Vec<&str>> = alternatives
        .iter()
        .map(|one| required(one).collect())
        .collect();
    let always: Vec<Value> = all.first().map_or_else(Vec::new, |first| {
        let always = first
            .iter()
            .filter(|name| all.iter().all(|one| one.contains(name)));
        always.map(|name| (*name).into()).collect()
    });
    for alternative in alternatives {
        if let Some(properties) = alternative.get("properties") {
            merge(
                whole,
                Map::from_iter([("properties".to_owned(), properties.clone())]),
            );
        }
    }
    if !always.is_empty() {
        merge(
            whole,
            Map::from_iter([("required".to_owned(), always.into())]),
        );
    }
}

fn needed(given: &Value, properties: &Map<String, Value>) -> Vec<Value> {
    let mut needed: Vec<Value> = Vec::new();
    for name in required(given).filter(|name| properties.contains_key(*name)) {
        if !needed.iter().any(|known| known == name) {
            needed.push(name.into());
        }
    }
    needed
}

fn required(schema: &Value) -> impl Iterator<Item = &str> {
    let all = schema.get("required").and_then(Value::as_array);
    all.into_iter().flatten().filter_map(Value::as_str)
}

fn is_property_name(name: &str) -> bool {
    let is_word = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '.' | '-');
    !name.is_empty() && name.len() <= PROPERTY_NAME_MAX && name.chars().all(is_word)
}
