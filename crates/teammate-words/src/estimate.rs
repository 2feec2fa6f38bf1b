//! Tokens that nobody counted: how they are estimated, and how an amount says that it is an estimate.

use std::fmt;

/// Bytes that count as a token.
const TOKEN_BYTES: usize = 4;

/// The meaning of [`marked`], for the reader of an amount.
pub const LEGEND: &str = "~ estimated: the server or agent did not report the tokens";

/// The word in the place of tokens that nobody counted or estimated.
pub const UNKNOWN: &str = "unknown";

/// About how many tokens so many bytes are.
pub fn tokens(bytes: usize) -> u64 {
    u64::try_from(bytes / TOKEN_BYTES).unwrap_or(u64::MAX)
}

/// An amount, with a mark before it if all or a part of it is estimated.
pub fn marked(amount: impl fmt::Display, is_estimated: bool) -> String {
    let mark = if is_estimated { "~" } else { "" };
    format!("{mark}{amount}")
}
