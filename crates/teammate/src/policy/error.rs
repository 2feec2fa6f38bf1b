//! Why the policy of a machine keeps something from being opened.

use std::path::PathBuf;

/// Why the policy of this machine keeps something from being opened.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum PolicyError {
    /// There is a policy, and it cannot be read, trusted or understood: then nothing is opened.
    #[error("{path} cannot be used: {why}")]
    Unusable {
        /// Its path.
        path: PathBuf,
        /// Why not.
        why: String,
    },
    /// It forbids this.
    #[error("{path}:{line} {what}")]
    Forbidden {
        /// Its path.
        path: PathBuf,
        /// Where in it.
        line: usize,
        /// As `forbids the mode 'bypass'`.
        what: String,
    },
}
