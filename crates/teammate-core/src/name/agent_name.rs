//! Names of external agents, parsed once at the edge.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::parsed_text::parsed_text;

/// The longest name.
const NAME_MAX: usize = 32;

/// The word in the place of a model's provider for an agent: `agent:codex`.
pub const AGENT_PROVIDER: &str = "agent";

/// The name of an agent: letters, digits, `-` and `_`, at most 32.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct AgentName(Arc<str>);

/// A name that no agent can have.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no name for an agent: letters, digits, - and _, at most {NAME_MAX}")]
pub struct AgentNameError(String);

impl AgentName {
    /// Reads a name.
    ///
    /// # Errors
    ///
    /// It is none.
    pub fn parse(text: &str) -> Result<Self, AgentNameError> {
        let is_word = |c: char| c.is_ascii_alphanumeric() || c == '-' || c == '_';
        let is_name = (1..=NAME_MAX).contains(&text.len()) && text.chars().all(is_word);
        match is_name {
            true => Ok(Self(text.into())),
            false => Err(AgentNameError(text.chars().take(80).collect())),
        }
    }
}

parsed_text!(AgentName, AgentNameError);
