//! Facts about a model. Every field may be missing: then what every model takes is sent.

use serde::Deserialize;
use teammate_core::{price::Price, written_call::CallTemplate};

use super::Thinking;

/// Facts about a model.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ModelFacts {
    /// The size of its context, in tokens.
    pub context_tokens: Option<u64>,
    /// The longest answer that it gives, thinking included, in tokens.
    pub answer_tokens: Option<u32>,
    /// Whether it takes pictures. Not known: they are sent.
    pub pictures: Option<bool>,
    /// Whether it takes PDF documents. Not known: they are sent.
    pub documents: Option<bool>,
    /// Whether it takes tools. Not known: they are sent.
    pub tools: Option<bool>,
    /// How its template writes calls of tools, which some servers leave in the text. Not known: they stay text.
    pub text_calls: Option<CallTemplate>,
    /// Whether it takes `temperature` and `top_p`. Not known: they are sent if configured.
    pub sampling: Option<bool>,
    /// Whether it can be held to a JSON Schema. Not known: it is not.
    pub schema: Option<bool>,
    /// How it is asked to think. Not known: it is not asked.
    pub thinking: Option<Thinking>,
    /// How its prompts are cached.
    pub cache: Option<CacheRules>,
    /// The price of a million tokens.
    pub price: Option<Price>,
    /// Up to so many tokens in a request that price holds; a longer one costs more. Not known: always.
    pub price_holds_to: Option<u64>,
}

/// How a vendor caches prompts.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CacheRules {
    /// The shortest prefix that is cached, in tokens.
    pub least_tokens: u64,
    /// How long a cache lasts after its last use, in minutes.
    pub minutes: u64,
    /// Whether a cache of an hour can be asked for.
    pub long: bool,
}

impl ModelFacts {
    /// These, and what they leave open as `base` has it.
    #[must_use]
    pub fn over(self, base: Self) -> Self {
        Self {
            context_tokens: self.context_tokens.or(base.context_tokens),
            answer_tokens: self.answer_tokens.or(base.answer_tokens),
            pictures: self.pictures.or(base.pictures),
            documents: self.documents.or(base.documents),
            tools: self.tools.or(base.tools),
            text_calls: self.text_calls.or(base.text_calls),
            sampling: self.sampling.or(base.sampling),
            schema: self.schema.or(base.schema),
            thinking: self.thinking.or(base.thinking),
            cache: self.cache.or(base.cache),
            price: self.price.or(base.price),
            price_holds_to: self.price_holds_to.or(base.price_holds_to),
        }
    }
}
