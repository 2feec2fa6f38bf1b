//! The pause of the whole team, and its end. It is in the journal: a team that is opened while it lasts stays paused.

use teammate_core::{name::DeviceName, team::Command};

use super::UserVerb;
use crate::{Team, TeamClient, TeamError};

/// Pauses the team: nobody's model is asked, and idle members take neither mail nor tasks, until it goes on. What was asked for
/// before is answered and carried out; mail waits. Nothing happens if it is paused.
#[derive(Debug, Clone, Default)]
pub struct Pause {
    /// The device of the user's that this comes from, if it is none of its terminals.
    pub device: Option<DeviceName>,
}

/// Has a paused team go on. Nothing happens if it is not paused.
#[derive(Debug, Clone, Default)]
pub struct Continue {
    /// The device of the user's that this comes from, if it is none of its terminals.
    pub device: Option<DeviceName>,
}

impl UserVerb for Pause {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        Ok(team
            .host
            .decide_as_user(Command::Pause(self.device))
            .await?)
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        client.require_user()?;
        client.decide(&Command::Pause(self.device)).await
    }
}

impl UserVerb for Continue {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        Ok(team
            .host
            .decide_as_user(Command::Continue(self.device))
            .await?)
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        client.require_user()?;
        client.decide(&Command::Continue(self.device)).await
    }
}
