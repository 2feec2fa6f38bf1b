//! The table `[memory]` of the configuration.

use serde::Deserialize;

/// Whether members keep notes across teams.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct MemoryTable {
    enabled: Option<bool>,
}

impl MemoryTable {
    /// Unless it is said, they keep none.
    pub(super) fn is_enabled(&self) -> bool {
        self.enabled.unwrap_or(false)
    }
}
