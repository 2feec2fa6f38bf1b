//! The words of workers: a sign of life, the labels that one has and a member may need (`gpu`, `repo:git@host:app`,
//! `model:anthropic`), and names of commits as git prints them.

use std::sync::Arc;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::{name::WorkerName, parsed_text};

/// A sign of life, once a second, for all that a worker runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Beat {
    pub worker: WorkerName,
    /// Of which of its lives.
    pub session: Uuid,
    /// Whether its members are to be moved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_draining: bool,
    /// If its members rest: in which state of rest they are, counted. Another count says that something has changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rests: Option<u64>,
}

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

/// The most bytes of a label. The address of a repository fits.
const LABEL_BYTES_MAX: usize = 256;

/// A word, or a word and a value after a colon. Labels are compared as they are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Label(Arc<str>);

/// Why a text is no label of a worker, in a sentence.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a label: use a word of a-z, 0-9, '-' and '_', alone or with a value after a colon (gpu, repo:URL), without spaces"
)]
pub struct LabelError(String);

impl Label {
    /// Parses a label.
    pub fn parse(text: &str) -> Result<Self, LabelError> {
        let word = text.split_once(':').map_or(text, |(word, _)| word);
        let value = text.split_once(':').map(|(_, value)| value);
        let is_word = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b"-_".contains(&b);
        let has_value = value.is_none_or(|value| {
            !value.is_empty() && value.bytes().all(|byte| byte.is_ascii_graphic())
        });
        let is_label = text.len() <= LABEL_BYTES_MAX
            && !word.is_empty()
            && word.bytes().all(is_word)
            && has_value;
        if is_label {
            Ok(Self(text.into()))
        } else {
            Err(LabelError(crate::fence::quoted(text)))
        }
    }
}

parsed_text!(Label, LabelError);

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
