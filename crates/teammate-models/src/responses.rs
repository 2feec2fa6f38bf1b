//! OpenAI's Responses, streamed and without state at the server; also spoken by gateways and local servers.
//!
//! `items` translates the history into input items, `request` puts them together, `stream` translates the answer back. What an
//! answer holds besides text and calls (encrypted reasoning, items of kinds we do not know) is kept as it came, and goes back to
//! the same model in the same bytes.

use teammate_core::{
    model::{ChatMessage, ModelFailure, ModelProfile, ModelRequest, Reply, Wire},
    port::{BoxFuture, Model, PartSink},
};

use crate::{
    Endpoint, Http, ListedModel, ModelSettings, Probe, http::Connection, listing::Paging,
    served::Served,
};

mod items;
mod request;
mod stream;

use self::stream::ReplyBuilder;

/// The type of the block that keeps the phase of the text after it.
const PHASE_BLOCK: &str = "responses_phase";
/// The type of the block that keeps an item whose own type other wires use for their blocks.
const ITEM_BLOCK: &str = "responses_item";

/// The end of the path that requests go to.
const OWN_END: &str = "responses";

/// A model that is reached through the Responses API.
#[derive(Debug)]
pub struct Responses {
    served: Served,
    /// OpenAI itself, which has fields that compatible servers lack.
    is_official: bool,
}

impl Responses {
    /// The model named `model` at `endpoint`. Fails if the endpoint's settings are invalid.
    pub fn new(endpoint: &Endpoint, model: &str, http: Http) -> Result<Self, ModelFailure> {
        let mut url = endpoint.url()?;
        let path = match url.path().trim_end_matches("/responses") {
            "" | "/" => "/v1".to_owned(),
            base => base.to_owned(),
        };
        url.set_path(&format!("{path}/responses"));
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
        let reply = ReplyBuilder::new(&request.messages);
        self.served.answer(&request, outgoing, reply, parts).await
    }
}

impl Model for Responses {
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
        self.served.profile(Wire::Responses)
    }
}

/// Whether the items of an answer go back to the model: to the very model that gave them. Another cannot read its reasoning.
fn is_native(answer: &ChatMessage, model: &str) -> bool {
    let origin = answer.origin.as_ref();
    origin.is_some_and(|origin| origin.wire == Wire::Responses && *origin.model == *model)
}

#[cfg(test)]
mod tests;
