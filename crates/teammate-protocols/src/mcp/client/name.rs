//! Names of servers, and the names by which members call their tools.

use std::fmt;

use serde::{Deserialize, Serialize};

/// The beginning of the name of every tool of a server, before the server's own name.
pub const PREFIX: &str = "mcp__";

/// The longest name of a tool that model servers take.
const TOOL_NAME_MAX: usize = 64;

/// The longest name of a server.
const SERVER_NAME_MAX: usize = 32;

/// The name of a server: letters, digits, `_` and `-`, at most 32, without `__`, which ends it in the names of tools.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ServerName(String);

/// A name that no server can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no name for an MCP server: letters, digits, - and _, at most {SERVER_NAME_MAX}, no double _"
)]
pub struct ServerNameError(String);

impl ServerName {
    /// Reads a name.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn parse(text: &str) -> Result<Self, ServerNameError> {
        let is_name = !text.is_empty()
            && text.len() <= SERVER_NAME_MAX
            && text.chars().all(is_word)
            && !text.contains("__")
            && !text.ends_with('_');
        match is_name {
            true => Ok(Self(text.to_owned())),
            false => Err(ServerNameError(text.chars().take(80).collect())),
        }
    }

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// By what name members call a tool of this server: `mcp__SERVER__TOOL`, with `_` for characters that model servers do not
    /// take. `None` if that is too long, or nothing is left of the tool's own name.
    pub fn tool(&self, tool: &str) -> Option<String> {
        let tool: String = tool
            .chars()
            .map(|c| if is_word(c) { c } else { '_' })
            .collect();
        let name = format!("{PREFIX}{}__{tool}", self.0);
        let has_letters = tool.chars().any(|c| c.is_ascii_alphanumeric());
        (has_letters && name.len() <= TOOL_NAME_MAX).then_some(name)
    }
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_' || c == '-'
}

impl fmt::Display for ServerName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl TryFrom<String> for ServerName {
    type Error = ServerNameError;

    fn try_from(text: String) -> Result<Self, Self::Error> {
        Self::parse(&text)
    }
}

impl From<ServerName> for String {
    fn from(name: ServerName) -> Self {
        name.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_has_a_word_for_its_name() {
        for name in ["github", "my-server_2", "A"] {
            assert_eq!(ServerName::parse(name).map(String::from), Ok(name.into()));
        }
        for name in ["", "a b", "a__b", "a_", "né", &"x".repeat(33), "../x"] {
            assert!(ServerName::parse(name).is_err(), "{name}");
        }
    }

    #[test]
    fn tools_have_names_that_model_servers_take() {
        let server = ServerName::parse("git").unwrap();
        for (tool, name) in [
            ("status", Some("mcp__git__status")),
            ("log.show all", Some("mcp__git__log_show_all")),
            ("", None),
            ("\u{202e}\u{5d0}", None),
        ] {
            assert_eq!(server.tool(tool).as_deref(), name, "{tool}");
        }
        assert!(server.tool(&"x".repeat(54)).is_some());
        assert!(server.tool(&"x".repeat(55)).is_none());
    }
}
