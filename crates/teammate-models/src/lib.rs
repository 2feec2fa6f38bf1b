//! Adapters of the model port: Anthropic's Messages, OpenAI's chat completions and what is compatible with them, and
//! plays.
//!
//! An adapter turns a [`Request`](teammate_core::model::Request) into one HTTP request and the stream that answers
//! into one [`Reply`](teammate_core::model::Reply), or says in one sentence why there is none. It does not retry, does
//! not limit rates and keeps no conversation: those are the caller's.

pub mod anthropic;
mod call_id;
mod endpoint;
pub mod failure;
mod http;
mod json;
pub mod openai;
mod probe;
pub mod scripted;
mod size;
pub mod sse;

pub use anthropic::Anthropic;
pub use endpoint::{Auth, Endpoint};
pub use http::{Http, Patience};
pub use openai::OpenAi;
pub use probe::Probe;
pub use scripted::Scripted;
