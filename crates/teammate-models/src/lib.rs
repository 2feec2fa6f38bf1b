//! Adapters of the model port: Anthropic's Messages, OpenAI's Responses, its chat completions and
//! compatible servers, and plays.
//!
//! An adapter turns a [`ModelRequest`](teammate_core::model::ModelRequest) into one HTTP request and
//! the stream that answers into one [`Reply`](teammate_core::model::Reply), or into an error of one sentence. Retries, rate
//! limits and conversations are the caller's.

mod adapt;
pub mod anthropic;
mod attachments;
mod call_id;
pub mod catalogue;
mod context_probe;
mod endpoint;
mod failure;
mod http;
mod json;
mod listing;
pub mod openai;
mod probe;
mod reply_stream;
pub mod responses;
mod sampling;
pub mod scripted;
mod served;
mod settings;
mod size;
mod sse;
mod stream_error;
mod usage;

pub use anthropic::Anthropic;
pub use catalogue::{
    CacheRules, Catalogue, EffortLevel, Family, ModelFacts, NamePattern, Thinking, ThinkingForm,
};
pub use endpoint::{
    Auth, ClientCertificate, Endpoint, Key, KeySource, ProxySetting, RenewableKey, Transport,
};
pub use http::{Http, Timeouts};
pub use listing::{ListedModel, ServerFacts};
pub use openai::OpenAi;
pub use probe::Probe;
pub use responses::Responses;
pub use scripted::Scripted;
pub use settings::{ModelSettings, RequestSettings};
