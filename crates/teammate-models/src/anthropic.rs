//! Anthropic's Messages API, streamed. Also spoken by llama.cpp, Ollama and gateways.
//!
//! Conversations are stored as its content blocks, so this adapter only joins bytes: `request`
//! appends new messages to those rendered before, `stream` builds blocks from deltas.

use teammate_core::{
    model::{ChatMessage, ModelFailure, ModelProfile, ModelRequest, Reply, StreamPart, Wire},
    port::{BoxFuture, Model, PartSink},
};

use crate::{
    Endpoint, Http, ListedModel, ModelSettings, Probe,
    adapt::{self, Asked, Learnt},
    http::Connection,
    listing::{self, Paging},
};

mod message;
mod request;
mod stream;
mod thinking;

/// A model that is reached through the Messages API.
#[derive(Debug)]
pub struct Anthropic {
    connection: Connection,
    model: String,
    settings: ModelSettings,
    learnt: Learnt,
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
        Ok(Self {
            connection: Connection::new(endpoint, url, &version, model, http)?,
            model: model.to_owned(),
            settings: ModelSettings::default(),
            learnt: Learnt::default(),
        })
    }

    /// The same model with what is known of it, and what the user wants in its requests.
    #[must_use]
    pub fn with_settings(self, settings: ModelSettings) -> Self {
        Self { settings, ..self }
    }

    /// Tries the server and the key without a model call. Fails if the server cannot be reached.
    pub async fn probe(&self) -> Result<Probe, ModelFailure> {
        self.connection.probe("messages").await
    }

    /// The server's list of models. Fails if it cannot be had.
    pub async fn list(&self) -> Result<Vec<ListedModel>, ModelFailure> {
        listing::list(&self.connection, "messages", Paging::AfterId).await
    }

    /// The HTTP body of a request.
    pub fn body(&self, request: &ModelRequest) -> String {
        request::outgoing(self, request).body
    }

    async fn ask(&self, request: ModelRequest, mut parts: PartSink) -> Result<Reply, ModelFailure> {
        let outgoing = || request::outgoing(self, &request);
        let asked = Asked {
            connection: &self.connection,
            learnt: &self.learnt,
            settings: &self.settings,
            model: &self.model,
            own_end: "messages",
        };
        let mut events = adapt::ask(&asked, &request, outgoing, &mut parts).await?;
        let mut builder = stream::ReplyBuilder::new(&request.messages);
        let mut started = false;
        while let Some(event) = events.next().await? {
            let progress = builder.take(&event, &mut parts);
            match progress.map_err(|error| error.failure(&self.connection))? {
                stream::Progress::Ignored => continue,
                stream::Progress::Empty => events.extend_deadline(),
                stream::Progress::Grew => events.reset_watchdog(),
                stream::Progress::Done => {
                    return builder
                        .reply()
                        .map_err(|error| error.failure(&self.connection));
                }
            }
            if !std::mem::replace(&mut started, true) {
                parts(StreamPart::Started);
            }
        }
        Err(self.connection.stream_failure("ended its answer early"))
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
        self.connection.rate_limit_key()
    }

    fn profile(&self) -> ModelProfile {
        self.learnt.fit(self.settings.profile(Wire::Anthropic))
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
