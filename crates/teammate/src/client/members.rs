//! Budgets, set from another process.

use teammate_core::{budget::Budgets, team::Command};

use super::TeamClient;
use crate::TeamError;

impl TeamClient {
    /// Sets what may be spent on all workers that run the team, in place of what was set before. Members that a budget has stopped
    /// go on. A worker's own settings count, too: of each limit the lower one.
    pub async fn set_budgets(&mut self, budgets: Budgets) -> Result<(), TeamError> {
        self.decide(&Command::SetBudgets(budgets)).await
    }
}
