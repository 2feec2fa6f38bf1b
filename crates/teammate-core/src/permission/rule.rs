//! One rule: `bash`, `bash(git status:*)`, `bash(cargo test)`, `edit(src/**)`, `*`.
//!
//! Commands are compared as text. A prefix rule allows only a single plain command: with anything in it by which a
//! shell could run a second one, a person is asked. The other way round, a deny rule looks at every part of a chain.

use std::{fmt, path::Path};

use crate::port::Target;

/// A rule as the user wrote it, parsed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    tool: String,
    pattern: Option<String>,
}

/// A text that is not a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a permission rule; write TOOL or TOOL(PATTERN), for example bash(git status:*) or edit(src/**)"
)]
pub struct RuleError(String);

impl Rule {
    /// Reads `TOOL` or `TOOL(PATTERN)`. `edit` covers `write_file` and `edit_file`, `read` covers the readers.
    pub fn parse(text: &str) -> Result<Self, RuleError> {
        let wrong = || RuleError(text.to_owned());
        let text = text.trim();
        let (tool, pattern) = match text.split_once('(') {
            Some((tool, rest)) => (
                tool,
                Some(rest.strip_suffix(')').ok_or_else(wrong)?.to_owned()),
            ),
            None => (text, None),
        };
        let named = tool == "*"
            || (!tool.is_empty()
                && tool
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)));
        if named && pattern.as_deref() != Some("") {
            Ok(Self {
                tool: tool.to_owned(),
                pattern,
            })
        } else {
            Err(wrong())
        }
    }

    /// Whether this rule, as an allow rule, covers the call.
    pub fn allows(&self, tool: &str, target: &Target) -> bool {
        self.names(tool)
            && match (&self.pattern, target) {
                (None, _) => true,
                (Some(pattern), Target::Command(command)) => {
                    command.trim() == pattern
                        || (is_plain(command) && matches_command(pattern, command))
                }
                (Some(pattern), Target::Path(path)) => matches_path(pattern, path),
                (Some(_), Target::Team) => false,
            }
    }

    /// Whether this rule, as a deny rule, covers the call.
    pub fn denies(&self, tool: &str, target: &Target) -> bool {
        self.names(tool)
            && match (&self.pattern, target) {
                (None, _) => true,
                (Some(pattern), Target::Command(command)) => std::iter::once(command.as_str())
                    .chain(command.split(SEPARATORS))
                    .any(|part| matches_command(pattern, part)),
                (Some(pattern), Target::Path(path)) => matches_path(pattern, path),
                (Some(_), Target::Team) => false,
            }
    }

    fn names(&self, tool: &str) -> bool {
        match self.tool.as_str() {
            "*" => true,
            "edit" => matches!(tool, "write_file" | "edit_file"),
            "read" => matches!(tool, "read_file" | "glob" | "grep"),
            name => name == tool,
        }
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.pattern {
            Some(pattern) => write!(f, "{}({pattern})", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}

/// What can stand between two commands.
const SEPARATORS: [char; 9] = [';', '|', '&', '\n', '(', ')', '{', '}', '`'];

/// Whether a shell would run nothing but the one command that is read here.
fn is_plain(command: &str) -> bool {
    !command.contains(SEPARATORS) && !command.contains(['$', '<', '>', '\\', '\r'])
}

/// `git status:*` is the words and anything after them; anything else must be the same words.
fn matches_command(pattern: &str, command: &str) -> bool {
    let mut words = command.split_whitespace();
    match pattern.strip_suffix(":*") {
        Some(prefix) => prefix
            .split_whitespace()
            .all(|wanted| words.next() == Some(wanted)),
        None => pattern.split_whitespace().eq(words),
    }
}

/// Shell-like globs over path components: `*` and `?` within one, `**` for any number.
fn matches_path(pattern: &str, path: &Path) -> bool {
    let parts: Vec<String> = path
        .components()
        .map(|part| part.as_os_str().to_string_lossy().into_owned())
        .collect();
    let wanted: Vec<&str> = pattern.trim_start_matches("./").split('/').collect();
    matches_parts(&wanted, &parts)
}

fn matches_parts(wanted: &[&str], parts: &[String]) -> bool {
    match (wanted.split_first(), parts.split_first()) {
        (None, None) => true,
        (None, Some(_)) => false,
        (Some((&"**", rest)), _) => {
            matches_parts(rest, parts)
                || parts
                    .split_first()
                    .is_some_and(|(_, parts)| matches_parts(wanted, parts))
        }
        (Some(_), None) => false,
        (Some((first, rest)), Some((part, parts))) => {
            matches_word(first.as_bytes(), part.as_bytes()) && matches_parts(rest, parts)
        }
    }
}

fn matches_word(wanted: &[u8], word: &[u8]) -> bool {
    match wanted.split_first() {
        None => word.is_empty(),
        Some((b'*', rest)) => (0..=word.len()).any(|from| matches_word(rest, &word[from..])),
        Some((b'?', rest)) => !word.is_empty() && matches_word(rest, &word[1..]),
        Some((byte, rest)) => word.first() == Some(byte) && matches_word(rest, &word[1..]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn command(text: &str) -> Target {
        Target::Command(text.into())
    }

    #[test]
    fn an_allowed_prefix_covers_one_plain_command_only() {
        let rule = Rule::parse("bash(git status:*)").unwrap();
        assert!(rule.allows("bash", &command("git status")));
        assert!(rule.allows("bash", &command("git  status --short")));
        for chain in [
            "git status; rm -rf x",
            "git status && rm x",
            "git status | sh",
            "git status $(rm x)",
            "git status `rm x`",
            "git status\nrm x",
            "git status > /etc/passwd",
            "git statusx",
            "git",
            "sudo git status",
        ] {
            assert!(!rule.allows("bash", &command(chain)), "{chain}");
        }
        assert!(!rule.allows("write_file", &command("git status")));
    }

    #[test]
    fn a_denied_command_is_found_in_a_chain() {
        let rule = Rule::parse("bash(rm:*)").unwrap();
        for text in [
            "rm x",
            "ls; rm x",
            "true && rm -rf .",
            "echo $(rm x)",
            "a | rm",
        ] {
            assert!(rule.denies("bash", &command(text)), "{text}");
        }
        assert!(!rule.denies("bash", &command("echo rm")));
    }

    #[test]
    fn paths_match_by_component() {
        let rule = Rule::parse("edit(src/**)").unwrap();
        assert!(rule.allows("write_file", &Target::Path("src/a/b.rs".into())));
        assert!(!rule.allows("write_file", &Target::Path("srcs/a.rs".into())));
        assert!(!rule.allows("bash", &Target::Path("src/a".into())));
        let rule = Rule::parse("read(*.md)").unwrap();
        assert!(rule.allows("read_file", &Target::Path("README.md".into())));
        assert!(!rule.allows("read_file", &Target::Path("docs/README.md".into())));
    }

    #[test]
    fn what_is_no_rule() {
        for text in ["", "()", "bash(", "bash()", "ba sh", "bash(x"] {
            assert!(Rule::parse(text).is_err(), "{text}");
        }
    }
}
