//! Jobs of members that move to another worker, and of those here whose lead runs on another.

use std::time::Duration;

use teammate_core::{
    MemberName, Sender,
    lock::Hold,
    port::JobOutcome,
    team::{JobEnd, JobId},
};

use super::JobRunner;

impl JobRunner {
    /// Ends a member's jobs as in a crash: who takes the member over tells of them.
    pub(crate) fn drop_of(&self, owner: &MemberName) {
        self.state.hold().members.remove(owner);
    }

    /// The lead on another worker looks at a job of this one, for so long at most, or ends it.
    pub(crate) async fn for_lead_elsewhere(
        &self,
        job: JobId,
        wait: Option<Duration>,
    ) -> Option<JobOutcome> {
        let slot = self.slot(job)?;
        match wait {
            Some(wait) => slot.wait(wait, false).await,
            None => {
                let by = Sender::Member(MemberName::lead());
                slot.request_stop(JobEnd::Stopped { by });
                slot.ended().await;
            }
        }
        slot.outcome().map(|outcome| JobOutcome {
            text: outcome.text(),
            is_error: outcome.is_error,
        })
    }
}
