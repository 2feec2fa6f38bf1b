//! Ids of requests.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use crate::fence::quoted;

/// A request's number within its team, never used twice; written `req_000001`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RequestId(u64);

impl RequestId {
    /// The request of that number.
    pub fn new(number: u64) -> Self {
        Self(number)
    }

    /// The number.
    pub fn number(self) -> u64 {
        self.0
    }
}

impl fmt::Display for RequestId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("req_{:06}", self.0))
    }
}

/// Text that is not a request id.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, thiserror::Error)]
#[error("'{0}' is not a request id; ids look like req_000001")]
pub struct RequestIdError(String);

impl FromStr for RequestId {
    type Err = RequestIdError;

    /// `req_000003`, `req_3` or `3`.
    fn from_str(text: &str) -> Result<Self, RequestIdError> {
        let digits = text.trim();
        let digits = digits.strip_prefix("req_").unwrap_or(digits);
        match digits.parse() {
            Ok(number) if number > 0 && digits.bytes().all(|b| b.is_ascii_digit()) => {
                Ok(Self(number))
            }
            Ok(_) | Err(_) => Err(RequestIdError(quoted(text))),
        }
    }
}
