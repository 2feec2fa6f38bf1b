//! Anthropic's Messages API, streamed. Also spoken by llama.cpp, Ollama and gateways.
//!
//! Conversations are stored as its content blocks, so this adapter only joins bytes: `request`
//! appends new messages to those rendered before, `stream` builds blocks from deltas.

use teammate_core::{
    model::{ChatMessage, ModelFailure, ModelRequest, Reply, Wire},
    port::{BoxFuture, PartSink},
};

use crate::served::{OwnWire, ServedModel};

mod message;
mod request;
mod stream;
mod thinking;

use self::stream::ReplyBuilder;

/// A model that is reached through the Messages API.
pub type Anthropic = ServedModel<AnthropicWire>;

/// What is sent to the Messages API, and what it answers.
#[derive(Debug)]
pub struct AnthropicWire;

impl OwnWire for AnthropicWire {
    const WIRE: Wire = Wire::Anthropic;
    const OWN_END: &'static str = "messages";
    const LISTS_IN_PAGES: bool = true;
    const HEADERS: &'static [(&'static str, &'static str)] = &[("anthropic-version", "2023-06-01")];

    fn base_path(path: &str) -> String {
        match path {
            base if base.ends_with("/v1") => base.to_owned(),
            base => format!("{}/v1", base.trim_end_matches('/')),
        }
    }

    fn body(model: &Anthropic, request: &ModelRequest) -> String {
        request::outgoing(model, request).body
    }

    fn ask(
        model: &Anthropic,
        request: ModelRequest,
        parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        Box::pin(async move {
            let outgoing = |asked: &ModelRequest| request::outgoing(model, asked);
            let reply = ReplyBuilder::new(&request.messages);
            model.read_answer(&request, outgoing, reply, parts).await
        })
    }
}

/// Whether the model can read the thinking of an answer: that of all models of the same provider, which leaves out by itself what
/// another model cannot read (docs "Preserved thinking", 2026-09).
fn is_native(answer: &ChatMessage, model: &str) -> bool {
    answer.origin.as_ref().is_some_and(|origin| {
        origin.wire == Wire::Anthropic && provider(&origin.model) == provider(model)
    })
}

fn provider(model: &str) -> &str {
    model
        .split_once(':')
        .map_or(model, |(provider, _)| provider)
}

#[cfg(test)]
mod tests;
