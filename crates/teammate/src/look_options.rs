//! How a team is looked at from another process.

use teammate_core::next_step::Wording;
use teammate_store::disk::TeamDisk;

/// How a team is looked at.
#[derive(Debug, Clone, Copy)]
pub struct LookOptions {
    /// In bytes. A file that is longer is not read: that is a [`TeamError::Storage`](crate::TeamError::Storage).
    pub read_max: u64,
    /// How warnings word what the user can do.
    pub wording: Wording,
}

impl Default for LookOptions {
    fn default() -> Self {
        Self {
            read_max: TeamDisk::READ_MAX,
            wording: Wording::default(),
        }
    }
}
