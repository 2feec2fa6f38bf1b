//! The task of one job: runs it, stops it on request, sends the notice.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    Sender,
    port::{JobContext, JobFuture},
    team::{Job, JobEnd, MemberPhase},
    tool::Outcome,
};
use tokio::task::{JoinError, JoinSet};

use super::{JobRunner, control::JobControl};

/// How long a job that was asked to end may take before it is dropped.
const STOP_GRACE: Duration = Duration::from_secs(5);

/// A job on its way. The team does not rest while it is there.
pub(super) struct JobRun {
    jobs: Arc<JobRunner>,
    job: Job,
    slot: Arc<JobControl>,
}

impl JobRun {
    pub(super) fn new(jobs: Arc<JobRunner>, job: Job) -> Self {
        jobs.base.activity.job_started();
        Self {
            jobs,
            job,
            slot: Arc::new(JobControl::new()),
        }
    }

    pub(super) fn slot(&self) -> Arc<JobControl> {
        self.slot.clone()
    }

    pub(super) async fn run(self, work: JobFuture) {
        let slot = self.slot.clone();
        let room = JobContext {
            serves_by: Box::new(move |look| slot.serves_by(look)),
            output: self.jobs.output_of(&self.job),
            stopped: Box::pin(self.slot.stop_requested()),
        };
        // In its own task, so that a panic becomes an outcome.
        let mut working = JoinSet::new();
        working.spawn(async move { work(room).await });
        let outcome = tokio::select! {
            biased;
            Some(ended) = working.join_next() => ended.unwrap_or_else(crashed),
            () = self.wait_overdue() => {
                working.shutdown().await;
                Outcome::error("It did not end when it was asked to and was dropped.")
            }
        };
        let (asked, is_awaited) = self.slot.begin_ending();
        let end = match asked {
            Some(end) => end,
            None if outcome.is_error => JobEnd::Failed,
            None => JobEnd::Done,
        };
        self.jobs
            .finish_job(&self.job, end, Some(&outcome), is_awaited)
            .await;
        self.slot.finish(outcome);
    }

    /// Resolves when the job should have ended long ago.
    async fn wait_overdue(&self) {
        let is_over = async {
            tokio::select! {
                () = self.wait_owner_stopped() => {}
                () = self.jobs.base.gate_closes(&self.job.owner, self.job.closings) => {}
            }
        };
        tokio::select! {
            () = self.slot.stop_requested() => {}
            () = is_over => self.slot.request_stop(JobEnd::Stopped { by: Sender::System }),
        }
        tokio::time::sleep(STOP_GRACE).await;
    }

    /// Resolves when the owner was stopped, or began anew without knowing of the job.
    async fn wait_owner_stopped(&self) {
        let mut changes = self.jobs.base.ledger.changes();
        while !self.jobs.owner_stopped(&self.job) {
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

impl Drop for JobRun {
    fn drop(&mut self) {
        self.jobs.base.activity.job_is_over();
    }
}

impl JobRunner {
    /// True if a job's owner has stopped, so that a notice would not be read.
    pub(super) fn owner_stopped(&self, job: &Job) -> bool {
        let team = self.base.ledger.team();
        team.member(&job.owner).is_none_or(|owner| {
            let is_fresh = owner.assignment.as_ref().is_some_and(|a| a.fresh);
            owner.phase == MemberPhase::Stopped || (is_fresh && owner.incarnation > job.incarnation)
        })
    }
}

/// The outcome of a job with a bug, in the bug's own words: the number of its task, which the error names, is another one in each
/// process.
fn crashed(error: JoinError) -> Outcome {
    let panic = error.try_into_panic().ok();
    let text = panic.as_ref().and_then(|panic| {
        let fixed = panic.downcast_ref::<&str>().copied();
        fixed.or_else(|| panic.downcast_ref::<String>().map(String::as_str))
    });
    let why = text.map(|text| format!(": {text}")).unwrap_or_default();
    Outcome::error(format!("The job crashed; this is a bug{why}."))
}
