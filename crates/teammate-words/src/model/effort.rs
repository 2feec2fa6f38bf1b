//! How much a model thinks before it answers.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

/// How much a model thinks before it answers. Each wire has its own form for it; the catalogue says which one a family takes.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "snake_case")]
pub enum Effort {
    /// The request says nothing about thinking: the server does what it does unasked.
    #[default]
    Off,
    /// Little: for simple work.
    Low,
    Medium,
    High,
    /// As much as the model can.
    Max,
}

impl Effort {
    /// All levels with their words, in ascending order.
    pub const ALL: [(Self, &str); 5] = [
        (Self::Off, "off"),
        (Self::Low, "low"),
        (Self::Medium, "medium"),
        (Self::High, "high"),
        (Self::Max, "max"),
    ];

    /// Whether nothing is asked about thinking.
    pub fn is_off(&self) -> bool {
        *self == Self::Off
    }

    /// Its word: `off`, `low`, `medium`, `high` or `max`.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Low => "low",
            Self::Medium => "medium",
            Self::High => "high",
            Self::Max => "max",
        }
    }
}

impl fmt::Display for Effort {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// The text names no level.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no effort; write off, low, medium, high or max")]
pub struct EffortError(String);

impl FromStr for Effort {
    type Err = EffortError;

    fn from_str(text: &str) -> Result<Self, EffortError> {
        Self::ALL
            .iter()
            .find(|(_, word)| *word == text)
            .map(|(effort, _)| *effort)
            .ok_or_else(|| EffortError(text.chars().take(40).collect()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_reads_back() {
        for (effort, word) in Effort::ALL {
            assert_eq!(effort.to_string(), word);
            assert_eq!(word.parse(), Ok(effort));
        }
        assert_eq!(
            "xhigh".parse::<Effort>().unwrap_err().to_string(),
            "'xhigh' is no effort; write off, low, medium, high or max"
        );
    }
}
