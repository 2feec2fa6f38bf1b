//! The full name of a commit, as git prints it.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::parsed_text::parsed_text;

/// A commit by its full name: 40 digits of `0-9a-f`, or 64 where the repository counts by SHA-256. Safe in a command line.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct CommitId(Arc<str>);

/// Text that names no commit.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is not the full name of a commit: 40 or 64 digits of 0-9 and a-f")]
pub struct CommitIdError(String);

impl CommitId {
    /// How many digits people are shown.
    const SHOWN: usize = 9;

    /// Parses a name.
    pub fn parse(text: &str) -> Result<Self, CommitIdError> {
        let is_digit = |b: u8| matches!(b, b'0'..=b'9' | b'a'..=b'f');
        if matches!(text.len(), 40 | 64) && text.bytes().all(is_digit) {
            Ok(Self(text.into()))
        } else {
            Err(CommitIdError(crate::fence::quoted(text)))
        }
    }

    /// Its beginning, for people.
    pub fn short(&self) -> &str {
        &self.0[..Self::SHOWN]
    }
}

parsed_text!(CommitId, CommitIdError);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_full_name_is_one() {
        for bad in ["", "HEAD", "--all", &"0".repeat(39), &"A".repeat(40)] {
            assert!(CommitId::parse(bad).is_err(), "{bad:?}");
        }
        let commit = CommitId::parse(&"0123456789".repeat(4)).unwrap();
        assert_eq!(commit.short(), "012345678");
    }
}
