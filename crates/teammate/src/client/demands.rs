//! The user's demands on the workers that run the team, and what they may do without asking.

use teammate_core::team::{Command, PlaceCommand, WallDemand};

use super::TeamClient;
use crate::TeamError;

impl TeamClient {
    /// Changes what the team demands of its workers, as the user.
    ///
    /// Errors: it cannot be written.
    pub async fn demand(&mut self, demand: WallDemand) -> Result<(), TeamError> {
        self.decide(&Command::Place(PlaceCommand::Demand(demand)))
            .await
    }

    /// Takes back a rule that an "always" made for all workers, by its text; false if it is none of them.
    ///
    /// Errors: it cannot be written.
    pub async fn drop_rule(&mut self, rule: &str) -> Result<bool, TeamError> {
        let is_known = self.team().standing_rules().has(rule);
        if is_known {
            self.decide(&Command::DropRule(rule.to_owned())).await?;
        }
        Ok(is_known)
    }
}
