//! Why an agent does not do what it was asked.

use std::time::Duration;

use teammate_core::{fence::escaped_line, port::ProgramError};

/// How much of an agent's own words is shown, in characters.
const WORDS_MAX: usize = 200;

/// Why an agent does not do what it was asked.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum AgentFailure {
    #[error(transparent)]
    NotStarted(#[from] ProgramError),
    /// It no longer answers; with its last words.
    #[error("{0}")]
    Ended(String),
    /// It did not answer in time.
    #[error("it did not answer {method} within {} s", .after.as_secs_f32())]
    Silent {
        /// The method that was asked.
        method: &'static str,
        /// How long it had.
        after: Duration,
    },
    /// It answered with an error.
    #[error("it refused {method}: {words}")]
    Refused {
        /// The method that was asked.
        method: &'static str,
        /// The number of the error.
        code: i64,
        /// Its own words, without what a terminal would obey.
        words: String,
    },
    /// Its answer is not what the protocol has.
    #[error("its answer to {method} cannot be used: {why}")]
    Unusable {
        /// The method that was asked.
        method: &'static str,
        why: String,
    },
    /// It speaks another version of the protocol.
    #[error("it speaks version {0} of the protocol; known is version 1")]
    Version(u64),
    /// It wants the user to log in first.
    #[error("it wants you to log in first ({words}); known to it: {methods}")]
    LogIn {
        words: String,
        /// The ways that it offers.
        methods: String,
    },
}

/// A stranger's words in a line, without what a terminal would obey.
pub(crate) fn words(text: &str) -> String {
    escaped_line(text).chars().take(WORDS_MAX).collect()
}
