//! OpenAI's chat completions, streamed, and what is compatible with them: Ollama, llama.cpp, vLLM, OpenRouter.
//!
//! The history is translated at this edge (`request`), and an answer is translated back (`stream`). What a
//! server adds to its messages (reasoning in its several forms) is kept in blocks of our own and given back to it.

use teammate_core::{
    model::{ModelFailure, Part, Reply, Request},
    port::{BoxFuture, Model, PartSink},
};

use crate::{Endpoint, Http, Probe, http::Line};

mod calls;
mod request;
mod stream;

/// The block that keeps reasoning: `text`, and the `field` it came in.
const REASONING: &str = "reasoning";
/// The block that keeps what else a server added: `fields` of the message, and `calls`, fields by call id.
const ADDED: &str = "openai_fields";

/// A model behind a chat completions API.
#[derive(Debug)]
pub struct OpenAi {
    line: Line,
    model: String,
    /// OpenAI itself: it refuses fields it does not know, and knows some that others do not.
    is_official: bool,
}

impl OpenAi {
    /// The model of that name at `endpoint`. Errors say what is wrong with the endpoint's settings.
    pub fn new(endpoint: &Endpoint, model: &str, http: Http) -> Result<Self, ModelFailure> {
        let mut url = endpoint.url()?;
        let path = match url.path().trim_end_matches("/chat/completions") {
            "" | "/" => "/v1".to_owned(),
            base => base.to_owned(),
        };
        url.set_path(&format!("{path}/chat/completions"));
        let line = Line::new(endpoint, url, &[], model, http)?;
        Ok(Self {
            is_official: line.host().ends_with("api.openai.com"),
            line,
            model: model.to_owned(),
        })
    }

    /// Tries the server and the key without asking a model. Errors: it cannot be reached.
    pub async fn probe(&self) -> Result<Probe, ModelFailure> {
        self.line.probe("chat/completions").await
    }

    /// The bytes that are sent for a request.
    pub fn body(&self, request: &Request) -> String {
        request::body(&self.model, self.is_official, request)
    }

    async fn ask(&self, request: Request, mut parts: PartSink) -> Result<Reply, ModelFailure> {
        let mut events = self.line.ask(self.body(&request)).await?;
        let mut assembly = stream::Assembly::new(&request.messages, !self.is_official);
        let mut started = false;
        while let Some(event) = events.next().await? {
            if !std::mem::replace(&mut started, true) {
                parts(Part::Started);
            }
            let step = assembly.take(&event.data, &mut parts);
            match step.map_err(|broken| broken.failure(&self.line))? {
                stream::Step::Empty => events.showed_life(),
                stream::Step::Progress => events.progressed(),
                stream::Step::Done => break,
            }
        }
        assembly
            .reply()
            .ok_or_else(|| self.line.broken_stream("ended its answer early"))
    }
}

impl Model for OpenAi {
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
