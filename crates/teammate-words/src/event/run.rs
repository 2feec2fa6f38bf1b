//! A run: one opening of a team, from `team_opened` to `team_closed`.

use std::fmt;

use serde::{Deserialize, Serialize};
use uuid::Uuid;

/// Names one opening of a team. Every opening has a new one; ids of later runs sort after those of earlier ones where the
/// source of ids can do that.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct RunId(Uuid);

impl RunId {
    /// A run with this id.
    pub fn new(id: Uuid) -> Self {
        Self(id)
    }
}

impl fmt::Display for RunId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

/// How a team was left when it was closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Closing {
    /// Nobody was in a turn.
    Settled,
    /// A member was in a turn, which continues when the team is opened again.
    Paused,
    /// Somebody has stopped the whole team, from another terminal.
    Stopped,
    /// A transcript or the journal could not be written.
    Storage,
}
