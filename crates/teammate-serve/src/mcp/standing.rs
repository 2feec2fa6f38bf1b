//! How a team stands, seen from another process: what a client has to know before anything else.

use teammate::{TeamClient, TeamError};

/// How a team stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Standing {
    /// Members work, or will at once.
    Working,
    /// Members work, and something waits for the user's answer.
    AsksUser,
    /// Nothing is left to do.
    Idle,
    /// Something is left to do, and no process runs the team.
    Paused,
}

impl Standing {
    /// How it stands now.
    pub(crate) async fn of(client: &TeamClient) -> Result<Self, TeamError> {
        let is_at_rest = client.is_at_rest().await?;
        Ok(match (client.host().is_some(), is_at_rest) {
            (_, true) => Self::Idle,
            (false, false) => Self::Paused,
            (true, false) if client.team().questions().next().is_some() => Self::AsksUser,
            (true, false) => Self::Working,
        })
    }

    /// The word for other programs.
    pub(crate) fn as_str(self) -> &'static str {
        match self {
            Self::Working => "working",
            Self::AsksUser => "asks_user",
            Self::Idle => "idle",
            Self::Paused => "paused",
        }
    }
}
