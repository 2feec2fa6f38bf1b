//! The parts of a request that stay the same from one to the next: messages and the preamble. Each is rendered once for
//! a wire, and keeps the bytes.

use std::sync::{Arc, OnceLock};

use serde::{Deserialize, Serialize};

use crate::{
    block::{Block, BlockView},
    tool::{CallId, ToolSpec},
};

/// Whose turn a chat message is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Input for the model: mail, tool outcomes.
    User,
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
    /// OpenAI's Responses.
    Responses,
    /// None: text and calls that every wire understands, of a scripted play or of an external agent.
    #[serde(rename = "scripted")]
    Plain,
}

/// Where an answer came from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Origin {
    pub wire: Wire,
    /// The model as it was asked for: `PROVIDER:NAME`.
    pub model: Arc<str>,
}

impl Origin {
    /// An answer of this model, in this wire.
    pub fn new(wire: Wire, model: &str) -> Self {
        Self {
            wire,
            model: model.into(),
        }
    }
}

/// One message of the conversation as a request holds it. Immutable once a request was made of it, so an adapter
/// serialises it once and keeps the bytes here.
#[derive(Debug)]
pub struct ChatMessage {
    pub role: Role,
    /// The pieces, in order.
    pub blocks: Vec<Block>,
    /// For an answer: where it came from. `None` if its parts came from several models.
    pub origin: Option<Origin>,
    rendered: OnceLock<((Origin, u8), Arc<str>)>,
    calls: OnceLock<Vec<CallId>>,
    weight: OnceLock<usize>,
}

impl ChatMessage {
    /// A message of these blocks.
    pub fn new(role: Role, blocks: Vec<Block>, origin: Option<Origin>) -> Self {
        Self {
            role,
            blocks,
            origin,
            rendered: OnceLock::new(),
            calls: OnceLock::new(),
            weight: OnceLock::new(),
        }
    }

    /// Adds blocks; what was rendered before is forgotten.
    pub fn extend(&mut self, blocks: Vec<Block>) {
        self.blocks.extend(blocks);
        self.rendered = OnceLock::new();
        self.calls = OnceLock::new();
        self.weight = OnceLock::new();
    }

    /// How much of a model's context it takes, as so many bytes of text; computed once, for each request counts all messages.
    pub fn weight(&self) -> usize {
        let weights = || self.blocks.iter().map(Block::weight).sum();
        *self.weight.get_or_init(weights)
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

    /// This message as it goes to `to`: made by `render` the first time, remembered after that. What servers refuse changes the
    /// form of messages; `form` is another number for each form.
    pub fn rendered(
        &self,
        (to, form): (&Origin, u8),
        render: impl FnOnce(&Self) -> String,
    ) -> Arc<str> {
        if let Some(((known, known_form), bytes)) = self.rendered.get() {
            return if (known, *known_form) == (to, form) {
                bytes.clone()
            } else {
                render(self).into()
            };
        }
        let bytes: Arc<str> = render(self).into();
        // Two threads may race to fill it with the same bytes; either is right.
        let _ = self.rendered.set(((to.clone(), form), bytes.clone()));
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
    rendered: OnceLock<((Wire, CacheLifetime), Arc<str>)>,
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

    /// Marks the first tools as those of every member.
    #[must_use]
    pub fn with_common_tools(mut self, count: usize) -> Self {
        self.common_tools = count.min(self.tools.len());
        self
    }

    /// The tools in the bytes of `wire`, with markers for caches of this lifetime; made once.
    pub fn rendered_tools(
        &self,
        wire: (Wire, CacheLifetime),
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

/// How long a server keeps a prompt cache after its last use.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum CacheLifetime {
    /// The cheapest lifetime: five minutes at most vendors.
    #[default]
    Short,
    /// An hour, where the server offers it: writing costs more.
    Long,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_message_weighs_what_its_blocks_weigh() {
        let blocks = |text: &str| vec![Block::text(text)];
        let mut message = ChatMessage::new(Role::User, blocks("one"), None);
        assert_eq!(message.weight(), blocks("one")[0].weight());
        message.extend(blocks("two"));
        let all = message.blocks.iter().map(Block::weight).sum::<usize>();
        assert_eq!(message.weight(), all);
    }

    #[test]
    fn a_message_is_rendered_once_for_the_form_in_which_it_is_sent() {
        let message = ChatMessage::new(Role::User, vec![Block::text("one")], None);
        let to = Origin::new(Wire::OpenAi, "m");
        let said = |form, text: &str| message.rendered((&to, form), |_| text.to_owned());
        assert_eq!(&*said(1, "first"), "first");
        assert_eq!(&*said(1, "again"), "first");
        assert_eq!(&*said(3, "in another form"), "in another form");
        assert_eq!(&*said(1, "again"), "first");
    }
}
