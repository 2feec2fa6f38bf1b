//! The rule book: where rules that an "always" made are kept for the next time.

use crate::permission::Rule;

/// Keeps rules.
pub trait RuleStore: Send + Sync {
    /// Keeps an allow rule; durable when it returns. Keeping one twice is keeping it once.
    fn add(&self, rule: &Rule) -> Result<(), RuleBookError>;
}

/// Why a rule is not kept, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct RuleBookError(pub String);
