//! Patterns for names of models: `*` stands for any characters, also none.

use std::fmt;

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct NamePattern(String);

impl NamePattern {
    /// `None` if it is empty or has blanks around it.
    pub(super) fn parse(text: &str) -> Option<Self> {
        (!text.is_empty() && text.trim() == text).then(|| Self(text.to_owned()))
    }

    /// Whether all of this name matches.
    pub(super) fn matches(&self, name: &str) -> bool {
        let mut parts = self.0.split('*');
        let first = parts.next().unwrap_or_default();
        let Some(mut rest) = name.strip_prefix(first) else {
            return false;
        };
        let Some(last) = parts.next_back() else {
            return rest.is_empty();
        };
        for part in parts {
            match rest.find(part) {
                Some(at) => rest = &rest[at + part.len()..],
                None => return false,
            }
        }
        rest.ends_with(last)
    }
}

impl fmt::Display for NamePattern {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stars_stand_for_any_characters() {
        let matches =
            |pattern: &str, name: &str| NamePattern::parse(pattern).unwrap().matches(name);
        for (pattern, name) in [
            ("claude-*", "claude-sonnet-4"),
            ("claude-*", "claude-"),
            ("*", "x"),
            ("*:gpt-5*", "openai:gpt-5-mini"),
            ("a*b*c", "a-b-b-c"),
            ("exact", "exact"),
        ] {
            assert!(matches(pattern, name), "{pattern} {name}");
        }
        for (pattern, name) in [
            ("claude-*", "my-claude-1"),
            ("*-mini", "gpt-5-mini-x"),
            ("a*a", "a"),
            ("exact", "exactly"),
            ("exact", "an exact"),
            ("a*b*c", "acb"),
        ] {
            assert!(!matches(pattern, name), "{pattern} {name}");
        }
        assert_eq!(NamePattern::parse(" a"), None);
        assert_eq!(NamePattern::parse(""), None);
    }
}
