//! Requests to a model and its answers, without any vendor's wire format.

mod effort;
mod message;
mod name;
mod profile;
mod reply;
mod request;
mod usage;
mod usage_total;

pub use effort::{Effort, EffortError};
pub use message::{CacheLifetime, ChatMessage, Origin, Preamble, Role, Wire};
pub use name::{ModelRef, ModelRefError};
pub use profile::{ModelProfile, ThinkingLevels};
pub use reply::{CALLS_MAX, ModelFailure, Remedy, Reply, StopReason};
pub use request::{AnswerOptions, ModelRequest, StreamPart};
pub use usage::{Usage, reported_count};
pub use usage_total::UsageTotal;
