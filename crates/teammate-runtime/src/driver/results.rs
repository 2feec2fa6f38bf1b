//! How the lead, when idle, hears of results: those that come within a moment of each other together, so that it begins one turn
//! for all. Questions, and whatever else is for it, it hears at once.

use std::time::Duration;

use teammate_core::MemberName;
use tokio::time::Instant;

use super::{Driver, sleep_until};
use crate::base::Base;

/// How long the first result waits for more while others work. What the lead decides takes a model longer than that.
const TOGETHER_WITHIN: Duration = Duration::from_secs(1);

impl Driver {
    /// Mail has arrived. True if it waits for more.
    pub(super) fn collects_results(&mut self) -> bool {
        let collects = self.name.is_lead()
            && self.agent.is_idle()
            && self
                .base
                .activity
                .has_only_results_while_others_work(&self.name, || self.base.is_busy_elsewhere());
        if collects {
            self.results_until
                .get_or_insert_with(|| Instant::now() + TOGETHER_WITHIN);
        }
        collects
    }
}

/// Resolves when the lead hears what it has: no other member works, something else came, or time is over.
pub(super) async fn collected(base: &Base, lead: &MemberName, until: Option<Instant>) {
    tokio::select! {
        () = sleep_until(until) => {}
        () = base.activity.until_more_than_results(lead, || base.is_busy_elsewhere()) => {}
    }
}
