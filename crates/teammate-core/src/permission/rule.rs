//! One rule: `bash`, `bash(git status:*)`, `bash(=make a > log)`, `edit(src/**)`, `*`.

use std::fmt;

use super::{Location, catch};
use crate::port::Target;

/// A rule, parsed, and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rule {
    tool: String,
    pattern: Option<Pattern>,
    origin: Origin,
}

/// Where a rule stands, and so who made it and where it can be taken back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Origin {
    /// The user's configuration file.
    User,
    /// The command line of this run.
    CommandLine,
    /// The project's settings, which the user trusts.
    Project,
    /// The user answered a question with "always".
    Always,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Pattern {
    /// The whole command, or the resolved path, to the letter.
    Exact(String),
    /// Words or a glob.
    Like(String),
}

/// A text that is not a rule.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a permission rule; write TOOL or TOOL(PATTERN), for example bash(git status:*) or edit(src/**)"
)]
pub struct RuleError(String);

impl Origin {
    /// The word for programs.
    pub fn word(self) -> &'static str {
        match self {
            Self::User => "user",
            Self::CommandLine => "command-line",
            Self::Project => "project",
            Self::Always => "always",
        }
    }
}

impl Rule {
    /// Reads `TOOL`, `TOOL(PATTERN)` or `TOOL(=TEXT)`. `edit` covers `write_file` and `edit_file`, `read` covers the readers.
    pub fn parse(text: &str, origin: Origin) -> Result<Self, RuleError> {
        let wrong = || RuleError(text.to_owned());
        let text = text.trim();
        let (tool, pattern) = match text.split_once('(') {
            Some((tool, rest)) => (tool, Some(rest.strip_suffix(')').ok_or_else(wrong)?)),
            None => (text, None),
        };
        let is_tool = tool == "*"
            || (!tool.is_empty()
                && tool
                    .chars()
                    .all(|c| c.is_ascii_alphanumeric() || "_-.".contains(c)));
        let pattern = pattern.map(|text| match text.strip_prefix('=') {
            Some(exact) => Pattern::Exact(exact.to_owned()),
            None => Pattern::Like(text.to_owned()),
        });
        let is_empty = match &pattern {
            Some(Pattern::Exact(text) | Pattern::Like(text)) => text.trim().is_empty(),
            None => false,
        };
        if !is_tool || is_empty {
            return Err(wrong());
        }
        Ok(Self {
            tool: tool.to_owned(),
            pattern,
            origin,
        })
    }

    /// The rule for exactly this text, which an "always" makes.
    pub(super) fn exactly(tool: &str, text: &str) -> Self {
        Self {
            tool: tool.to_owned(),
            pattern: Some(Pattern::Exact(text.to_owned())),
            origin: Origin::Always,
        }
    }

    /// Where it stands.
    pub fn origin(&self) -> Origin {
        self.origin
    }

    /// The rule with whose it is: `the project's rule 'bash(git push:*)'`.
    pub fn named(&self) -> String {
        match self.origin {
            Origin::User => format!("the user's rule '{self}'"),
            Origin::CommandLine => format!("the command line's rule '{self}'"),
            Origin::Project => format!("the project's rule '{self}'"),
            Origin::Always => format!("the remembered rule '{self}'"),
        }
    }

    /// Whether it is about this tool.
    pub(super) fn names(&self, tool: &str) -> bool {
        match self.tool.to_ascii_lowercase().as_str() {
            "*" => true,
            "edit" | "write" => matches!(tool, "write_file" | "edit_file"),
            "read" => matches!(tool, "read_file" | "glob" | "grep"),
            name => name == tool,
        }
    }

    /// Whether it, as an allow rule about the tool, covers the whole call by itself.
    pub(super) fn covers(&self, target: &Target) -> bool {
        match (&self.pattern, target) {
            (None, _) => true,
            (Some(Pattern::Exact(text) | Pattern::Like(text)), Target::Command(command)) => {
                text.trim() == command.text.trim()
            }
            (Some(Pattern::Exact(text)), Target::Path(path)) => path.is(text),
            (Some(Pattern::Like(text)), Target::Path(path)) => path.is_covered_by(text),
            (Some(_), Target::Team) => false,
        }
    }

    /// What may be matched with parts of a command.
    pub(super) fn pattern(&self) -> Option<&str> {
        match &self.pattern {
            Some(Pattern::Like(text)) => Some(text),
            Some(Pattern::Exact(_)) | None => None,
        }
    }

    /// Whether it, as a deny rule, catches the call.
    pub(super) fn denies(&self, tool: &str, target: &Target) -> bool {
        let caught = |path: &Location, text: &str| path.is(text) || path.is_caught_by(text);
        self.names(tool)
            && match (&self.pattern, target) {
                (None, _) => true,
                (Some(Pattern::Exact(text) | Pattern::Like(text)), Target::Command(command)) => {
                    catch::catches(text.trim(), command)
                }
                (Some(Pattern::Exact(text) | Pattern::Like(text)), Target::Path(path)) => {
                    caught(path, text)
                }
                (Some(_), Target::Team) => false,
            }
    }

    /// Whether it, as a deny rule, closes a file to readers, of which one without a pattern says nothing.
    pub(crate) fn hides(&self, path: &Location) -> bool {
        let target = || Target::Path(path.clone());
        self.pattern.is_some()
            && ["read_file", "glob", "grep"]
                .iter()
                .any(|reader| self.denies(reader, &target()))
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.pattern {
            Some(Pattern::Exact(text)) => write!(f, "{}(={text})", self.tool),
            Some(Pattern::Like(text)) => write!(f, "{}({text})", self.tool),
            None => f.write_str(&self.tool),
        }
    }
}
