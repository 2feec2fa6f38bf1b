//! When the team rests: what there still is to do, besides what members are doing at this moment.

use std::sync::Arc;

use teammate_core::MemberName;

use crate::{base::Base, open_requests::OpenRequests, spending::Meter};

/// Waits for rest.
pub(crate) struct Rest {
    base: Arc<Base>,
    meter: Arc<Meter>,
    requests: Arc<OpenRequests>,
}

impl Rest {
    pub(crate) fn new(base: Arc<Base>, meter: Arc<Meter>, requests: Arc<OpenRequests>) -> Self {
        Self {
            base,
            meter,
            requests,
        }
    }

    /// Resolves when nobody works, no mail waits, nothing runs in the background, and nothing on the board can be begun or
    /// is to be told.
    pub(crate) async fn at_rest(&self) {
        let is_over = || self.base.activity.has_no_jobs() && self.has_nothing_to_begin();
        self.base.activity.at_rest(is_over).await;
    }

    /// The same, whatever runs in the background.
    pub(crate) async fn members_at_rest(&self) {
        self.base
            .activity
            .at_rest(|| self.has_nothing_to_begin())
            .await;
    }

    /// Resolves when members are not at rest.
    pub(crate) async fn members_stir(&self) {
        self.base
            .activity
            .is_stirred(|| !self.has_nothing_to_begin())
            .await;
    }

    /// The same for all but one, who waits for it; or there is pressing mail for it.
    pub(crate) async fn others_at_rest(&self, member: &MemberName) {
        self.base
            .activity
            .others_at_rest(member, || self.has_nothing_to_begin())
            .await;
    }

    /// What the journal does not take cannot be begun or told: nobody waits for that.
    fn has_nothing_to_begin(&self) -> bool {
        self.base.ledger.is_broken()
            || (self.called().is_empty()
                && self.requests.all_followed()
                && !self.base.ledger.team().has_board_news())
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
            poor.retain(|name| self.meter.may_spend(name).is_err());
        }
        let team = self.base.ledger.team();
        team.called_among(|name| !poor.contains(name))
    }

    /// Whether nothing goes on any more, and the lead does not know how the board stands.
    pub(crate) fn has_news_for_lead(&self) -> bool {
        !self.base.ledger.is_broken()
            && self.requests.all_followed()
            && self.base.ledger.team().has_board_news()
            && self.called().is_empty()
    }
}
