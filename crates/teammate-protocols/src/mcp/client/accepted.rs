//! What was accepted of servers. Where it is kept is the program's affair.

use crate::mcp::client::{listing::Listing, settings::ServerSettings};

/// What was accepted of servers, by [`ServerSettings::fingerprint`].
pub trait Accepted: Send + Sync {
    /// What a server offered when it was accepted.
    fn of(&self, fingerprint: &str) -> Option<Listing>;

    /// The same, looked for anew: another process may have accepted it meanwhile.
    fn refreshed(&self, fingerprint: &str) -> Option<Listing> {
        self.of(fingerprint)
    }

    /// Keeps what it offers. An error is why it cannot be kept.
    fn accept(&self, settings: &ServerSettings, listing: &Listing) -> Result<(), String>;
}
