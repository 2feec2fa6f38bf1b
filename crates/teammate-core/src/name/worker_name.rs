//! Names of workers, parsed once at the edge.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use crate::parsed_text::parsed_text;

/// The name of a worker, a machine that runs members: `[a-z0-9][a-z0-9_-]{0,31}`.
///
/// Safe as a path component and as one token of a subject.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct WorkerName(Arc<str>);

/// Text that is not a worker's name.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is not a worker's name: use 1-32 characters of a-z, 0-9, '-' and '_', starting with a letter or digit"
)]
pub struct WorkerNameError(String);

impl WorkerName {
    /// Parses a name.
    pub fn parse(text: &str) -> Result<Self, WorkerNameError> {
        if super::has_name_shape(text) {
            Ok(Self(text.into()))
        } else {
            Err(WorkerNameError(super::quoted_start(text)))
        }
    }
}

parsed_text!(WorkerName, WorkerNameError);
