//! The demand of a schema at one place: the kinds of values, read from JSON Schema as servers write it. A part that is odd
//! demands nothing.

use serde_json::Value;

/// How often a reference may lead to another.
pub const REFERENCES_MAX: usize = 8;

/// The part of a schema that a reference within it (`#/$defs/x`) names.
pub fn referred<'a>(to: &str, root: &'a Value) -> Option<&'a Value> {
    root.pointer(to.strip_prefix('#')?)
}

/// A kind of value, in the words of JSON Schema.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum ValueKind {
    Null,
    Boolean,
    Integer,
    Number,
    Text,
    Array,
    Object,
}

impl ValueKind {
    fn parse(word: &str) -> Option<Self> {
        Some(match word {
            "null" => Self::Null,
            "boolean" => Self::Boolean,
            "integer" => Self::Integer,
            "number" => Self::Number,
            "string" => Self::Text,
            "array" => Self::Array,
            "object" => Self::Object,
            _ => return None,
        })
    }

    /// Whether this value is one.
    pub(super) fn is_of(self, value: &Value) -> bool {
        match self {
            Self::Null => value.is_null(),
            Self::Boolean => value.is_boolean(),
            Self::Integer => value.is_i64() || value.is_u64(),
            Self::Number => value.is_number(),
            Self::Text => value.is_string(),
            Self::Array => value.is_array(),
            Self::Object => value.is_object(),
        }
    }

    /// Whether an empty text is none, and stands for nothing.
    pub(super) fn is_plain(self) -> bool {
        match self {
            Self::Null | Self::Boolean | Self::Integer | Self::Number => true,
            Self::Text | Self::Array | Self::Object => false,
        }
    }

    /// For a refusal.
    pub(super) fn words(self) -> &'static str {
        match self {
            Self::Null => "null",
            Self::Boolean => "true or false",
            Self::Integer => "an integer",
            Self::Number => "a number",
            Self::Text => "a text",
            Self::Array => "a list",
            Self::Object => "an object",
        }
    }
}

/// A place in a schema.
pub(super) struct Wanted<'a> {
    here: &'a Value,
    root: &'a Value,
}

impl<'a> Wanted<'a> {
    /// The whole of a schema.
    pub(super) fn new(schema: &'a Value) -> Self {
        Self::at(schema, schema)
    }

    fn at(mut here: &'a Value, root: &'a Value) -> Self {
        for _ in 0..REFERENCES_MAX {
            let to = here.get("$ref").and_then(Value::as_str);
            match to.and_then(|to| referred(to, root)) {
                Some(there) => here = there,
                None => break,
            }
        }
        Self { here, root }
    }

    /// The kinds that are wanted, those named first before others; none if any will do.
    pub(super) fn kinds(&self) -> Vec<ValueKind> {
        match self.here.get("type") {
            Some(Value::String(word)) => ValueKind::parse(word).into_iter().collect(),
            Some(Value::Array(words)) => {
                let words = words.iter().filter_map(Value::as_str);
                words.filter_map(ValueKind::parse).collect()
            }
            Some(_) | None => self.kinds_of_choice(),
        }
    }

    /// Of a place that names no type: those of its alternatives, if each has some.
    fn kinds_of_choice(&self) -> Vec<ValueKind> {
        let mut kinds = Vec::new();
        for alternative in self.alternatives() {
            // One that says nothing takes everything.
            match alternative.here.get("type").is_some() {
                true => kinds.extend(alternative.kinds()),
                false => return Vec::new(),
            }
        }
        kinds.dedup();
        kinds
    }

    fn alternatives(&self) -> impl Iterator<Item = Wanted<'a>> + use<'a> {
        let root = self.root;
        let lists = ["anyOf", "oneOf"].map(|word| self.here.get(word).and_then(Value::as_array));
        let all = lists.into_iter().flatten().flatten();
        all.map(move |alternative| Self::at(alternative, root))
    }

    /// Whether values of this kind are wanted, too.
    pub(super) fn takes(&self, kind: ValueKind) -> bool {
        let kinds = self.kinds();
        kinds.is_empty() || kinds.contains(&kind)
    }

    /// The only values, if they are listed.
    pub(super) fn choice(&self) -> Option<&'a Vec<Value>> {
        self.here.get("enum").and_then(Value::as_array)
    }

    /// The demand on the property of this name.
    pub(super) fn property(&self, name: &str) -> Option<Wanted<'a>> {
        self.part(&|place| place.get("properties")?.get(name))
    }

    /// The demand on each item of a list.
    pub(super) fn items(&self) -> Option<Wanted<'a>> {
        self.part(&|place| place.get("items"))
    }

    /// A part of this place, or of the first alternative that has it.
    fn part(&self, of: &dyn Fn(&'a Value) -> Option<&'a Value>) -> Option<Wanted<'a>> {
        let own = of(self.here).map(|part| Self::at(part, self.root));
        own.or_else(|| {
            let found = self.alternatives().find_map(|place| of(place.here));
            found.map(|part| Self::at(part, self.root))
        })
    }

    /// Whether the property of this name must be there.
    pub(super) fn requires(&self, name: &str) -> bool {
        let required = self.here.get("required").and_then(Value::as_array);
        required.is_some_and(|all| all.iter().any(|one| one.as_str() == Some(name)))
    }

    /// Whether there may be properties that the schema does not name.
    pub(super) fn takes_more(&self) -> bool {
        self.here.get("additionalProperties") != Some(&Value::Bool(false))
    }
}
