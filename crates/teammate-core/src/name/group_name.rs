//! Names of teams, parsed once at the edge.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::parsed_text::parsed_text;

/// The name of a team, like `rest-to-graphql`: `[a-z0-9][a-z0-9_-]{0,63}`. Safe as a path component.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct GroupName(Arc<str>);

/// Text that is not a team name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a team's name: use 1-64 characters of a-z, 0-9, '-' and '_', starting with a letter or digit"
)]
pub struct GroupNameError(String);

impl GroupName {
    /// Parses a name.
    pub fn parse(text: &str) -> Result<Self, GroupNameError> {
        let is_inner =
            |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_' || b == b'-';
        let is_first = |b: u8| b.is_ascii_lowercase() || b.is_ascii_digit();
        if text.len() <= 64
            && text.bytes().next().is_some_and(is_first)
            && text.bytes().all(is_inner)
        {
            Ok(Self(text.into()))
        } else {
            Err(GroupNameError(super::quoted_start(text)))
        }
    }
}

parsed_text!(GroupName, GroupNameError);
