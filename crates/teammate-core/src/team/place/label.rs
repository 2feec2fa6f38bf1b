//! Labels that a worker has and a member may need: `gpu`, `repo:git@host:app`, `model:anthropic`.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::parsed_text::parsed_text;

/// The most bytes of a label. The address of a repository fits.
const LABEL_BYTES_MAX: usize = 256;

/// A word, or a word and a value after a colon. Labels are compared as they are.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Label(Arc<str>);

/// Text that is not a label.
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
