//! Adapters of the model port: Anthropic's Messages, OpenAI's chat completions and compatible
//! servers, and plays.
//!
//! An adapter turns a [`ModelRequest`](teammate_core::model::ModelRequest) into one HTTP request and
//! the stream that answers into one [`Reply`](teammate_core::model::Reply), or into an error of one sentence. Retries, rate
//! limits and conversations are the caller's.

pub mod anthropic;
mod call_id;
mod endpoint;
mod failure;
mod http;
mod json;
pub mod openai;
mod probe;
pub mod scripted;
mod size;
mod sse;
mod stream_error;

pub use anthropic::Anthropic;
pub use endpoint::{
    Auth, ClientCertificate, Endpoint, Key, KeySource, ProxySetting, RenewableKey, Transport,
};
pub use http::{Http, Timeouts};
pub use openai::OpenAi;
pub use probe::Probe;
pub use scripted::Scripted;
