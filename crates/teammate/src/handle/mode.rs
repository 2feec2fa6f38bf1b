//! How much members may do without asking.

use teammate_core::{permission::Mode, team::UserOrder};

use super::UserVerb;
use crate::{Team, TeamClient, TeamError};

/// Chooses another permission mode for the team, until it is closed: from the next call of any member on.
#[derive(Debug, Clone, Copy)]
pub struct ChooseMode(pub Mode);

impl UserVerb for ChooseMode {
    type Done = ();

    async fn here(self, team: &Team) -> Result<(), TeamError> {
        Ok(team.host.choose_mode(self.0).await?)
    }

    async fn there(self, client: &mut TeamClient) -> Result<(), TeamError> {
        client.order(UserOrder::Mode { mode: self.0 }).await
    }
}
