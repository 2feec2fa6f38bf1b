//! The events of a stream as they are on the wire.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::value::RawValue;
use teammate_core::model::Usage;

use super::items::Place;
use crate::stream_error::StreamError;

/// The fields of all events that are read. Events of other kinds have fields of these names with values of other types, so each
/// is read when its event is known.
#[derive(Default, Deserialize)]
#[serde(default)]
pub(super) struct WireEvent {
    pub(super) r#type: String,
    pub(super) output_index: Option<Box<RawValue>>,
    pub(super) item_id: Option<Box<RawValue>>,
    pub(super) summary_index: Option<Box<RawValue>>,
    pub(super) item: Option<Box<RawValue>>,
    pub(super) delta: Option<Box<RawValue>>,
    pub(super) text: Option<Box<RawValue>>,
    pub(super) refusal: Option<Box<RawValue>>,
    pub(super) arguments: Option<Box<RawValue>>,
    pub(super) response: Option<Box<RawValue>>,
    pub(super) error: Option<Box<RawValue>>,
}

impl WireEvent {
    /// Which item the event is about.
    pub(super) fn place(&self) -> Place {
        Place {
            index: read(self.output_index.as_deref()),
            id: read(self.item_id.as_deref()).unwrap_or_default(),
        }
    }

    pub(super) fn delta(&self) -> String {
        read(self.delta.as_deref()).unwrap_or_default()
    }

    pub(super) fn response(&self) -> Result<WiredResponse, StreamError> {
        match &self.response {
            None => Ok(WiredResponse::default()),
            Some(response) => serde_json::from_str(response.get())
                .map_err(|_| StreamError::Nonsense("sent a response that is none")),
        }
    }
}

/// A value of this type; `None` if it is missing or another.
pub(super) fn read<T: DeserializeOwned>(value: Option<&RawValue>) -> Option<T> {
    serde_json::from_str(value?.get()).ok()
}

#[derive(Default, Deserialize)]
pub(super) struct WiredResponse {
    #[serde(default)]
    pub(super) model: Option<String>,
    #[serde(default)]
    pub(super) usage: Option<WiredUsage>,
    #[serde(default)]
    pub(super) incomplete_details: Option<Incomplete>,
    #[serde(default)]
    pub(super) error: Option<Box<RawValue>>,
    #[serde(default)]
    pub(super) output: Option<Vec<Box<RawValue>>>,
}

#[derive(Deserialize)]
pub(super) struct Incomplete {
    #[serde(default)]
    pub(super) reason: Option<String>,
}

#[derive(Deserialize)]
pub(super) struct WiredUsage {
    input_tokens: Option<u64>,
    output_tokens: Option<u64>,
    input_tokens_details: Option<InputDetails>,
    output_tokens_details: Option<OutputDetails>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct InputDetails {
    cached_tokens: Option<u64>,
    cache_write_tokens: Option<u64>,
    cache_write_tokens_details: Option<WriteDetails>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct WriteDetails {
    ttl_12h_tokens: Option<u64>,
}

#[derive(Default, Deserialize)]
#[serde(default)]
struct OutputDetails {
    reasoning_tokens: Option<u64>,
}

impl WiredUsage {
    /// The server's input tokens include those read from and written to a cache.
    pub(super) fn usage(self) -> Usage {
        let input = self.input_tokens_details.unwrap_or_default();
        let output = self.output_tokens_details.unwrap_or_default();
        let cache_read = input.cached_tokens.unwrap_or(0);
        let cache_write = input.cache_write_tokens.unwrap_or(0);
        let long = input.cache_write_tokens_details.unwrap_or_default();
        let all = self.input_tokens.unwrap_or(0);
        Usage {
            input: all.saturating_sub(cache_read).saturating_sub(cache_write),
            output: self.output_tokens.unwrap_or(0),
            cache_read,
            cache_write,
            cache_write_long: long.ttl_12h_tokens.unwrap_or(0),
            reasoning: output.reasoning_tokens.unwrap_or(0),
            ..Usage::default()
        }
    }
}
