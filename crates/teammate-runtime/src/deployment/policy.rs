//! The consequences of how a team is run, one answer for each question that parts of the runtime have.

use super::Deployment;

impl dyn Deployment {
    /// Whether opening the team here is the team's opening: what an earlier process left for its own end is over, and the lead's
    /// conversation is chosen. A fleet goes on when one of its workers is lost or joins.
    pub(crate) fn opens_team(&self) -> bool {
        !self.is_fleet()
    }

    /// Whether a member may have run elsewhere before, or runs there by now: its mail, its jobs and its last turn may be those of
    /// another process.
    pub(crate) fn moves_members(&self) -> bool {
        self.is_fleet()
    }

    /// Whether members begin here because the journal places them here, and not at the call that spawns them.
    pub(crate) fn begins_by_journal(&self) -> bool {
        self.is_fleet()
    }

    /// Whether a store that does not answer is asked again: servers come back, and nobody opens the team anew when they do. A disk
    /// that fails is not asked again before the team is opened again.
    pub(crate) fn retries_store(&self) -> bool {
        self.is_fleet()
    }

    /// Whether an "always" stands in the journal, for all processes, and not in the user's rule book.
    pub(crate) fn keeps_rules_in_journal(&self) -> bool {
        self.is_fleet()
    }

    /// Whether others spend of the same budgets, so that what is spent here is reported in time.
    pub(crate) fn shares_budgets(&self) -> bool {
        self.is_fleet()
    }

    /// Whether each process carries out its part of what concerns all members.
    pub(crate) fn shares_orders(&self) -> bool {
        self.is_fleet()
    }

    /// Whether moments that an earlier process wrote can be compared with this one's clock.
    pub(crate) fn has_one_clock(&self) -> bool {
        !self.is_fleet()
    }

    fn is_fleet(&self) -> bool {
        self.worker().is_some()
    }
}
