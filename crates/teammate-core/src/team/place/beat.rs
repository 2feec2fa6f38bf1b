//! The sign of life of a worker.

use serde::{Deserialize, Serialize};
use uuid::Uuid;

use crate::name::WorkerName;

/// A sign of life, once a second, for all that a worker runs.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Beat {
    pub worker: WorkerName,
    /// Of which of its lives.
    pub session: Uuid,
    /// Whether its members are to be moved.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_draining: bool,
    /// If its members rest: in which state of rest they are, counted. Another count says that something has changed since.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rests: Option<u64>,
}
