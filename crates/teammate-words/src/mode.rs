//! Permission modes: how much a member may do without asking.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::tool::EffectClass;

/// How much a member may do without asking, in rising order.
#[derive(
    Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Mode {
    /// Reads freely, asks before it writes or runs anything.
    #[default]
    Ask,
    /// Reads and edits files freely, asks before it runs anything.
    AcceptEdits,
    /// Never asks.
    Bypass,
}

impl Mode {
    /// Every mode with its name.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Ask, "ask"),
        (Self::AcceptEdits, "accept-edits"),
        (Self::Bypass, "bypass"),
    ];

    /// Whether it allows what has such effects, where nothing speaks against it.
    pub fn frees(self, class: EffectClass) -> bool {
        match class {
            EffectClass::Reads | EffectClass::Team | EffectClass::Delegates => true,
            EffectClass::Writes => self >= Self::AcceptEdits,
            EffectClass::Executes | EffectClass::Calls => self >= Self::Bypass,
        }
    }

    /// Reads the name of a mode.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|(_, name)| *name == word)
            .map(|(mode, _)| mode)
    }

    /// Reads the name of a mode, also by the words of other programs.
    pub fn parse_with_others(word: &str) -> Option<Self> {
        match word {
            "default" => Some(Self::Ask),
            "acceptEdits" => Some(Self::AcceptEdits),
            "bypassPermissions" => Some(Self::Bypass),
            word => Self::parse(word),
        }
    }
}

impl fmt::Display for Mode {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let word = match self {
            Self::Ask => "ask",
            Self::AcceptEdits => "accept-edits",
            Self::Bypass => "bypass",
        };
        f.pad(word)
    }
}
