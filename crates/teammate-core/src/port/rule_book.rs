//! Rules that the gate reads besides the team's own settings: those that an "always" made, and the administrator's on
//! permission modes.

use crate::{mode::Mode, permission::Rule};

/// Keeps rules.
pub trait RuleStore: Send + Sync {
    /// Keeps an allow rule; durable when it returns. Keeping one twice is keeping it once.
    fn add(&self, rule: &Rule) -> Result<(), RuleBookError>;
}

/// Why a rule is not kept, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleBookError(pub String);

/// Which modes a team may have.
pub trait ModeLimit: Send + Sync {
    /// Refuses a mode, as of now.
    ///
    /// Errors: who forbids it, in a sentence.
    fn check(&self, mode: Mode) -> Result<(), String>;
}
