//! The number of a conversation.

use std::{fmt, num::NonZeroU32, str::FromStr};

use serde::{Deserialize, Serialize};

/// The number of one of the lead's conversations, counted from 1.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ConversationId(NonZeroU32);

/// A text that is not a conversation number.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("a conversation is a number from 1")]
pub struct ConversationIdError;

impl ConversationId {
    /// The conversation that every team begins with.
    pub const FIRST: Self = Self(NonZeroU32::MIN);

    /// The number.
    pub fn number(self) -> u32 {
        self.0.get()
    }

    /// The conversation with this number; 0 and what is too large are none.
    pub fn from_number(number: u64) -> Option<Self> {
        let number = u32::try_from(number).ok()?;
        NonZeroU32::new(number).map(Self)
    }

    /// The one after it.
    #[must_use]
    pub fn next(self) -> Self {
        Self(self.0.saturating_add(1))
    }
}

impl Default for ConversationId {
    fn default() -> Self {
        Self::FIRST
    }
}

impl fmt::Display for ConversationId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl FromStr for ConversationId {
    type Err = ConversationIdError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        text.parse().map(Self).map_err(|_| ConversationIdError)
    }
}
