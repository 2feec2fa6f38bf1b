//! Names of models.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// Names a model: `provider:name`, e.g. `anthropic:claude-opus-5-5`, `openai:gpt-6.2-sol`, `scripted:play.json`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelRef {
    /// The provider: a built-in one or one named in the user's configuration.
    pub provider: String,
    /// The name the provider knows; for `scripted`, a path.
    pub name: String,
}

impl FromStr for ModelRef {
    type Err = ModelRefError;

    /// Reads `provider:name`.
    fn from_str(text: &str) -> Result<Self, ModelRefError> {
        match text.split_once(':') {
            Some((provider, name)) if !provider.is_empty() && !name.is_empty() => Ok(Self {
                provider: provider.to_owned(),
                name: name.to_owned(),
            }),
            Some(_) | None => Err(ModelRefError(text.chars().take(80).collect())),
        }
    }
}

/// Why a text names no model, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' does not name a model; write PROVIDER:NAME, for example anthropic:claude-sonnet-5-5, openai:gpt-6.2-sol or scripted:play.json"
)]
pub struct ModelRefError(String);

impl TryFrom<String> for ModelRef {
    type Error = ModelRefError;
    fn try_from(text: String) -> Result<Self, ModelRefError> {
        text.parse()
    }
}

impl From<ModelRef> for String {
    fn from(model: ModelRef) -> Self {
        model.to_string()
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.name)
    }
}
