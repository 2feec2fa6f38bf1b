//! Anthropic's Messages API, streamed. Also spoken by llama.cpp, Ollama and gateways.
//!
//! Conversations are stored as its content blocks, so this adapter only joins bytes: `request`
//! appends new messages to those rendered before, `stream` builds blocks from deltas.

use teammate_core::{
    model::{ChatMessage, ModelFailure, ModelProfile, ModelRequest, Reply, Wire},
    port::{BoxFuture, Model, PartSink},
};

use crate::{
    Endpoint, Http, ListedModel, ModelSettings, Probe, http::Connection, listing::Paging,
    served::Served,
};

mod message;
mod request;
mod stream;
mod thinking;

use self::stream::ReplyBuilder;

/// The end of the path that requests go to.
const OWN_END: &str = "messages";

/// A model that is reached through the Messages API.
#[derive(Debug)]
pub struct Anthropic {
    served: Served,
}

impl Anthropic {
    /// The model named `model` at `endpoint`. Fails if the endpoint's settings are invalid.
    pub fn new(endpoint: &Endpoint, model: &str, http: Http) -> Result<Self, ModelFailure> {
        let mut url = endpoint.url()?;
        let path = url.path();
        let path = match path.trim_end_matches("/messages") {
            base if base.ends_with("/v1") => format!("{base}/messages"),
            base => format!("{}/v1/messages", base.trim_end_matches('/')),
        };
        url.set_path(&path);
        let version = [("anthropic-version", "2023-06-01")];
        let connection = Connection::new(endpoint, url, &version, model, http)?;
        Ok(Self {
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
        self.served.list(Paging::AfterId).await
    }

    /// The HTTP body of a request.
    pub fn body(&self, request: &ModelRequest) -> String {
        request::outgoing(self, request).body
    }

    async fn ask(&self, request: ModelRequest, parts: PartSink) -> Result<Reply, ModelFailure> {
        let outgoing = || request::outgoing(self, &request);
        let reply = ReplyBuilder::new(&request.messages);
        self.served.answer(&request, outgoing, reply, parts).await
    }
}

impl Model for Anthropic {
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
        self.served.profile(Wire::Anthropic)
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
