//! Why a model gave no answer.

use std::time::Duration;

/// Why there is no answer. `what` is for the user: what happened and, where known, what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ModelFailure {
    /// The failure in words.
    pub what: String,
    pub remedy: Remedy,
}

/// The remedies for a failed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Retrying may help, no sooner than the server asked for.
    Retry {
        /// The wait that the server asked for, if it did.
        after: Option<Duration>,
    },
    /// One request too many: a retry helps when fewer are sent, and no sooner than the server asked for.
    SlowDown {
        /// The wait that the server asked for, if it did.
        after: Option<Duration>,
    },
    /// The conversation is too long for the model.
    Shorten,
    /// Trying again cannot help: the user must change something.
    Never,
}
