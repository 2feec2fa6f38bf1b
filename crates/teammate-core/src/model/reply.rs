//! One answer of a model, and what it used.

use serde::{Deserialize, Serialize};

use super::Wire;
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
    pub(crate) fn is_interim(&self) -> bool {
        matches!(self, Self::Pause | Self::ContextFull)
    }
}

/// Tokens that a request used.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Usage {
    /// Input tokens that were neither read from nor written to a cache.
    pub input: u64,
    /// Output tokens, reasoning included.
    pub output: u64,
    /// Input tokens read from a cache.
    pub cache_read: u64,
    /// Input tokens written to a cache.
    pub cache_write: u64,
    /// Of those, tokens written to a cache that lasts an hour, which costs more.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_write_long: u64,
    /// Of the output, tokens of reasoning, where the server counts them.
    #[serde(skip_serializing_if = "is_zero")]
    pub reasoning: u64,
    /// Tokens that the request before had in a cache and this one paid for again.
    #[serde(skip_serializing_if = "is_zero")]
    pub cache_lost: u64,
    /// What it cost by the word of an agent of another make, in millionths of a dollar.
    #[serde(skip_serializing_if = "is_zero")]
    pub reported_micros: u64,
}

#[expect(
    clippy::trivially_copy_pass_by_ref,
    reason = "serde passes a reference"
)]
fn is_zero(tokens: &u64) -> bool {
    *tokens == 0
}

impl Usage {
    /// All tokens of the request and its answer: how much of the context was taken when it ended. 0 if the server
    /// told nothing.
    pub fn total(&self) -> u64 {
        self.input + self.output + self.cache_read + self.cache_write
    }

    /// What is left of it without that; nothing where that has more.
    #[must_use]
    pub fn without(self, that: Self) -> Self {
        Self {
            input: self.input.saturating_sub(that.input),
            output: self.output.saturating_sub(that.output),
            cache_read: self.cache_read.saturating_sub(that.cache_read),
            cache_write: self.cache_write.saturating_sub(that.cache_write),
            cache_write_long: self.cache_write_long.saturating_sub(that.cache_write_long),
            reasoning: self.reasoning.saturating_sub(that.reasoning),
            cache_lost: self.cache_lost.saturating_sub(that.cache_lost),
            reported_micros: self.reported_micros.saturating_sub(that.reported_micros),
        }
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
        self.cache_write_long += other.cache_write_long;
        self.reasoning += other.reasoning;
        self.cache_lost += other.cache_lost;
        self.reported_micros += other.reported_micros;
    }
}

/// A whole answer. Only an answer whose terminal event was seen becomes one.
#[derive(Debug, Clone, PartialEq)]
pub struct Reply {
    /// The pieces, in order, byte for byte.
    pub blocks: Vec<Block>,
    /// Why it stopped.
    pub stop: StopReason,
    /// What it cost.
    pub usage: Usage,
    /// The model that answered. From an adapter, as the server calls it; in a transcript, as it was asked for:
    /// `PROVIDER:NAME`, which is what is paid for.
    pub model: String,
    /// The wire it came in.
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
