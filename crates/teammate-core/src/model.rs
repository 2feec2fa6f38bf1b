//! What a model is asked and what it answers, without any vendor's wire format.

use std::{
    fmt,
    str::FromStr,
    sync::{Arc, OnceLock},
    time::Duration,
};

use serde::{Deserialize, Serialize};

use crate::{
    block::{Block, BlockView},
    tool::{CallId, ToolCall, ToolSpec},
};

/// The most tool calls of one answer that run. The others are refused, each with an outcome that explains it.
pub const CALLS_MAX: usize = 128;

/// Names a model: `provider:name`, e.g. `anthropic:claude-opus-4-5`, `openai:gpt-5`, `scripted:play.json`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct ModelRef {
    /// The provider: a built-in one or one named in the user's configuration.
    pub provider: String,
    /// The name the provider knows; for `scripted`, a path.
    pub name: String,
}

impl FromStr for ModelRef {
    type Err = ModelRefError;

    /// Reads `provider:name`.
    fn from_str(text: &str) -> Result<Self, ModelRefError> {
        match text.split_once(':') {
            Some((provider, name)) if !provider.is_empty() && !name.is_empty() => Ok(Self {
                provider: provider.to_owned(),
                name: name.to_owned(),
            }),
            Some(_) | None => Err(ModelRefError(text.chars().take(80).collect())),
        }
    }
}

/// The text does not name a model.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' does not name a model; write PROVIDER:NAME, for example anthropic:claude-sonnet-4-5, openai:gpt-5 or scripted:play.json"
)]
pub struct ModelRefError(String);

impl TryFrom<String> for ModelRef {
    type Error = ModelRefError;
    fn try_from(text: String) -> Result<Self, ModelRefError> {
        text.parse()
    }
}

impl From<ModelRef> for String {
    fn from(model: ModelRef) -> Self {
        model.to_string()
    }
}

impl fmt::Display for ModelRef {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.provider, self.name)
    }
}

/// Whose turn a chat message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Input for the model: mail, tool outcomes.
    User,
    /// The model's answer.
    Assistant,
}

/// The family of wire formats a model's answer came in. Blocks that only one family understands (signed
/// thinking) are left out when the history is sent to another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Wire {
    /// Anthropic Messages.
    Anthropic,
    /// OpenAI chat completions and what is compatible with it.
    OpenAi,
    /// A scripted play; every wire understands its blocks.
    Scripted,
}

/// One message of the conversation as a request holds it. Immutable once a request was made of it, so an adapter
/// serialises it once and keeps the bytes here.
#[derive(Debug)]
pub struct ChatMessage {
    /// Whose turn.
    pub role: Role,
    /// The pieces, in order.
    pub blocks: Vec<Block>,
    /// For an answer: the wire it came in.
    pub wire: Option<Wire>,
    rendered: OnceLock<(Wire, Arc<str>)>,
    calls: OnceLock<Vec<CallId>>,
}

impl ChatMessage {
    /// A message of these blocks.
    pub fn new(role: Role, blocks: Vec<Block>, wire: Option<Wire>) -> Self {
        Self {
            role,
            blocks,
            wire,
            rendered: OnceLock::new(),
            calls: OnceLock::new(),
        }
    }

    /// Adds blocks; what was rendered before is forgotten.
    pub(crate) fn extend(&mut self, blocks: Vec<Block>) {
        self.blocks.extend(blocks);
        self.rendered = OnceLock::new();
        self.calls = OnceLock::new();
    }

    /// The ids of the calls it makes, computed once: every answer is compared with all earlier ones.
    pub fn call_ids(&self) -> &[CallId] {
        self.calls.get_or_init(|| {
            let calls = self.blocks.iter().filter_map(|block| match block.view() {
                BlockView::ToolUse(call) => Some(call.id),
                BlockView::Text(_) | BlockView::Thinking(_) | BlockView::Other => None,
            });
            calls.collect()
        })
    }

    /// This message in the bytes of `wire`: made by `render` the first time, remembered after that.
    pub fn rendered(&self, wire: Wire, render: impl FnOnce(&Self) -> String) -> Arc<str> {
        if let Some((known, bytes)) = self.rendered.get() {
            return if *known == wire {
                bytes.clone()
            } else {
                render(self).into()
            };
        }
        let bytes: Arc<str> = render(self).into();
        // Two threads may race to fill it with the same bytes; either is right.
        let _ = self.rendered.set((wire, bytes.clone()));
        bytes
    }
}

/// The tools and instructions that all members of a kind share, byte for byte. Built once; shared by reference.
#[derive(Debug)]
pub struct Preamble {
    /// The tools, in the order they are sent.
    pub tools: Vec<ToolSpec>,
    /// Instructions that are the same for all who share this.
    pub system: String,
    /// How many of the first tools members of every kind begin with: a prompt cache that one kind has written serves the others
    /// as far as that.
    pub common_tools: usize,
    rendered: OnceLock<(Wire, Arc<str>)>,
}

impl Preamble {
    /// A preamble of these tools and instructions.
    pub fn new(tools: Vec<ToolSpec>, system: String) -> Self {
        Self {
            tools,
            system,
            common_tools: 0,
            rendered: OnceLock::new(),
        }
    }

    /// The same, whose first tools are those of every kind.
    #[must_use]
    pub fn with_common_tools(mut self, count: usize) -> Self {
        self.common_tools = count.min(self.tools.len());
        self
    }

    /// The tools in the bytes of `wire`, made once.
    pub fn rendered_tools(
        &self,
        wire: Wire,
        render: impl FnOnce(&[ToolSpec]) -> String,
    ) -> Arc<str> {
        if let Some((known, bytes)) = self.rendered.get() {
            return if *known == wire {
                bytes.clone()
            } else {
                render(&self.tools).into()
            };
        }
        let bytes: Arc<str> = render(&self.tools).into();
        let _ = self.rendered.set((wire, bytes.clone()));
        bytes
    }
}

/// Everything a model needs to answer.
#[derive(Debug, Clone)]
pub struct ModelRequest {
    /// Tools and shared instructions; the same for all members of a kind.
    pub preamble: Arc<Preamble>,
    /// Who this member is; comes after what is shared.
    pub identity: Arc<str>,
    /// The conversation, alternating, starting with the user role.
    pub messages: Vec<Arc<ChatMessage>>,
    /// Where the previous request of this conversation ended: `messages[..cached]` was in it.
    pub cached: usize,
    /// The most tokens the answer may have.
    pub max_tokens: u32,
    /// Stable for one incarnation of a member, for providers that route by it.
    pub conversation: Arc<str>,
    /// Who asks: a member's name, or `MEMBER/TYPE` for its subagent. Not sent; plays are by name.
    pub asker: Arc<str>,
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
    /// A tool call has begun.
    ToolUse {
        /// The tool's name.
        name: String,
    },
}

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
}

impl Usage {
    /// All tokens of the request and its answer: how much of the context was taken when it ended. 0 if the server
    /// told nothing.
    pub fn total(&self) -> u64 {
        self.input + self.output + self.cache_read + self.cache_write
    }
}

impl std::ops::AddAssign for Usage {
    fn add_assign(&mut self, other: Self) {
        self.input += other.input;
        self.output += other.output;
        self.cache_read += other.cache_read;
        self.cache_write += other.cache_write;
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

/// Why there is no answer. `what` is for the user: what happened and, where known, what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{what}")]
pub struct ModelFailure {
    /// What happened.
    pub what: String,
    /// What can be done about it.
    pub remedy: Remedy,
}

/// What can be done about a failed request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Remedy {
    /// Retrying may help, no sooner than the server asked for.
    Retry {
        /// What the server asked for, if it did.
        after: Option<Duration>,
    },
    /// One request too many: a retry helps when fewer are sent, and no sooner than the server asked for.
    SlowDown {
        /// What the server asked for, if it did.
        after: Option<Duration>,
    },
    /// The conversation is too long for the model.
    Shorten,
    /// Trying again cannot help: the user must change something.
    Never,
}
