//! Names of models and patterns for them.

use std::borrow::Cow;

use serde::Deserialize;

/// A model's name, or a beginning followed by `*`.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(transparent)]
pub struct NamePattern(String);

impl NamePattern {
    /// A pattern as it is written.
    pub fn new(pattern: &str) -> Self {
        Self(pattern.to_owned())
    }

    /// The pattern as it is written.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Whether a name fits.
    pub fn fits(&self, name: &str) -> bool {
        match self.0.strip_suffix('*') {
            Some(start) => name.starts_with(start),
            None => name == self.0,
        }
    }
}

/// A model's name as its vendor writes it: gateways put the vendor before it, and some write versions with a point where
/// Anthropic writes a hyphen.
pub(super) fn plain_name(name: &str) -> Cow<'_, str> {
    let name = name.rsplit('/').next().unwrap_or(name);
    let name = match name.find("anthropic.claude") {
        Some(at) => &name[at + "anthropic.".len()..],
        None => name,
    };
    match name.starts_with("claude") && name.contains('.') {
        true => Cow::Owned(name.replace('.', "-")),
        false => Cow::Borrowed(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_known_however_it_is_resold() {
        for name in [
            "claude-opus-4-6",
            "anthropic/claude-opus-4.6",
            "us.anthropic.claude-opus-4-6",
        ] {
            assert_eq!(plain_name(name), "claude-opus-4-6", "{name}");
        }
        assert_eq!(plain_name("openai/gpt-5.1"), "gpt-5.1");
        assert_eq!(plain_name("qwen3-coder:30b"), "qwen3-coder:30b");
    }

    #[test]
    fn a_pattern_is_a_name_or_a_beginning() {
        let fits = |pattern: &str, name| NamePattern(pattern.to_owned()).fits(name);
        assert!(fits("gpt-5", "gpt-5") && !fits("gpt-5", "gpt-5-mini"));
        assert!(fits("gpt-5*", "gpt-5-mini") && !fits("gpt-5*", "gpt-4"));
    }
}
