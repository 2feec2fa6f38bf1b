//! Follows a job that a team was given until it has settled, and reports on it.

use teammate_runtime::EventFeed;

use super::Team;
use crate::{RunOutcome, RunReport, run_report::Account};

/// A job that is followed to its end, over one answer of the lead or several.
pub struct TeamWatch {
    feed: EventFeed,
    account: Account,
}

impl TeamWatch {
    pub(super) fn of(feed: EventFeed) -> Self {
        Self {
            feed,
            account: Account::default(),
        }
    }

    /// Waits until the team is done, cannot continue, or `cut` resolves, which decides the outcome. May be called
    /// again after more work was given; the report covers all of it.
    pub async fn wait_report(
        &mut self,
        team: &Team,
        cut: impl Future<Output = RunOutcome>,
    ) -> RunReport {
        self.account.note_goal(&team.host.team());
        let how = tokio::select! {
            // A stopped member is idle, too: that is not the end of the job.
            biased;
            how = cut => Some(how),
            () = team.host.storage_fails() => None,
            () = self.follow(team.wait_done()) => None,
        };
        while let Some(event) = self.feed.try_next() {
            self.account.take(&event);
        }
        let how = how.or_else(|| team.host.storage_failure().map(RunOutcome::Storage));
        let how = how.unwrap_or_else(|| self.account.how(&team.host.team()));
        self.account
            .report(how, team.host.session_spending(), team.run_id())
    }

    /// Takes events until `end`, or until the feed ends.
    async fn follow(&mut self, end: impl Future<Output = ()>) {
        tokio::pin!(end);
        loop {
            tokio::select! {
                biased;
                event = self.feed.next() => match event {
                    Some(event) => self.account.take(&event),
                    None => return,
                },
                () = &mut end => return,
            }
        }
    }
}
