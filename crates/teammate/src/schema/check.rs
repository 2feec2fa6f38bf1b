//! Holds a value against the rules of a schema.

use std::collections::BTreeMap;

use serde_json::{Map, Number, Value};

use super::{
    Misfit,
    read::{Limit, Node, Rule, Sized, Type},
};

/// How deep rules are followed. A schema may refer to itself without end.
const DEPTH_MAX: usize = 200;

/// How close a quotient must be to a whole number to count as one.
const WHOLE_WITHIN: f64 = 1e-9;

/// One look at a value.
pub(super) struct Check<'a> {
    referred: &'a BTreeMap<String, Node>,
    depth: usize,
    /// Where in the value.
    at: String,
    misfits: Vec<Found>,
}

/// A misfit, and whether it is about what kind of value this is.
struct Found {
    misfit: Misfit,
    about: About,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum About {
    /// The type, or a word that must be one of a few: another alternative may be meant.
    Kind,
    Other,
}

impl<'a> Check<'a> {
    pub(super) fn new(referred: &'a BTreeMap<String, Node>) -> Self {
        Self {
            referred,
            depth: 0,
            at: String::new(),
            misfits: Vec::new(),
        }
    }

    /// All that does not fit.
    pub(super) fn of(mut self, node: &Node, value: &Value) -> Vec<Misfit> {
        self.node(node, value);
        self.misfits.into_iter().map(|found| found.misfit).collect()
    }

    fn node(&mut self, node: &Node, value: &Value) {
        if self.depth >= DEPTH_MAX {
            return self
                .wrong("is nested too deeply for the schema, or the schema refers to itself");
        }
        self.depth += 1;
        match node {
            Node::Always(true) => {}
            Node::Always(false) => self.wrong("is not allowed here"),
            Node::Rules(rules) => {
                for rule in rules {
                    self.rule(rule, value);
                }
            }
        }
        self.depth -= 1;
    }

    fn rule(&mut self, rule: &Rule, value: &Value) {
        match (rule, value) {
            (Rule::Ref(reference), _) => {
                // Reading has found each of them.
                if let Some(node) = self.referred.get(reference) {
                    self.node(node, value);
                }
            }
            (Rule::Type(types), _) if !types.iter().any(|wanted| is_a(*wanted, value)) => {
                let words: Vec<&str> = types.iter().map(|wanted| word(*wanted)).collect();
                self.wrong_kind(&format!("is not {}", words.join(" or ")));
            }
            (Rule::OneOfValues(values), _) if !values.iter().any(|one| same(one, value)) => {
                let words: Vec<String> = values.iter().map(Value::to_string).collect();
                self.wrong_kind(&format!("is not {}", words.join(" or ")));
            }
            (Rule::AllOf(nodes), _) => nodes.iter().for_each(|node| self.node(node, value)),
            (Rule::AnyOf(nodes), _) => {
                let tries = self.tries(nodes, value);
                if tries.iter().all(|misfits| !misfits.is_empty()) {
                    self.nearest(tries);
                }
            }
            (Rule::OneOf(nodes), _) => {
                let tries = self.tries(nodes, value);
                match tries.iter().filter(|misfits| misfits.is_empty()).count() {
                    0 => self.nearest(tries),
                    1 => {}
                    count => self.wrong(&format!(
                        "fits {count} of the alternatives, and must fit one only"
                    )),
                }
            }
            (Rule::Not(node), _) => {
                if self.tried(node, value).is_empty() {
                    self.wrong("is what it must not be");
                }
            }
            (
                Rule::If {
                    condition,
                    then,
                    otherwise,
                },
                _,
            ) => {
                let holds = self.tried(condition, value).is_empty();
                self.node(if holds { then } else { otherwise }, value);
            }
            (Rule::Required(names), Value::Object(object)) => {
                for name in names.iter().filter(|name| !object.contains_key(*name)) {
                    self.wrong(&format!("has no '{name}'"));
                }
            }
            (
                Rule::Properties {
                    named,
                    patterns,
                    others,
                },
                Value::Object(object),
            ) => {
                for (name, value) in object {
                    let fitting = patterns
                        .iter()
                        .filter(|(pattern, _)| pattern.is_match(name));
                    let nodes: Vec<&Node> = named
                        .get(name)
                        .into_iter()
                        .chain(fitting.map(|(_, node)| node))
                        .collect();
                    match &nodes[..] {
                        [] => self.below(name, others, value),
                        nodes => nodes.iter().for_each(|node| self.below(name, node, value)),
                    }
                }
            }
            (Rule::PropertyNames(node), Value::Object(object)) => {
                for name in object.keys() {
                    let name = Value::String(name.clone());
                    for found in self.tried(node, &name) {
                        self.wrong(&format!("has the name {name}, which {}", found.misfit.what));
                    }
                }
            }
            (Rule::Items { first, rest }, Value::Array(items)) => {
                for (place, item) in items.iter().enumerate() {
                    self.below(&place.to_string(), first.get(place).unwrap_or(rest), item);
                }
            }
            (Rule::Contains(node), Value::Array(items)) => {
                if items.iter().all(|item| !self.tried(node, item).is_empty()) {
                    self.wrong("has no item of the kind that it must contain");
                }
            }
            (Rule::Unique, Value::Array(items)) => {
                let is_again =
                    |(place, item)| items[..place].iter().any(|earlier| same(earlier, item));
                if items.iter().enumerate().any(is_again) {
                    self.wrong("has the same item twice");
                }
            }
            (Rule::Pattern(pattern), Value::String(text)) if !pattern.is_match(text) => {
                self.wrong(&format!("does not match the pattern {pattern}"));
            }
            (Rule::Size(sized, limit, size), _) => self.size(*sized, *limit, *size, value),
            (Rule::Number(limit, bound), Value::Number(number)) => {
                if let Some(what) = beyond(*limit, number.as_f64().unwrap_or(f64::NAN), *bound) {
                    self.wrong(&format!("is not {what} {bound}"));
                }
            }
            (Rule::MultipleOf(divisor), Value::Number(number)) => {
                let times = number.as_f64().unwrap_or(f64::NAN) / divisor;
                if (times - times.round()).abs() > WHOLE_WITHIN {
                    self.wrong(&format!("is not a multiple of {divisor}"));
                }
            }
            // It fits, or the rule is about values of another type.
            (
                Rule::Type(_)
                | Rule::OneOfValues(_)
                | Rule::Required(_)
                | Rule::Properties { .. }
                | Rule::PropertyNames(_)
                | Rule::Items { .. }
                | Rule::Contains(_)
                | Rule::Unique
                | Rule::Pattern(_)
                | Rule::Number(..)
                | Rule::MultipleOf(_),
                _,
            ) => {}
        }
    }

    fn size(&mut self, sized: Sized, limit: Limit, bound: usize, value: &Value) {
        let (size, unit) = match (sized, value) {
            (Sized::Text, Value::String(text)) => (text.chars().count(), "characters"),
            (Sized::Array, Value::Array(items)) => (items.len(), "items"),
            (Sized::Object, Value::Object(object)) => (object.len(), "properties"),
            (Sized::Text | Sized::Array | Sized::Object, _) => return,
        };
        if let Some(what) = beyond(limit, size, bound) {
            self.wrong(&format!("has {size} {unit}, not {what} {bound}"));
        }
    }

    /// A value within this one.
    fn below(&mut self, name: &str, node: &Node, value: &Value) {
        let length = self.at.len();
        self.at.push('/');
        self.at
            .push_str(&name.replace('~', "~0").replace('/', "~1"));
        self.node(node, value);
        self.at.truncate(length);
    }

    /// The misfits of a value, without reporting them.
    fn tried(&mut self, node: &Node, value: &Value) -> Vec<Found> {
        let before = std::mem::take(&mut self.misfits);
        self.node(node, value);
        std::mem::replace(&mut self.misfits, before)
    }

    fn tries(&mut self, nodes: &[Node], value: &Value) -> Vec<Vec<Found>> {
        nodes.iter().map(|node| self.tried(node, value)).collect()
    }

    /// No alternative fits: reports what is wrong with the one that is meant, if that is clear.
    fn nearest(&mut self, tries: Vec<Vec<Found>>) {
        let level = depth(&self.at);
        let is_meant = |tried: &Vec<Found>| {
            let is_other =
                |found: &Found| found.about == About::Kind && depth(&found.misfit.at) <= level + 1;
            !tried.iter().any(is_other)
        };
        match tries.into_iter().filter(is_meant).min_by_key(Vec::len) {
            Some(misfits) => self.misfits.extend(misfits),
            None => self.wrong_kind("fits none of the alternatives"),
        }
    }

    fn wrong(&mut self, what: &str) {
        self.found(what, About::Other);
    }

    fn wrong_kind(&mut self, what: &str) {
        self.found(what, About::Kind);
    }

    fn found(&mut self, what: &str, about: About) {
        let misfit = Misfit {
            at: self.at.clone(),
            what: what.to_owned(),
        };
        self.misfits.push(Found { misfit, about });
    }
}

/// How deep in a value a pointer leads.
fn depth(at: &str) -> usize {
    at.matches('/').count()
}

fn is_a(wanted: Type, value: &Value) -> bool {
    match (wanted, value) {
        (Type::Null, Value::Null)
        | (Type::Boolean, Value::Bool(_))
        | (Type::Number, Value::Number(_))
        | (Type::String, Value::String(_))
        | (Type::Array, Value::Array(_))
        | (Type::Object, Value::Object(_)) => true,
        (Type::Integer, Value::Number(number)) => is_whole(number),
        (
            Type::Null
            | Type::Boolean
            | Type::Integer
            | Type::Number
            | Type::String
            | Type::Array
            | Type::Object,
            _,
        ) => false,
    }
}

/// 1.0 is an integer, too.
fn is_whole(number: &Number) -> bool {
    number.is_i64()
        || number.is_u64()
        || number.as_f64().is_some_and(|number| number.fract() == 0.0)
}

fn word(wanted: Type) -> &'static str {
    match wanted {
        Type::Null => "null",
        Type::Boolean => "true or false",
        Type::Integer => "an integer",
        Type::Number => "a number",
        Type::String => "a string",
        Type::Array => "an array",
        Type::Object => "an object",
    }
}

/// Equal as JSON: 1 is 1.0, and the order of properties does not count.
fn same(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => {
            one == other || (!is_exact(one, other) && one.as_f64() == other.as_f64())
        }
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| same(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len() && one.iter().all(|(name, value)| has(other, name, value))
        }
        (one, other) => one == other,
    }
}

/// Whether both are integers, which are compared digit by digit.
fn is_exact(one: &Number, other: &Number) -> bool {
    !one.is_f64() && !other.is_f64()
}

fn has(object: &Map<String, Value>, name: &str, value: &Value) -> bool {
    object.get(name).is_some_and(|other| same(value, other))
}

/// The words for a limit that the value breaks, if it does.
fn beyond<T: PartialOrd + Copy>(limit: Limit, value: T, bound: T) -> Option<&'static str> {
    let (holds, what) = match limit {
        Limit::AtLeast => (value >= bound, "at least"),
        Limit::AtMost => (value <= bound, "at most"),
        Limit::Above => (value > bound, "above"),
        Limit::Below => (value < bound, "below"),
    };
    (!holds).then_some(what)
}
