//! JSON objects whose fields keep their order and exact bytes, and writers for small JSON values.

use std::{
    collections::{HashMap, hash_map::Entry},
    fmt,
};

use serde::{
    Deserialize, Deserializer,
    de::{MapAccess, Visitor},
};
use serde_json::value::RawValue;

/// The fields of an object in order, each in its exact bytes. The last of two equal names counts.
#[derive(Debug, Clone, Default)]
pub(crate) struct Fields(Vec<(String, Box<RawValue>)>);

impl Fields {
    /// The bytes of a field; `None` if it is missing or `null`.
    pub(crate) fn raw(&self, name: &str) -> Option<&str> {
        let (_, value) = self.0.iter().find(|(field, _)| field == name)?;
        (value.get() != "null").then(|| value.get())
    }

    /// The value of a field that is a string.
    pub(crate) fn string(&self, name: &str) -> Option<String> {
        serde_json::from_str(self.raw(name)?).ok()
    }

    /// Replaces a field in its place, or adds it at the end.
    pub(crate) fn set(&mut self, name: &str, value: Box<RawValue>) {
        match self.0.iter_mut().find(|(field, _)| field == name) {
            Some((_, known)) => *known = value,
            None => self.0.push((name.to_owned(), value)),
        }
    }

    /// The number of fields.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }

    /// Fields that are not `null`, in order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = (&str, &RawValue)> {
        self.0
            .iter()
            .filter(|(_, value)| value.get() != "null")
            .map(|(name, value)| (name.as_str(), &**value))
    }

    /// Moves the named fields to the front, in that order, and drops fields that are `null`.
    pub(crate) fn sort_like(&mut self, first: &[&str]) {
        self.0.retain(|(_, value)| value.get() != "null");
        self.0.sort_by_key(|(field, _)| {
            first
                .iter()
                .position(|name| name == field)
                .unwrap_or(first.len())
        });
    }

    /// The object's bytes.
    pub(crate) fn json(&self) -> String {
        let mut out = String::from("{");
        for (name, value) in &self.0 {
            if out.len() > 1 {
                out.push(',');
            }
            out.push_str(&quoted(name));
            out.push(':');
            out.push_str(value.get());
        }
        out.push('}');
        out
    }
}

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reader;
        impl<'de> Visitor<'de> for Reader {
            type Value = Fields;
            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }
            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                // A hostile object may have a million fields.
                let mut places = HashMap::new();
                while let Some((name, value)) = map.next_entry::<String, Box<RawValue>>()? {
                    match places.entry(name) {
                        Entry::Occupied(known) => {
                            fields[*known.get()] = (known.key().clone(), value);
                        }
                        Entry::Vacant(new) => {
                            fields.push((new.key().clone(), value));
                            new.insert(fields.len() - 1);
                        }
                    }
                }
                Ok(Fields(fields))
            }
        }
        deserializer.deserialize_map(Reader)
    }
}

/// Text as a JSON string.
pub(crate) fn quoted(text: &str) -> String {
    // Serialising a string cannot fail.
    serde_json::to_string(text).unwrap_or_default()
}

/// Text as a raw JSON string.
pub(crate) fn raw_string(text: &str) -> Box<RawValue> {
    RawValue::from_string(quoted(text)).unwrap_or_else(|_| RawValue::NULL.to_owned())
}

/// A list of raw values.
pub(crate) fn raw_list<'a>(items: impl IntoIterator<Item = &'a str>) -> Box<RawValue> {
    let items: Vec<&str> = items.into_iter().collect();
    RawValue::from_string(format!("[{}]", items.join(",")))
        .unwrap_or_else(|_| RawValue::NULL.to_owned())
}
