//! OpenAI's chat completions, streamed; also spoken by Ollama, llama.cpp, vLLM and OpenRouter.
//!
//! `request` translates the history into chat messages, `stream` translates the answer back. Fields
//! that a server adds to its messages, such as reasoning, are kept in blocks of our own and sent
//! back to it.

use teammate_core::{
    model::{ChatMessage, ModelFailure, ModelRequest, Reply, Wire},
    port::{BoxFuture, PartSink},
};

use crate::served::{OwnWire, ServedModel};

mod calls;
pub(crate) mod message;
pub(crate) mod request;
mod stream;
mod thinking;
mod vendor_fields;

use self::stream::ReplyBuilder;

/// The type of the block that keeps reasoning: `text`, and the `field` that it came in.
const REASONING_BLOCK: &str = "reasoning";
/// The type of the block that keeps a vendor's other fields: `fields` of the message, and `calls`,
/// fields by call id.
const VENDOR_FIELDS_BLOCK: &str = "openai_fields";

/// A model that is reached through a chat completions API.
pub type OpenAi = ServedModel<ChatWire>;

/// What is sent to a chat completions API, and what it answers.
#[derive(Debug)]
pub struct ChatWire;

impl OwnWire for ChatWire {
    const WIRE: Wire = Wire::OpenAi;
    const OWN_END: &'static str = "chat/completions";

    fn body(model: &OpenAi, request: &ModelRequest) -> String {
        request::outgoing(model, request).body
    }

    fn ask(
        model: &OpenAi,
        request: ModelRequest,
        parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        Box::pin(async move {
            let outgoing = |asked: &ModelRequest| request::outgoing(model, asked);
            let reply = ReplyBuilder::new(&request.messages, !model.is_official());
            model.read_answer(&request, outgoing, reply, parts).await
        })
    }
}

/// Whether the reasoning of an answer and its vendor's fields go back to the model: to the very model that gave them.
fn is_native(answer: &ChatMessage, model: &str) -> bool {
    let origin = answer.origin.as_ref();
    origin.is_some_and(|origin| origin.wire == Wire::OpenAi && *origin.model == *model)
}
