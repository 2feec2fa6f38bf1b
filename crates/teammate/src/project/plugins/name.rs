//! Names of plug-ins, which are directories and the first half of their commands' names.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The most bytes of one.
const BYTES_MAX: usize = 64;

/// A name: letters, digits, `-` and `_`, beginning with a letter or digit.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct PluginName(String);

/// A text that is none.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no name for a plug-in: up to {BYTES_MAX} letters, digits, - and _")]
pub struct PluginNameError(String);

impl PluginName {
    /// Reads a name.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn parse(text: &str) -> Result<Self, PluginNameError> {
        let is_plain = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let is_name = text.len() <= BYTES_MAX
            && text.starts_with(|c: char| c.is_ascii_alphanumeric())
            && text.chars().all(is_plain);
        match is_name {
            true => Ok(Self(text.to_owned())),
            false => Err(PluginNameError(
                text.chars()
                    .take(80)
                    .flat_map(char::escape_default)
                    .collect(),
            )),
        }
    }

    /// As text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for PluginName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl TryFrom<String> for PluginName {
    type Error = PluginNameError;

    fn try_from(text: String) -> Result<Self, PluginNameError> {
        Self::parse(&text)
    }
}

impl From<PluginName> for String {
    fn from(name: PluginName) -> Self {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_safe_in_a_path() {
        for name in ["review", "a", "My_Tools-2", "7zip"] {
            assert!(PluginName::parse(name).is_ok(), "{name}");
        }
        for text in [
            "",
            ".",
            "..",
            "a/b",
            "-a",
            "_a",
            "a:b",
            "a b",
            "ä",
            &"a".repeat(65),
        ] {
            assert!(PluginName::parse(text).is_err(), "{text}");
        }
    }
}
