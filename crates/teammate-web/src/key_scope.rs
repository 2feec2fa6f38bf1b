//! The rights of a key of the page.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// The rights of a key. Each one includes those before it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeyScope {
    See,
    /// Answering what is asked, for once.
    Answer,
    /// Everything that the prompt can do.
    Steer,
}

impl KeyScope {
    /// The word for it.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::See => "see",
            Self::Answer => "answer",
            Self::Steer => "steer",
        }
    }
}

impl fmt::Display for KeyScope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

impl FromStr for KeyScope {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let all = [Self::See, Self::Answer, Self::Steer];
        let found = all.into_iter().find(|scope| scope.as_str() == text);
        found.ok_or_else(|| format!("{text:?} is no scope: see, answer or steer"))
    }
}
