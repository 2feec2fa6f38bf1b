//! OpenAI's Responses, streamed and without state at the server; also spoken by gateways and local servers.
//!
//! `items` translates the history into input items, `request` puts them together, `stream` translates the answer back. What an
//! answer holds besides text and calls (encrypted reasoning, items of kinds we do not know) is kept as it came, and goes back to
//! the same model in the same bytes.

use teammate_core::{
    model::{ChatMessage, ModelFailure, ModelRequest, Reply, Wire},
    port::{BoxFuture, PartSink},
};

use crate::served::{OwnWire, ServedModel};

mod items;
mod request;
mod stream;

use self::stream::ReplyBuilder;

/// The type of the block that keeps the phase of the text after it.
const PHASE_BLOCK: &str = "responses_phase";
/// The type of the block that keeps an item whose own type other wires use for their blocks.
const ITEM_BLOCK: &str = "responses_item";

/// A model that is reached through the Responses API.
pub type Responses = ServedModel<ResponsesWire>;

/// What is sent to the Responses API, and what it answers.
#[derive(Debug)]
pub struct ResponsesWire;

impl OwnWire for ResponsesWire {
    const WIRE: Wire = Wire::Responses;
    const OWN_END: &'static str = "responses";

    fn body(model: &Responses, request: &ModelRequest) -> String {
        request::outgoing(model, request).body
    }

    fn ask(
        model: &Responses,
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

/// Whether the items of an answer go back to the model: to the very model that gave them. Another cannot read its reasoning.
fn is_native(answer: &ChatMessage, model: &str) -> bool {
    let origin = answer.origin.as_ref();
    origin.is_some_and(|origin| origin.wire == Wire::Responses && *origin.model == *model)
}

#[cfg(test)]
mod tests;
