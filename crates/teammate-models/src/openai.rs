//! OpenAI's chat completions, streamed; also spoken by Ollama, llama.cpp, vLLM and OpenRouter.
//!
//! `request` translates the history into chat messages, `stream` translates the answer back. Fields
//! that a server adds to its messages, such as reasoning, are kept in blocks of our own and sent
//! back to it.

use teammate_core::{
    model::{ChatMessage, ModelFailure, ModelProfile, ModelRequest, Reply, Wire},
    port::{BoxFuture, Model, PartSink},
};

use crate::{
    Endpoint, Http, ListedModel, ModelSettings, Probe, http::Connection, listing::Paging,
    served::Served,
};

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

/// The end of the path that requests go to.
const OWN_END: &str = "chat/completions";

/// A model that is reached through a chat completions API.
#[derive(Debug)]
pub struct OpenAi {
    served: Served,
    /// OpenAI itself, which refuses unknown fields and has some that compatible servers lack.
    is_official: bool,
}

impl OpenAi {
    /// The model named `model` at `endpoint`. Fails if the endpoint's settings are invalid.
    pub fn new(endpoint: &Endpoint, model: &str, http: Http) -> Result<Self, ModelFailure> {
        let mut url = endpoint.url()?;
        let path = match url.path().trim_end_matches("/chat/completions") {
            "" | "/" => "/v1".to_owned(),
            base => base.to_owned(),
        };
        url.set_path(&format!("{path}/chat/completions"));
        let connection = Connection::new(endpoint, url, &[], model, http)?;
        Ok(Self {
            is_official: connection.host().ends_with("api.openai.com"),
            served: Served::new(connection, model, OWN_END),
        })
    }

    /// Takes the facts about the model, and the user's wishes for its requests.
    #[must_use]
    pub fn with_settings(mut self, settings: ModelSettings) -> Self {
        self.served.settings = settings;
        self
    }

    /// Tries the server and the key without a model call. Fails if the server cannot be reached.
    pub async fn probe(&self) -> Result<Probe, ModelFailure> {
        self.served.probe().await
    }

    /// The server's list of models. Fails if it cannot be had.
    pub async fn list(&self) -> Result<Vec<ListedModel>, ModelFailure> {
        self.served.list(Paging::None).await
    }

    /// The HTTP body of a request.
    pub fn body(&self, request: &ModelRequest) -> String {
        request::outgoing(self, request).body
    }

    async fn ask(&self, request: ModelRequest, parts: PartSink) -> Result<Reply, ModelFailure> {
        let outgoing = || request::outgoing(self, &request);
        let reply = ReplyBuilder::new(&request.messages, !self.is_official);
        self.served.answer(&request, outgoing, reply, parts).await
    }
}

impl Model for OpenAi {
    fn answer(
        &self,
        request: ModelRequest,
        parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        Box::pin(self.ask(request, parts))
    }

    fn rate_limit_key(&self) -> &str {
        self.served.connection.rate_limit_key()
    }

    fn profile(&self) -> ModelProfile {
        self.served.profile(Wire::OpenAi)
    }
}

/// Whether the reasoning of an answer and its vendor's fields go back to the model: to the very model that gave them.
fn is_native(answer: &ChatMessage, model: &str) -> bool {
    let origin = answer.origin.as_ref();
    origin.is_some_and(|origin| origin.wire == Wire::OpenAi && *origin.model == *model)
}
