//! The team's budgets: what this process was opened with, and on a worker also what the user has set for all of them.

use teammate_core::budget::Budgets;

use super::Base;

impl Base {
    /// The budgets in force here, at this moment. What a worker's own settings allow is not widened by what is set for all.
    pub(crate) fn budgets(&self) -> Budgets {
        let own = self.setup.config.budgets;
        match self.deployment.shares_budgets() {
            true => own.tightened_by(self.ledger.team().budgets()),
            false => own,
        }
    }
}
