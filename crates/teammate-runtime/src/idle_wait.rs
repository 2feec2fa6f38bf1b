//! When the team is idle: what there still is to do, besides what members are doing at this moment.

use std::sync::Arc;

use teammate_core::MemberName;

use crate::{base::Base, open_requests::OpenRequests, spending::UsageMeter};

/// Waits for rest.
pub(crate) struct IdleWait {
    base: Arc<Base>,
    meter: Arc<UsageMeter>,
    requests: Arc<OpenRequests>,
}

impl IdleWait {
    pub(crate) fn new(
        base: Arc<Base>,
        meter: Arc<UsageMeter>,
        requests: Arc<OpenRequests>,
    ) -> Self {
        Self {
            base,
            meter,
            requests,
        }
    }

    /// Resolves when the team is idle: no member in a turn, no unread mail, no background job, no ready
    /// task that a member can claim, no board notice due.
    pub(crate) async fn wait_idle(&self) {
        let is_over = || self.base.activity.has_no_jobs() && self.has_nothing_to_begin();
        self.base.activity.wait_idle(is_over).await;
    }

    /// The same, whatever runs in the background.
    pub(crate) async fn wait_members_idle(&self) {
        self.base
            .activity
            .wait_idle(|| self.has_nothing_to_begin())
            .await;
    }

    /// Resolves when members are not idle.
    pub(crate) async fn wait_members_busy(&self) {
        self.base
            .activity
            .wait_busy(|| !self.has_nothing_to_begin())
            .await;
    }

    /// The same for all but one, who waits for it; or there is pressing mail for it.
    pub(crate) async fn wait_others_idle(&self, member: &MemberName) {
        self.base
            .activity
            .wait_others_idle(member, || self.has_nothing_to_begin())
            .await;
    }

    /// While the journal cannot be written nothing can begin, so this does not wait for it.
    fn has_nothing_to_begin(&self) -> bool {
        self.base.ledger.is_broken()
            || (self.called().is_empty()
                && self.requests.all_followed()
                && !self.base.ledger.team().is_board_notice_due())
    }

    /// Who has something to do and may ask its model.
    pub(crate) fn called(&self) -> Vec<MemberName> {
        let mut poor = Vec::new();
        if !self.base.setup.config.budgets.is_empty() {
            poor.extend(
                self.base
                    .ledger
                    .team()
                    .teammates()
                    .map(|member| member.name.clone()),
            );
            poor.retain(|name| self.meter.require_budget(name).is_err());
        }
        let team = self.base.ledger.team();
        team.members_to_wake_among(|name| !poor.contains(name))
    }

    /// Whether no task can continue and the lead has no board notice about it.
    pub(crate) fn is_board_notice_due(&self) -> bool {
        !self.base.ledger.is_broken()
            && self.requests.all_followed()
            && self.base.ledger.team().is_board_notice_due()
            && self.called().is_empty()
    }
}
