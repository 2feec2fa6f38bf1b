//! Which screen the prompt has.

use std::str::FromStr;

use serde::Deserialize;

#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum ScreenSetting {
    /// The whole terminal, with members, board and mail in sight.
    #[default]
    Full,
    /// Lines that only follow one another: for screen readers, pipes, and people who like them.
    Plain,
}

impl FromStr for ScreenSetting {
    type Err = String;

    fn from_str(word: &str) -> Result<Self, Self::Err> {
        match word {
            "full" => Ok(Self::Full),
            "plain" => Ok(Self::Plain),
            other => Err(format!("'{other}' is no screen: write full or plain")),
        }
    }
}
