//! What the user demands of the workers that run the team.

use teammate_core::team::{Command, Demand, PlaceCommand};

use super::TeamClient;
use crate::TeamError;

impl TeamClient {
    /// Changes what the team demands of its workers, as the user.
    ///
    /// Errors: it cannot be written.
    pub async fn demand(&mut self, demand: Demand) -> Result<(), TeamError> {
        self.decide(&Command::Place(PlaceCommand::Demand(demand)))
            .await
    }
}
