//! Why an editor does not get what it asks for: a number of the protocol and words for its user.

use teammate_protocols::rpc::{BAD_PARAMETERS, BAD_REQUEST, INTERNAL, UNKNOWN_METHOD};

/// The protocol's number for what is not there.
const NOT_FOUND: i64 = -32_002;

/// A refusal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub(crate) code: i64,
    pub(crate) words: String,
}

impl Refusal {
    /// It cannot be done now.
    pub(crate) fn now(words: impl Into<String>) -> Self {
        Self::of(BAD_REQUEST, words)
    }

    /// A refusal of parameters that cannot be used.
    pub(crate) fn parameters(words: impl Into<String>) -> Self {
        Self::of(BAD_PARAMETERS, words)
    }

    /// There is no such thing to be asked.
    pub(crate) fn method(words: impl Into<String>) -> Self {
        Self::of(UNKNOWN_METHOD, words)
    }

    /// There is no such session.
    pub(crate) fn session(id: &str) -> Self {
        let id: String = teammate::visible(id).chars().take(100).collect();
        Self::of(NOT_FOUND, format!("there is no session '{id}' here"))
    }

    /// It was tried and failed.
    pub(crate) fn failed(words: impl Into<String>) -> Self {
        Self::of(INTERNAL, words)
    }

    fn of(code: i64, words: impl Into<String>) -> Self {
        let words = words.into();
        Self { code, words }
    }
}
