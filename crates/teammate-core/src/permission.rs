//! Permission: whether a tool call may run, must be asked about, or may not run.
//!
//! A first gate: modes, and allow and deny rules over commands and paths. It decides; asking and answering is the
//! runtime's business.

use std::fmt;

use serde::{Deserialize, Serialize};

mod rule;

pub use rule::{Rule, RuleError};

use crate::{port::Target, tool::EffectClass};

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
    /// Every mode with its word.
    pub const ALL: [(Self, &'static str); 3] = [
        (Self::Ask, "ask"),
        (Self::AcceptEdits, "accept-edits"),
        (Self::Bypass, "bypass"),
    ];

    /// Reads the word.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL
            .into_iter()
            .find(|(_, name)| *name == word)
            .map(|(mode, _)| mode)
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

/// The user's rules. Deny is always first.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Rules {
    /// What may never run.
    pub deny: Vec<Rule>,
    /// What may run without asking.
    pub allow: Vec<Rule>,
    /// What the lead may allow its teammates in the user's place.
    pub lead_may: Vec<Rule>,
}

/// What the gate says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Verdict {
    /// It may run.
    Allow,
    /// It may not, because of this rule.
    Deny(String),
    /// A person must say.
    Ask,
}

impl Rules {
    /// Whether a call lies within the ceiling up to which the lead may answer.
    pub fn lead_may_allow(&self, tool: &str, _class: EffectClass, target: &Target) -> bool {
        self.lead_may.iter().any(|rule| rule.allows(tool, target))
    }

    /// Decides about one call of `tool`.
    pub fn decide(&self, mode: Mode, tool: &str, class: EffectClass, target: &Target) -> Verdict {
        if let Some(rule) = self.deny.iter().find(|rule| rule.denies(tool, target)) {
            return Verdict::Deny(rule.to_string());
        }
        let free = match class {
            EffectClass::Reads | EffectClass::Team | EffectClass::Delegates => true,
            EffectClass::Writes => mode >= Mode::AcceptEdits,
            EffectClass::Executes => mode >= Mode::Bypass,
        };
        if free || self.allow.iter().any(|rule| rule.allows(tool, target)) {
            Verdict::Allow
        } else {
            Verdict::Ask
        }
    }
}
