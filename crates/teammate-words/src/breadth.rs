//! How much an "always" allows, and the rules that it could make of one call.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How much an "always" allows: exactly what was asked about, commands with the same prefix, or the tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Breadth {
    /// Exactly what was asked about.
    Exact,
    /// A command that begins with the same program and subcommand.
    Prefix,
    /// All calls of the tool, until the team is closed.
    Tool,
}

impl Breadth {
    /// All of them, the narrowest first.
    pub const ALL: [Self; 3] = [Self::Exact, Self::Prefix, Self::Tool];

    /// The word that commands, prompts and JSON have for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Exact => "exact",
            Self::Prefix => "prefix",
            Self::Tool => "tool",
        }
    }

    /// Reads such a word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|breadth| breadth.as_str() == word)
    }

    /// How long its rule holds, as the end of a sentence.
    pub fn lasts(self) -> &'static str {
        match self {
            Self::Exact | Self::Prefix => "from now on",
            Self::Tool => "until the team is closed",
        }
    }
}

impl fmt::Display for Breadth {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.as_str())
    }
}

/// The rules of which an "always" makes one, as they would be written. The names are those of journals and of JSON.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct OfferedRules {
    /// The one of [`Breadth::Exact`].
    #[serde(default, rename = "rule", skip_serializing_if = "Option::is_none")]
    pub exact: Option<String>,
    /// The one of [`Breadth::Prefix`].
    #[serde(
        default,
        rename = "prefix_rule",
        skip_serializing_if = "Option::is_none"
    )]
    pub prefix: Option<String>,
    /// The one of [`Breadth::Tool`].
    #[serde(default, rename = "tool_rule", skip_serializing_if = "Option::is_none")]
    pub tool: Option<String>,
}

impl OfferedRules {
    /// The rule of this breadth, if it is offered.
    pub fn of(&self, breadth: Breadth) -> Option<&str> {
        match breadth {
            Breadth::Exact => self.exact.as_deref(),
            Breadth::Prefix => self.prefix.as_deref(),
            Breadth::Tool => self.tool.as_deref(),
        }
    }

    /// All that are offered, the narrowest first.
    pub fn all(&self) -> impl Iterator<Item = (Breadth, &str)> {
        let each = Breadth::ALL.into_iter();
        each.filter_map(|breadth| Some((breadth, self.of(breadth)?)))
    }

    /// Whether this rule is among them.
    pub fn has(&self, rule: &str) -> bool {
        self.all().any(|(_, offered)| offered == rule)
    }

    /// Keeps those that `is_fit` says yes to.
    #[must_use]
    pub fn filter(self, is_fit: impl Fn(&str) -> bool) -> Self {
        let fit = |rule: Option<String>| rule.filter(|rule| is_fit(rule));
        Self {
            exact: fit(self.exact),
            prefix: fit(self.prefix),
            tool: fit(self.tool),
        }
    }
}

impl fmt::Display for OfferedRules {
    /// In a sentence: `exact: bash(=cargo test x), prefix: bash(cargo test *)`, or `no rule`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let offered = self
            .all()
            .map(|(breadth, rule)| format!("{breadth}: {rule}"));
        let offered: Vec<String> = offered.collect();
        if offered.is_empty() {
            return f.write_str("no rule");
        }
        f.write_str(&offered.join(", "))
    }
}
