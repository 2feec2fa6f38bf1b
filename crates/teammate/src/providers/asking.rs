//! Asks servers about themselves: whether they are there and take the key, what they list, what they speak.

use std::{sync::Arc, time::Duration};

use serde_json::value::RawValue;
use teammate_core::{
    block::Block,
    model::{
        AnswerOptions, ChatMessage, ModelFailure, ModelRef, ModelRequest, Preamble, Remedy, Role,
        Wire,
    },
    port::ModelSource as _,
    tool::{EffectClass, ToolSpec},
};
use teammate_models::{Anthropic, Endpoint, Key, ListedModel, OpenAi, Probe, Timeouts};

use super::{Provider, Providers, WireFormat, is_official, opening::refused};
use crate::policy::MachinePolicy;

impl Providers {
    /// Tries a server and its key with a request that costs nothing, waiting at most `limit`.
    ///
    /// Errors: there is no such provider, its settings are wrong, or it cannot be reached.
    pub async fn probe(&self, provider: &str, limit: Duration) -> Result<Probe, ModelFailure> {
        let known = match self.named.get(provider) {
            Some(Provider::Server(known)) => known,
            Some(Provider::Code(_)) => return Ok(Probe::Unknown),
            None => return Err(self.unknown(provider)),
        };
        check_policy(&known.endpoint)?;
        let http = self.http.clone().with_timeouts(Timeouts {
            first_event: limit,
            gap: limit,
        });
        match known.wire {
            WireFormat::Anthropic => Anthropic::new(&known.endpoint, "", http)?.probe().await,
            WireFormat::OpenAi | WireFormat::Chat | WireFormat::Responses => {
                OpenAi::new(&known.endpoint, "", http)?.probe().await
            }
        }
    }

    /// The models that a server lists, waiting at most `limit` for each page; an empty list for models that are code.
    ///
    /// Errors: there is no such provider, its settings are wrong, it cannot be reached or refuses, or it has no list.
    pub async fn list_models(
        &self,
        provider: &str,
        limit: Duration,
    ) -> Result<Vec<ListedModel>, ModelFailure> {
        let known = match self.named.get(provider) {
            Some(Provider::Server(known)) => known,
            Some(Provider::Code(_)) => return Ok(Vec::new()),
            None => return Err(self.unknown(provider)),
        };
        check_policy(&known.endpoint)?;
        let http = self.http.clone().with_timeouts(Timeouts {
            first_event: limit,
            gap: limit,
        });
        match known.wire {
            WireFormat::Anthropic => Anthropic::new(&known.endpoint, "", http)?.list().await,
            WireFormat::OpenAi | WireFormat::Chat | WireFormat::Responses => {
                OpenAi::new(&known.endpoint, "", http)?.list().await
            }
        }
    }

    /// Whether it is worth trying if the server of this model speaks Responses: it says that it speaks what OpenAI speaks, and
    /// is not OpenAI's own.
    pub fn may_speak_responses(&self, model: &ModelRef) -> bool {
        match self.named.get(&model.provider) {
            Some(Provider::Server(server)) => {
                server.wire == WireFormat::OpenAi && !is_official(&server.endpoint)
            }
            Some(Provider::Code(_)) | None => false,
        }
    }

    /// Tries with a short question whether the server of this model speaks Responses, and remembers it: if so, models of
    /// `wire = "openai"` there are asked in that form from then on.
    ///
    /// Errors: it does not; what it said.
    pub async fn try_responses(&self, model: &ModelRef) -> Result<(), ModelFailure> {
        let base_url = match self.named.get(&model.provider) {
            Some(Provider::Server(server)) => server.endpoint.base_url.clone(),
            Some(Provider::Code(_)) | None => return Err(self.unknown(&model.provider)),
        };
        let tried = self.open_spoken(model, Some(Wire::Responses))?;
        let answer = tried.answer(hello(model), Box::new(|_| {})).await;
        // A server that is busy or away has not said that it does not speak it.
        let speaks = match &answer {
            Ok(_) => Some(true),
            Err(why) => (why.remedy == Remedy::Never).then_some(false),
        };
        if let Some(speaks) = speaks {
            // If it cannot be kept, it is not known the next time.
            let _ = self.wires.keep(&base_url, speaks);
        }
        answer.map(|_| ())
    }

    /// Obtains the key of a provider, if it has one that is obtained and the policy of the machine allows its server.
    ///
    /// Errors: it cannot be had.
    pub async fn obtain_key(&self, provider: &str) -> Result<(), ModelFailure> {
        let Some((_, endpoint, _)) = self.server(provider) else {
            return Ok(());
        };
        let Some(Key::Renewable(key)) = &endpoint.key else {
            return Ok(());
        };
        check_policy(&endpoint)?;
        key.check().await.map_err(|why| ModelFailure {
            what: self.redacted(&format!("{provider}: {} {why}", endpoint.key_from)),
            remedy: Remedy::Never,
        })
    }

    /// Asks a model for one token, if only that shows whether its server accepts the key.
    pub async fn try_model(&self, model: &ModelRef) -> Result<(), ModelFailure> {
        let request = ModelRequest {
            // The Responses API takes no less than 16.
            max_tokens: match self.wire_of(model) {
                Some(Wire::Responses) => 16,
                Some(Wire::Anthropic | Wire::OpenAi | Wire::Plain) | None => 1,
            },
            ..hello(model)
        };
        let model = self.open(model)?;
        model.answer(request, Box::new(|_| {})).await.map(|_| ())
    }
}

/// Errors: the policy of the machine does not allow this server.
fn check_policy(endpoint: &Endpoint) -> Result<(), ModelFailure> {
    match MachinePolicy::of_machine().map_err(|why| refused(&why))? {
        Some(policy) => policy.check_endpoint(endpoint).map_err(|why| refused(&why)),
        None => Ok(()),
    }
}

/// A short question with a tool that answers it no better.
fn hello(model: &ModelRef) -> ModelRequest {
    let hello = ChatMessage::new(Role::User, vec![Block::text("Hello")], None);
    let tool = ToolSpec {
        name: "wait".into(),
        description: "Waits.".into(),
        schema: RawValue::from_string(r#"{"type":"object","properties":{}}"#.to_owned())
            .unwrap_or_default(),
        class: EffectClass::Reads,
    };
    let system = "Answer in one word.".to_owned();
    ModelRequest {
        preamble: Arc::new(Preamble::new(vec![tool], system)),
        identity: "".into(),
        messages: vec![Arc::new(hello)],
        cached: 0,
        max_tokens: 64,
        conversation: "doctor".into(),
        asker: "doctor".into(),
        model: model.to_string().into(),
        options: AnswerOptions::default(),
    }
}
