//! Somebody of a circle, as servers know it: no secrets.

use serde::{Deserialize, Serialize};

use super::CircleRole;
use crate::layout::TeamId;

/// Somebody of a circle.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Party {
    pub(super) role: CircleRole,
    /// The public half of the key that logs in.
    pub(super) login: String,
    /// The teams that a worker serves; all if there is none.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) teams: Vec<TeamId>,
}
