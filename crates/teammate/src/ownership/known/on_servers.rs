//! The seal of teams on servers that one user has alone.

use teammate_store::seal::HmacSeal;

use super::KnownTeams;

/// The purpose in the derivation of the keys of teams on servers.
const ABOUT: &[u8] = b"teammate servers 1\n";

impl KnownTeams {
    /// Seals what this user's processes write to servers of this machine: under this name, in all of them alike. `None` if the next
    /// process has another key.
    pub(crate) fn seal_on_servers(&self, name: &str) -> Option<HmacSeal> {
        self.are_kept()
            .then(|| self.derived(ABOUT, name.as_bytes()))
    }
}
