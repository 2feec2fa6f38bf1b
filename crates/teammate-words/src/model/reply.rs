//! A model's reply, or the error in its place.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{Usage, Wire};
use crate::{
    block::{Block, BlockView},
    tool::ToolCall,
};

/// The most tool calls of one answer that run. The others are refused, each with an outcome that explains it.
pub const CALLS_MAX: usize = 128;

/// Why the model stopped.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StopReason {
    /// The answer is complete.
    EndTurn,
    /// It wants tools to run.
    ToolUse,
    /// The answer reached `max_tokens` and is cut.
    MaxTokens,
    /// The provider paused a long turn: send the conversation again to continue.
    Pause,
    /// The model declined.
    Refusal,
    /// The conversation no longer fits.
    ContextFull,
    /// A reason this version does not know, by its name.
    Other(String),
}

impl StopReason {
    /// Whether an answer without calls continues in the next one.
    pub fn is_interim(&self) -> bool {
        matches!(self, Self::Pause | Self::ContextFull)
    }
}

/// A whole answer. Only an answer whose terminal event was seen becomes one.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The pieces, in order, byte for byte.
    pub blocks: Vec<Block>,
    pub stop: StopReason,
    pub usage: Usage,
    /// The model that answered. From an adapter, as the server calls it; in a transcript, as it was asked for:
    /// `PROVIDER:NAME`, which is what is paid for.
    pub model: String,
    pub wire: Wire,
}

impl Reply {
    /// The tool calls, in order.
    pub fn calls(&self) -> Vec<ToolCall> {
        self.blocks
            .iter()
            .filter_map(|block| match block.view() {
                BlockView::ToolUse(call) => Some(call),
                BlockView::Text(_) | BlockView::Thinking(_) | BlockView::Other => None,
            })
            .collect()
    }

    /// The text blocks, joined.
    pub fn text(&self) -> String {
        let texts: Vec<String> = self
            .blocks
            .iter()
            .filter_map(|block| match block.view() {
                BlockView::Text(text) if !text.trim().is_empty() => Some(text),
                BlockView::Text(_)
                | BlockView::ToolUse(_)
                | BlockView::Thinking(_)
                | BlockView::Other => None,
            })
            .collect();
        texts.join("\n")
    }
}

/// Why there is no answer. `what` is for the user: what happened and, where known, what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ModelFailure {
    /// The failure in words.
    pub what: String,
    pub remedy: Remedy,
}

/// The remedies for a failed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Retrying may help, no sooner than the server asked for.
    Retry {
        /// The wait that the server asked for, if it did.
        after: Option<Duration>,
    },
    /// One request too many: a retry helps when fewer are sent, and no sooner than the server asked for.
    SlowDown {
        /// The wait that the server asked for, if it did.
        after: Option<Duration>,
    },
    /// The conversation is too long for the model.
    Shorten,
    /// Trying again cannot help: the user must change something.
    Never,
}
