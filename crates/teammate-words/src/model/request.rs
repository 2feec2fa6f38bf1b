//! One question to a model.

use std::sync::Arc;

use super::{CacheLifetime, ChatMessage, Effort, Preamble};
use crate::estimate;

/// Everything a model needs to answer.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    /// Tools and shared instructions; the same for all members of a kind.
    pub preamble: Arc<Preamble>,
    /// The text about this member; comes after what is shared.
    pub identity: Arc<str>,
    /// The conversation, alternating, starting with the user role.
    pub messages: Vec<Arc<ChatMessage>>,
    /// Where the previous request of this conversation ended: `messages[..cached]` was in it.
    pub cached: usize,
    /// The most tokens the answer may have.
    pub max_tokens: u32,
    /// Stable for one incarnation of a member, for providers that route by it.
    pub conversation: Arc<str>,
    /// The name of the asker: a member's, or `MEMBER/TYPE` for its subagent. Not sent; plays are by name.
    pub asker: Arc<str>,
    /// The model as it is asked for: `PROVIDER:NAME`. Reasoning of the same model goes back to it.
    pub model: Arc<str>,
    /// The wishes for the answer.
    pub options: AnswerOptions,
}

impl ModelRequest {
    /// About how many tokens are sent.
    pub fn estimated_tokens(&self) -> u64 {
        estimate::tokens(self.bytes())
    }

    /// About how many bytes are sent; pictures count as if they were short texts.
    pub(super) fn bytes(&self) -> usize {
        let tools = self
            .preamble
            .tools
            .iter()
            .map(|tool| tool.name.len() + tool.description.len() + tool.schema.get().len());
        let messages = self.messages.iter().map(|message| message.weight());
        let schema = self.options.schema.as_ref();
        self.preamble.system.len()
            + self.identity.len()
            + tools.sum::<usize>()
            + messages.sum::<usize>()
            + schema.map_or(0, |schema| schema.len())
    }
}

/// The wishes for an answer. The default wants nothing in particular.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct AnswerOptions {
    /// How much the model thinks; a level that it takes.
    pub effort: Effort,
    /// Whether somebody wants to read its thinking while it comes.
    pub shows_thinking: bool,
    /// How long the server keeps the prompt cache that this request writes.
    pub cache_lifetime: CacheLifetime,
    /// The JSON Schema that the answer's text fits, if the server can hold the model to it.
    pub schema: Option<Arc<str>>,
}

/// A piece of an answer while it streams. For the screen only: nothing is decided by it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum StreamPart {
    /// The server has accepted the request and begun to answer (its prompt cache is written).
    Started,
    /// Some more text.
    Text(String),
    /// Some more reasoning.
    Thinking(String),
    /// The request was changed to fit what the server takes, in a sentence for the user. Comes before the answer begins.
    Adapted(String),
    /// A tool call has begun.
    ToolUse { name: String },
}
