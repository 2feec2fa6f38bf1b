//! Requests to a model and its answers, without any vendor's wire format.

mod cache_lifetime;
mod effort;
mod failure;
mod message;
mod name;
mod profile;
mod reply;
mod request;
mod usage;

pub use cache_lifetime::CacheLifetime;
pub use effort::{Effort, EffortError};
pub use failure::{ModelFailure, Remedy};
pub use message::{ChatMessage, Origin, Preamble, Role, Wire};
pub use name::{ModelRef, ModelRefError};
pub use profile::{ModelProfile, ThinkingLevels};
pub use reply::{CALLS_MAX, Reply, StopReason};
pub use request::{AnswerOptions, ModelRequest, StreamPart};
pub use usage::{Usage, reported_count};
