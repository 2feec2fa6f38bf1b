//! Names of teams, parsed once at the edge.

use std::{fmt, sync::Arc};

use serde::{Deserialize, Serialize};

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

    /// The name as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl fmt::Display for GroupName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.0)
    }
}

impl fmt::Debug for GroupName {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(&*self.0, f)
    }
}

impl TryFrom<String> for GroupName {
    type Error = GroupNameError;
    fn try_from(text: String) -> Result<Self, GroupNameError> {
        Self::parse(&text)
    }
}

impl From<GroupName> for String {
    fn from(name: GroupName) -> Self {
        name.0.to_string()
    }
}
