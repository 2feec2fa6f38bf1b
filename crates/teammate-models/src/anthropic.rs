//! Anthropic's Messages API, streamed. Also spoken by llama.cpp, Ollama and gateways.
//!
//! Its content blocks are the native form of a turn, so this adapter only puts bytes together: `request` joins
//! what was rendered before with what is new, `stream` joins deltas to blocks.

use teammate_core::{
    model::{ModelFailure, Part, Reply, Request},
    port::{BoxFuture, Model, PartSink},
};

use crate::{Endpoint, Http, Probe, http::Line};

mod request;
mod stream;

/// A model behind the Messages API.
#[derive(Debug)]
pub struct Anthropic {
    line: Line,
    model: String,
}

impl Anthropic {
    /// The model of that name at `endpoint`. Errors say what is wrong with the endpoint's settings.
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
            line: Line::new(endpoint, url, &version, model, http)?,
            model: model.to_owned(),
        })
    }

    /// Tries the server and the key without asking a model. Errors: it cannot be reached.
    pub async fn probe(&self) -> Result<Probe, ModelFailure> {
        self.line.probe("messages").await
    }

    /// The bytes that are sent for a request.
    pub fn body(&self, request: &Request) -> String {
        request::body(&self.model, request)
    }

    async fn ask(&self, request: Request, mut parts: PartSink) -> Result<Reply, ModelFailure> {
        let mut events = self.line.ask(self.body(&request)).await?;
        let mut assembly = stream::Assembly::new(&request.messages);
        let mut started = false;
        while let Some(event) = events.next().await? {
            let step = assembly.take(&event, &mut parts);
            match step.map_err(|broken| broken.failure(&self.line))? {
                stream::Step::Ignored => continue,
                stream::Step::Empty => events.showed_life(),
                stream::Step::Progress => events.progressed(),
                stream::Step::Done => {
                    return assembly
                        .reply()
                        .map_err(|broken| broken.failure(&self.line));
                }
            }
            if !std::mem::replace(&mut started, true) {
                parts(Part::Started);
            }
        }
        Err(self.line.broken_stream("ended its answer early"))
    }
}

impl Model for Anthropic {
    fn answer(
        &self,
        request: Request,
        parts: PartSink,
    ) -> BoxFuture<'_, Result<Reply, ModelFailure>> {
        Box::pin(self.ask(request, parts))
    }

    fn shares(&self) -> &str {
        self.line.shares()
    }
}
