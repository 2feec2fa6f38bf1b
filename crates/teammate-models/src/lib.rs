//! Adapters of the model port: Anthropic's Messages, OpenAI's Responses, its chat completions and
//! compatible servers, and plays.
//!
//! An adapter turns a [`ModelRequest`](teammate_core::model::ModelRequest) into one HTTP request and
//! the stream that answers into one [`Reply`](teammate_core::model::Reply), or into an error of one sentence. Retries, rate
//! limits and conversations are the caller's.
//!
//! `anthropic`, `responses`, `openai` and `scripted` are the adapters. Below them `http`, `sse`,
//! and `failure`, the one table of what can be done about a refusal. `catalogue` (`catalogue.toml`)
//! knows families of models; `settings` is that and what the user wants; `adapt` leaves out what a
//! server refuses; `listing` and `context_probe` ask servers what they have.
//!
//! - **No model is known by name in code**: what is sent to a family follows from its entry in the
//!   catalogue.
//! - **No retries, no rate limits, no conversation is kept here.** Only a key that is refused is
//!   asked for anew, once (`http/sending.rs`).
//! - **An answer has limits** (`size.rs`, `http.rs`).
//! - **A block goes back to its wire in the bytes in which it came**, but for a secret in it.

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
mod text_calls;
mod usage;
mod whole_answer;

pub use adapt::{LessonStore, Lessons};
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
