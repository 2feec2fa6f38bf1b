//! The table `[schedules]` of the configuration.

use serde::Deserialize;

/// Whether schedules fire.
#[derive(Deserialize, Debug, Clone, Default)]
#[serde(deny_unknown_fields, default)]
pub(super) struct SchedulesTable {
    enabled: Option<bool>,
}

impl SchedulesTable {
    /// Unless it is said, they do not.
    pub(super) fn is_enabled(&self) -> bool {
        self.enabled.unwrap_or(false)
    }
}
