//! Rules in a settings file. They are parsed with the file, so that an error has the line.

use std::fmt;

use serde::{
    Deserializer,
    de::{DeserializeSeed, Error, SeqAccess, Visitor},
};
use teammate_core::permission::{Rule, RuleOrigin};

/// For `deserialize_with`: a list of rules of the user's configuration.
pub fn of_user<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Rule>, D::Error> {
    from.deserialize_seq(List(RuleOrigin::User))
}

/// For `deserialize_with`: a list of rules of a project's settings.
pub(crate) fn of_project<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Rule>, D::Error> {
    from.deserialize_seq(List(RuleOrigin::Project))
}

/// For `deserialize_with`: a list of rules of the machine's policy.
pub(crate) fn of_policy<'de, D: Deserializer<'de>>(from: D) -> Result<Vec<Rule>, D::Error> {
    from.deserialize_seq(List(RuleOrigin::Policy))
}

/// The fault of a file of settings and its line number; without the line itself, which may hold a key.
pub fn flaw(error: &toml::de::Error, text: &str) -> String {
    let at = error.span().map_or(0, |span| span.start);
    let line = text[..text.floor_char_boundary(at)].matches('\n').count() + 1;
    format!("line {line}: {}", error.message())
}

struct List(RuleOrigin);

struct One(RuleOrigin);

impl<'de> Visitor<'de> for List {
    type Value = Vec<Rule>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a list of permission rules")
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
        let mut rules = Vec::new();
        while let Some(rule) = list.next_element_seed(One(self.0))? {
            rules.push(rule);
        }
        Ok(rules)
    }
}

impl<'de> DeserializeSeed<'de> for One {
    type Value = Rule;

    fn deserialize<D: Deserializer<'de>>(self, from: D) -> Result<Rule, D::Error> {
        from.deserialize_str(self)
    }
}

impl Visitor<'_> for One {
    type Value = Rule;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a permission rule such as \"bash(git status:*)\"")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Rule, E> {
        Rule::parse(text, self.0).map_err(E::custom)
    }
}
