//! When the team is idle: what there still is to do, besides what members are doing at this moment.
//!
//! Members that run here are counted exactly, by [`Activity`](crate::activity::Activity). Where several workers run the team the
//! others are asked, twice, once they have said that they rest (`look`).

#[cfg(feature = "fleet")]
pub(crate) mod look;
#[cfg(feature = "fleet")]
pub(crate) mod own;

use std::sync::Arc;

use teammate_core::{MemberName, port::BoxFuture, team::Goal};

use crate::{activity::WaitEnd, base::Base, open_requests::OpenRequests, spending::UsageMeter};

/// Waits for rest.
pub(crate) struct IdleWait {
    base: Arc<Base>,
    meter: Arc<UsageMeter>,
    requests: Arc<OpenRequests>,
    /// The other workers, where there are any.
    others: Option<Box<dyn AskRest>>,
}

/// Which rest is waited for.
#[derive(Debug, Clone, Copy)]
pub(crate) enum RestKind {
    /// Members are idle and nothing runs in the background.
    Everything,
    Members,
    /// Members are idle or wait for the others.
    Stalled,
}

/// Asks other workers whether their members rest.
pub(crate) trait AskRest: Send + Sync {
    /// Whether the whole team rests, given that the members `here` do, all but `except`. If not, resolves when something has
    /// changed since.
    fn others_rest<'a>(
        &'a self,
        here: &'a IdleWait,
        wanted: RestKind,
        except: Option<&'a MemberName>,
    ) -> BoxFuture<'a, bool>;
}

impl IdleWait {
    pub(crate) fn new(
        base: Arc<Base>,
        meter: Arc<UsageMeter>,
        requests: Arc<OpenRequests>,
        others: Option<Box<dyn AskRest>>,
    ) -> Self {
        Self {
            base,
            meter,
            requests,
            others,
        }
    }

    /// Resolves when the team is idle: no member in a turn, no unread mail, no background job, no ready
    /// task that a member can claim, no board notice due, no goal to go on for.
    pub(crate) async fn wait_idle(&self) {
        let is_over = || self.base.activity.has_no_jobs() && self.has_reached_its_end();
        loop {
            self.base.activity.wait_idle(is_over).await;
            if self.others_rest(RestKind::Everything, None).await {
                return;
            }
        }
    }

    /// Waits until all members are idle, whatever runs in the background.
    pub(crate) async fn wait_members_idle(&self) {
        loop {
            self.base
                .activity
                .wait_idle(|| self.has_reached_its_end())
                .await;
            if self.others_rest(RestKind::Members, None).await {
                return;
            }
        }
    }

    /// Resolves when the team would rest, but for this goal.
    pub(crate) async fn wait_goal_due(&self) -> Goal {
        let goal = || self.base.ledger.team().goal_in_force().cloned();
        let is_due =
            || self.base.activity.has_no_jobs() && self.has_nothing_to_begin() && goal().is_some();
        loop {
            self.base.activity.wait_idle(is_due).await;
            if self.others_rest(RestKind::Everything, None).await
                && let Some(goal) = goal()
            {
                return goal;
            }
        }
    }

    pub(crate) async fn wait_members_busy(&self) {
        self.base
            .activity
            .wait_busy(|| !self.has_nothing_to_begin() || self.base.is_busy_elsewhere())
            .await;
    }

    /// Waits until all others are idle, for a member that waits for that; or there is pressing mail for it.
    pub(crate) async fn wait_others_idle(&self, member: &MemberName) {
        let _waits = self.base.activity.waiting(member);
        loop {
            let ended = self
                .base
                .activity
                .wait_others_idle(member, || self.has_nothing_to_begin())
                .await;
            if ended == WaitEnd::Mail || self.others_rest(RestKind::Members, Some(member)).await {
                return;
            }
        }
    }

    /// Resolves when no task can continue, the lead has no board notice about it, and members wait only for each other.
    pub(crate) async fn wait_stalled(&self) {
        loop {
            self.base
                .activity
                .wait_stalled(|| self.is_board_notice_due())
                .await;
            if self.others_rest(RestKind::Stalled, None).await {
                return;
            }
        }
    }

    /// Whether the whole team rests, given that the members here do: at once, where no other worker runs any.
    async fn others_rest(&self, wanted: RestKind, except: Option<&MemberName>) -> bool {
        match &self.others {
            Some(others) => others.others_rest(self, wanted, except).await,
            None => true,
        }
    }

    /// While the journal cannot be written nothing can begin, so this does not wait for it.
    fn has_nothing_to_begin(&self) -> bool {
        self.cannot_record()
            || (self.has_nothing_of_its_own_to_begin()
                && !self.base.ledger.team().is_board_notice_due())
    }

    /// Whether there is nothing to begin, and no goal that the team goes on for.
    fn has_reached_its_end(&self) -> bool {
        let has_goal = || self.base.ledger.team().goal_in_force().is_some();
        self.has_nothing_to_begin() && (self.cannot_record() || !has_goal())
    }

    /// Whether the journal cannot be written. An engine answers again, and what waits for it then begins: nobody else would look.
    fn cannot_record(&self) -> bool {
        self.base.ledger.is_broken() && !self.base.deployment.retries_store()
    }

    /// Whether nothing is left that this process has to begin or to follow.
    fn has_nothing_of_its_own_to_begin(&self) -> bool {
        let called = self.called();
        !called.iter().any(|member| self.base.is_placed_here(member))
            && self.requests.all_followed()
    }

    /// The members that have something to do and may ask their model.
    pub(crate) fn called(&self) -> Vec<MemberName> {
        let mut poor = Vec::new();
        if !self.base.budgets().is_empty() {
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
    fn is_board_notice_due(&self) -> bool {
        !self.cannot_record()
            && self.requests.all_followed()
            && self.base.ledger.team().is_board_notice_due()
            && self.called().is_empty()
    }
}

#[cfg(test)]
mod tests;
