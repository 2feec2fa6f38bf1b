//! How long servers are waited for.

use std::time::Duration;

/// The limits. Ours, not the protocol's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ServerTimeouts {
    /// For the first answers of a server that starts.
    pub start: Duration,
    /// For an answer to a first request that it may not know, before it is asked as earlier protocols do.
    pub probe: Duration,
    /// For one page of a list.
    pub page: Duration,
    /// For a server that no longer is needed to end by itself, and again to stop when it is asked.
    pub grace: Duration,
    /// For word that the tools have changed, where one is missing.
    pub change: Duration,
}

impl Default for ServerTimeouts {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(15),
            probe: Duration::from_secs(2),
            page: Duration::from_secs(10),
            grace: Duration::from_secs(2),
            change: Duration::from_millis(300),
        }
    }
}
