//! The events of a stream as they are on the wire.

use serde::{Deserialize, de::DeserializeOwned};
use serde_json::{Value, value::RawValue};

use super::items::Place;
use crate::reply_stream::StreamError;

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
    pub(super) usage: Option<Value>,
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
