//! Budgets of several workers: a worker's part in that they hold for the team as a whole, whichever workers its members run
//! on.
//!
//! **Tabs**: an answer is handed over at once if the team's budget would be near with as much on everybody's tab; when others hand
//! something over, the tabs here are looked at again. So either the budget is not near, or the journal counts everything.
//!
//! **Time**: the time of the team is counted by the worker that holds the lead, by who is in a turn anywhere, and handed over in the
//! lead's name. So it is counted once, and that of a worker that has lost the lead is refused with its other commands.

use std::time::Duration;

use teammate_core::{
    MemberName,
    lock::Hold,
    team::{ActiveTime, Command, Member, MemberPhase, TeamState, UsageItem, UsageReport},
};
use tokio::time::sleep;

use super::UsageMeter;
use crate::spending::stopwatch::Stopwatch;

/// How much of the team's time is handed over at once: budgets count whole minutes.
const MINUTE: Duration = Duration::from_secs(60);

impl UsageMeter {
    /// Whether the team's time is handed over with this member's.
    pub(super) fn flushes_time(&self, name: &MemberName) -> bool {
        !self.base.deployment.shares_budgets() || name.is_lead()
    }

    /// Whether other workers must know of a member's tab before its next request.
    pub(crate) fn must_flush(&self, name: &MemberName) -> bool {
        let (budgets, prices) = (self.base.budgets(), &self.base.setup.config.prices);
        if !self.base.deployment.shares_budgets() || budgets.is_empty() {
            return false;
        }
        let team = self.base.ledger.team();
        let counted = team.spending().counted(name);
        let tab: Vec<UsageItem> = match self.running.hold().tabs.get(name) {
            Some(tab) => tab
                .iter()
                .filter(|item| item.at >= counted)
                .cloned()
                .collect(),
            None => Vec::new(),
        };
        let members = team
            .members()
            .filter(|member| member.phase != MemberPhase::Stopped);
        !tab.is_empty() && budgets.is_near_if(team.spending(), prices, &tab, members.count())
    }

    /// The team has changed, here or on another worker.
    pub(crate) fn team_changed(&self) {
        if !self.base.deployment.shares_budgets() {
            return;
        }
        self.count_team_time();
        let team = self.base.ledger.team();
        let members: Vec<MemberName> = self.running.hold().tabs.keys().cloned().collect();
        let here = members.iter().filter(|name| self.base.is_mine(name));
        for name in here.filter(|name| self.must_flush(name)) {
            let life = team.member(name).map(|member| member.incarnation);
            if let Some(tab) = life.and_then(|life| self.take_pending(name, life)) {
                self.base.ledger.submit(tab);
            }
        }
        self.warn_of_team();
    }

    /// The user has set other budgets: what is near them is said anew.
    pub(crate) fn budgets_set(&self) {
        self.running.hold().warned.clear();
    }

    /// Resolves when a minute of the team's time is to be handed over; never, where it is not counted here.
    pub(crate) async fn minute_is_full(&self) {
        let counted = {
            let running = self.running.hold();
            let is_counted = self.base.deployment.shares_budgets() && running.team.is_running();
            is_counted.then(|| Duration::from_millis(running.team.read()))
        };
        match counted {
            Some(counted) => sleep(MINUTE.saturating_sub(counted)).await,
            None => std::future::pending().await,
        }
    }

    /// Hands the team's time over.
    pub(crate) fn flush_time(&self) {
        let team = self.base.ledger.team();
        let lead = MemberName::lead();
        let Some(life) = team.member(&lead).map(|member| member.incarnation) else {
            return;
        };
        let active_time = self.running.hold().take_team_time(&lead);
        if active_time.team > 0 {
            self.base.ledger.submit(Command::RecordUsage(UsageReport {
                member: lead,
                incarnation: life,
                totals: Vec::new(),
                active_time,
                part: None,
            }));
        }
    }

    /// Counts while somebody is in a turn, if the lead is held here.
    fn count_team_time(&self) {
        let (team, is_counted) = (self.base.ledger.team(), self.base.has_lead());
        let works = is_counted && team.members().any(|member| is_in_turn(&team, member));
        let has_ended = {
            let running = &mut *self.running.hold();
            if !is_counted {
                // The worker that has the lead now counts on.
                running.team = Stopwatch::default();
            }
            let was = running.team.is_running();
            if was != works {
                running.team.set_running(works);
            }
            was && !works
        };
        if has_ended {
            self.flush_time();
        }
    }

    fn warn_of_team(&self) {
        let (budgets, lead) = (self.base.budgets(), MemberName::lead());
        if budgets.is_empty() || !self.base.has_lead() {
            return;
        }
        let prices = &self.base.setup.config.prices;
        let near = budgets.statuses(&self.spending(), prices, &lead);
        for standing in near.iter().filter(|standing| !standing.is_reached) {
            self.warn_once(&lead, standing);
        }
    }
}

/// Whether a member is in a turn on some worker.
fn is_in_turn(team: &TeamState, member: &Member) -> bool {
    let is_working = match member.phase {
        MemberPhase::Working | MemberPhase::Waiting(_) => true,
        MemberPhase::Starting | MemberPhase::Idle { .. } | MemberPhase::Stopped => false,
    };
    let placement = team.places().placement(&member.name);
    is_working && placement.is_some_and(|placement| placement.worker.is_some())
}

impl super::SessionUsage {
    fn take_team_time(&mut self, lead: &MemberName) -> ActiveTime {
        let worked = ActiveTime {
            member: 0,
            team: self.team.take(),
        };
        self.session.add_active_time(lead, worked);
        worked
    }
}
