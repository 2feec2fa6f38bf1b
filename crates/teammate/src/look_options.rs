//! How a team is looked at from another process.

use std::sync::Arc;

use teammate_core::{next_step::Wording, secrets::Secrets};
use teammate_store::disk::TeamDisk;

/// How a team is looked at.
#[derive(Debug, Clone)]
pub struct LookOptions {
    /// In bytes. A file that is longer is not read: that is a [`TeamError::Storage`](crate::TeamError::Storage).
    pub read_max: u64,
    /// How warnings word what the user can do.
    pub wording: Wording,
    /// Secrets that are kept out of all that the user says and asks from here, besides those of the environment:
    /// [`Providers::held_secrets`](crate::Providers::held_secrets).
    pub secrets: Arc<Secrets>,
}

impl Default for LookOptions {
    fn default() -> Self {
        Self {
            read_max: TeamDisk::READ_MAX,
            wording: Wording::default(),
            secrets: Arc::default(),
        }
    }
}
