//! The news of workers to each other about model servers, so that all that share a key wait together and one of them probes.
//! Nothing of it is kept, and all of it may be lost: each worker sees for itself then.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use crate::port::{BoxFuture, FileError, FleetFeed};

/// How long a worker that may probe is the only one.
pub const PROBE_CLAIMED: Duration = Duration::from_secs(30);

/// The wire between the governors of several workers, of whatever teams.
pub trait Governors: Send + Sync {
    /// How workers name what shares this rate limit ([`rate_limit_key`](super::Model::rate_limit_key)): the same on each of them, and
    /// nobody can read the limit's key from it.
    fn server_key(&self, rate_limit_key: &str) -> ServerKey;

    /// Tells all other workers of a server.
    fn publish<'a>(&'a self, server: &'a ServerKey, news: ServerNews) -> BoxFuture<'a, ()>;

    /// Hears what others tell from now on; not what this value does.
    ///
    /// Errors: the wire cannot be listened to.
    fn heard(&self) -> BoxFuture<'_, Result<Box<dyn FleetFeed<HeardNews>>, FileError>>;

    /// Whether this worker probes a server that is away: of all that ask within [`PROBE_CLAIMED`], one. Where that cannot be found out,
    /// it may.
    fn claim_probe<'a>(&'a self, server: &'a ServerKey) -> BoxFuture<'a, bool>;
}

/// A model server under one key, as workers name it. It holds neither the server's address nor the key.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ServerKey(String);

impl ServerKey {
    /// The name as it was computed or heard.
    pub fn new(name: impl Into<String>) -> Self {
        Self(name.into())
    }

    /// As it is sent.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// News of another worker about a server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HeardNews {
    pub server: ServerKey,
    pub news: ServerNews,
}

/// News of one worker about a server. Times are durations from when it is heard: no two clocks are compared. Serialised as it
/// is: variants are added, never renamed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ServerNews {
    /// It does not answer: nobody asks it for so many milliseconds.
    Away { for_ms: u64 },
    /// Its rate limit has refused a request: the same.
    Refused { for_ms: u64 },
    /// It answers again.
    Back,
}

impl ServerNews {
    /// It does not answer.
    pub fn away(pause: Duration) -> Self {
        let for_ms = whole_ms(pause);
        Self::Away { for_ms }
    }

    /// Its rate limit has refused a request.
    pub fn refused(pause: Duration) -> Self {
        let for_ms = whole_ms(pause);
        Self::Refused { for_ms }
    }
}

fn whole_ms(pause: Duration) -> u64 {
    u64::try_from(pause.as_millis()).unwrap_or(u64::MAX)
}
