//! The requirement of a task on its owner.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// A requirement of a task's owner: a role, or a tool.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Requirement {
    /// Members of that name, or with that word in their role.
    Role(String),
    /// Members that have this tool.
    Tool(String),
}

/// Text that is not a requirement.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("'{0}' is not a requirement; write role:WORD or tool:NAME")]
pub struct RequirementError(String);

impl FromStr for Requirement {
    type Err = RequirementError;

    /// `role:frontend`, `tool:bash`; a word alone is a role.
    fn from_str(text: &str) -> Result<Self, RequirementError> {
        let text = text.trim();
        let (kind, word) = text.split_once(':').unwrap_or(("role", text));
        let word = word.trim().to_lowercase();
        let is_word = !word.is_empty()
            && word.len() <= 64
            && !word.chars().any(|c| c.is_control() || c == '<' || c == '>');
        match (kind.trim(), is_word) {
            ("role", true) => Ok(Self::Role(word)),
            ("tool", true) => Ok(Self::Tool(word)),
            _ => Err(RequirementError(
                text.chars()
                    .take(60)
                    .flat_map(char::escape_default)
                    .collect(),
            )),
        }
    }
}

impl TryFrom<String> for Requirement {
    type Error = RequirementError;
    fn try_from(text: String) -> Result<Self, RequirementError> {
        text.parse()
    }
}

impl From<Requirement> for String {
    fn from(requirement: Requirement) -> Self {
        requirement.to_string()
    }
}

impl fmt::Display for Requirement {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Role(word) => write!(f, "role:{word}"),
            Self::Tool(name) => write!(f, "tool:{name}"),
        }
    }
}

impl Requirement {
    /// Does this to the word of a role. What it changes becomes a word that every version reads.
    pub fn each_text(&mut self, work: &mut dyn FnMut(&mut String)) {
        match self {
            Self::Role(word) => {
                let before = word.clone();
                work(word);
                if *word != before {
                    "secret".clone_into(word);
                }
            }
            Self::Tool(_) => {}
        }
    }
}
