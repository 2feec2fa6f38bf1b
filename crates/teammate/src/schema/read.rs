//! Reads a schema into rules.

use std::collections::BTreeMap;

use regex::Regex;
use serde_json::{Map, Value};

use super::SchemaError;

/// The conditions that a schema sets for a value.
#[derive(Debug, Clone)]
pub(super) enum Node {
    /// Anything, or nothing.
    Always(bool),
    /// All of these.
    Rules(Vec<Rule>),
}

/// One keyword, or several that belong together.
#[derive(Debug, Clone)]
pub(super) enum Rule {
    Ref(String),
    Type(Vec<Type>),
    /// `enum` and `const`.
    OneOfValues(Vec<Value>),
    AllOf(Vec<Node>),
    AnyOf(Vec<Node>),
    OneOf(Vec<Node>),
    Not(Box<Node>),
    If {
        condition: Box<Node>,
        then: Box<Node>,
        otherwise: Box<Node>,
    },
    Required(Vec<String>),
    Properties {
        named: BTreeMap<String, Node>,
        patterns: Vec<(Regex, Node)>,
        /// All others.
        others: Box<Node>,
    },
    PropertyNames(Box<Node>),
    Items {
        first: Vec<Node>,
        rest: Box<Node>,
    },
    Contains(Box<Node>),
    Unique,
    Pattern(Regex),
    /// How many characters, items or properties there may be.
    Size(Sized, Limit, usize),
    /// How large a number may be.
    Number(Limit, f64),
    MultipleOf(f64),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Type {
    Null,
    Boolean,
    Integer,
    Number,
    String,
    Array,
    Object,
}

/// The kinds of value that have a size.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Sized {
    Text,
    Array,
    Object,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Limit {
    AtLeast,
    AtMost,
    Above,
    Below,
}

/// Keywords that do not affect whether a value fits.
const REMARKS: [&str; 15] = [
    "$schema",
    "$id",
    "$comment",
    "$defs",
    "definitions",
    "title",
    "description",
    "default",
    "examples",
    "deprecated",
    "readOnly",
    "writeOnly",
    "format",
    "contentEncoding",
    "contentMediaType",
];

type Read<T> = Result<T, SchemaError>;

/// Reads a whole document, with everything in it that is referred to.
pub(super) fn document(document: &Value) -> Read<(Node, BTreeMap<String, Node>)> {
    let mut reader = Reader { wanted: Vec::new() };
    let root = reader.node(document, "#")?;
    let mut referred = BTreeMap::new();
    while let Some(reference) = reader.wanted.pop() {
        if referred.contains_key(&reference) {
            continue;
        }
        let Some(found) = reference
            .strip_prefix('#')
            .and_then(|pointer| document.pointer(pointer))
        else {
            return Err(wrong(
                "#",
                format!(
                    "'{reference}' is not in this document; only references within it are followed"
                ),
            ));
        };
        let node = reader.node(found, &reference)?;
        referred.insert(reference, node);
    }
    Ok((root, referred))
}

fn wrong(at: &str, what: impl Into<String>) -> SchemaError {
    SchemaError::Wrong {
        at: at.to_owned(),
        what: what.into(),
    }
}

struct Reader {
    /// References that were met.
    wanted: Vec<String>,
}

impl Reader {
    fn node(&mut self, schema: &Value, at: &str) -> Read<Node> {
        match schema {
            Value::Bool(always) => Ok(Node::Always(*always)),
            Value::Object(words) => {
                let mut rules = Vec::new();
                for (word, value) in words {
                    rules.extend(self.rule(words, word, value, at)?);
                }
                Ok(Node::Rules(rules))
            }
            Value::Null | Value::Number(_) | Value::String(_) | Value::Array(_) => {
                Err(wrong(at, "a schema is an object, true or false"))
            }
        }
    }

    /// The rule of a keyword. Those that belong to another are read with it.
    fn rule(
        &mut self,
        words: &Map<String, Value>,
        word: &str,
        value: &Value,
        above: &str,
    ) -> Read<Option<Rule>> {
        let at = &format!("{above}/{word}");
        let rule = match word {
            word if REMARKS.contains(&word) => return Ok(None),
            "then" | "else" | "patternProperties" | "additionalProperties" | "prefixItems"
                if words.keys().any(|other| belongs(word, other)) =>
            {
                return Ok(None);
            }
            // Without an `if` they have no effect.
            "then" | "else" => return Ok(None),
            "$ref" => {
                let reference = text(value, at)?;
                self.wanted.push(reference.clone());
                Rule::Ref(reference)
            }
            "type" => Rule::Type(types(value, at)?),
            "enum" => Rule::OneOfValues(list(value, at)?.clone()),
            "const" => Rule::OneOfValues(vec![value.clone()]),
            "allOf" => Rule::AllOf(self.nodes(value, at)?),
            "anyOf" => Rule::AnyOf(self.nodes(value, at)?),
            "oneOf" => Rule::OneOf(self.nodes(value, at)?),
            "not" => Rule::Not(self.boxed(Some(value), at)?),
            "if" => Rule::If {
                condition: self.boxed(Some(value), at)?,
                then: self.boxed(words.get("then"), above)?,
                otherwise: self.boxed(words.get("else"), above)?,
            },
            "required" => {
                let names = list(value, at)?.iter();
                Rule::Required(names.map(|name| text(name, at)).collect::<Read<_>>()?)
            }
            "properties" | "patternProperties" | "additionalProperties" => {
                self.properties(words, above)?
            }
            "propertyNames" => Rule::PropertyNames(self.boxed(Some(value), at)?),
            "items" | "prefixItems" => Rule::Items {
                first: match words.get("prefixItems") {
                    Some(first) => self.nodes(first, at)?,
                    None => Vec::new(),
                },
                rest: self.boxed(words.get("items"), at)?,
            },
            "contains" => Rule::Contains(self.boxed(Some(value), at)?),
            "uniqueItems" if value == &Value::Bool(false) => return Ok(None),
            "uniqueItems" => Rule::Unique,
            "pattern" => Rule::Pattern(pattern(&text(value, at)?, at)?),
            "minLength" => Rule::Size(Sized::Text, Limit::AtLeast, count(value, at)?),
            "maxLength" => Rule::Size(Sized::Text, Limit::AtMost, count(value, at)?),
            "minItems" => Rule::Size(Sized::Array, Limit::AtLeast, count(value, at)?),
            "maxItems" => Rule::Size(Sized::Array, Limit::AtMost, count(value, at)?),
            "minProperties" => Rule::Size(Sized::Object, Limit::AtLeast, count(value, at)?),
            "maxProperties" => Rule::Size(Sized::Object, Limit::AtMost, count(value, at)?),
            "minimum" => Rule::Number(Limit::AtLeast, number(value, at)?),
            "maximum" => Rule::Number(Limit::AtMost, number(value, at)?),
            "exclusiveMinimum" => Rule::Number(Limit::Above, number(value, at)?),
            "exclusiveMaximum" => Rule::Number(Limit::Below, number(value, at)?),
            "multipleOf" => match number(value, at)? {
                divisor if divisor > 0.0 => Rule::MultipleOf(divisor),
                _ => return Err(wrong(at, "it must be above 0")),
            },
            _ => {
                return Err(wrong(
                    above,
                    format!("the keyword '{word}' is not understood here"),
                ));
            }
        };
        Ok(Some(rule))
    }

    fn properties(&mut self, words: &Map<String, Value>, above: &str) -> Read<Rule> {
        let of = |word: &str| -> Read<Vec<(&String, &Value)>> {
            match words.get(word) {
                Some(Value::Object(named)) => Ok(named.iter().collect()),
                Some(_) => Err(wrong(&format!("{above}/{word}"), "it must be an object")),
                None => Ok(Vec::new()),
            }
        };
        let mut named = BTreeMap::new();
        for (name, schema) in of("properties")? {
            named.insert(
                name.clone(),
                self.node(schema, &format!("{above}/properties/{name}"))?,
            );
        }
        let mut patterns = Vec::new();
        for (text, schema) in of("patternProperties")? {
            let at = format!("{above}/patternProperties/{text}");
            patterns.push((pattern(text, &at)?, self.node(schema, &at)?));
        }
        let others = self.boxed(words.get("additionalProperties"), above)?;
        Ok(Rule::Properties {
            named,
            patterns,
            others,
        })
    }

    /// A missing keyword allows anything.
    fn boxed(&mut self, schema: Option<&Value>, at: &str) -> Read<Box<Node>> {
        let node = schema.map_or(Ok(Node::Always(true)), |schema| self.node(schema, at));
        node.map(Box::new)
    }

    fn nodes(&mut self, value: &Value, at: &str) -> Read<Vec<Node>> {
        let schemas = list(value, at)?.iter().enumerate();
        schemas
            .map(|(place, schema)| self.node(schema, &format!("{at}/{place}")))
            .collect()
    }
}

/// Whether the first keyword is read with the second.
fn belongs(word: &str, other: &str) -> bool {
    match word {
        "then" | "else" => other == "if",
        "patternProperties" => other == "properties",
        "additionalProperties" => matches!(other, "properties" | "patternProperties"),
        "prefixItems" => other == "items",
        _ => false,
    }
}

fn types(value: &Value, at: &str) -> Read<Vec<Type>> {
    let one = |value: &Value| match text(value, at)?.as_str() {
        "null" => Ok(Type::Null),
        "boolean" => Ok(Type::Boolean),
        "integer" => Ok(Type::Integer),
        "number" => Ok(Type::Number),
        "string" => Ok(Type::String),
        "array" => Ok(Type::Array),
        "object" => Ok(Type::Object),
        word => Err(wrong(at, format!("'{word}' is not a type"))),
    };
    match value {
        Value::Array(all) => all.iter().map(one).collect(),
        value => Ok(vec![one(value)?]),
    }
}

fn pattern(text: &str, at: &str) -> Read<Regex> {
    Regex::new(text).map_err(|error| wrong(at, format!("this pattern is not understood: {error}")))
}

fn text(value: &Value, at: &str) -> Read<String> {
    let text = value
        .as_str()
        .ok_or_else(|| wrong(at, "it must be a text"))?;
    Ok(text.to_owned())
}

fn list<'a>(value: &'a Value, at: &str) -> Read<&'a Vec<Value>> {
    value
        .as_array()
        .ok_or_else(|| wrong(at, "it must be a list"))
}

fn count(value: &Value, at: &str) -> Read<usize> {
    let count = value.as_u64().and_then(|count| usize::try_from(count).ok());
    count.ok_or_else(|| wrong(at, "it must be a count"))
}

fn number(value: &Value, at: &str) -> Read<f64> {
    value
        .as_f64()
        .ok_or_else(|| wrong(at, "it must be a number"))
}
