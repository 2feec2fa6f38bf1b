//! Tries a server and a key with a request for the list of models, which costs nothing.

use teammate_core::model::ModelFailure;

/// The result of a request for the list of models.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Probe {
    /// The server accepts the key, or needs none.
    Accepted,
    /// The server shows the list without a key, or has no list: only a model call can tell.
    Unknown,
    /// The server refused.
    Refused {
        /// The HTTP status.
        status: u16,
        /// Which server said what, for the user.
        why: ModelFailure,
    },
}
