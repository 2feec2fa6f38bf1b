//! The task of one job: does the work, ends it when it shall end, and tells what came of it.

use std::{sync::Arc, time::Duration};

use teammate_core::{
    Sender,
    port::{JobRoom, Work},
    team::{Job, JobEnd, Phase},
    tool::Outcome,
};
use tokio::task::JoinSet;

use super::{Jobs, slot::Slot};

/// How long a job that was asked to end may take before it is dropped.
const PATIENCE: Duration = Duration::from_secs(5);

/// A job on its way. The team does not rest while it is there.
pub(super) struct JobTask {
    jobs: Arc<Jobs>,
    job: Job,
    slot: Arc<Slot>,
}

impl JobTask {
    pub(super) fn new(jobs: Arc<Jobs>, job: Job) -> Self {
        jobs.base.activity.job_begins();
        Self {
            jobs,
            job,
            slot: Arc::new(Slot::new()),
        }
    }

    pub(super) fn slot(&self) -> Arc<Slot> {
        self.slot.clone()
    }

    pub(super) async fn run(self, work: Work) {
        let room = JobRoom {
            output: self.jobs.output_of(&self.job),
            stopped: Box::pin(self.slot.asked()),
        };
        // A task of its own, so that a panic in it is an outcome.
        let mut working = JoinSet::new();
        working.spawn(async move { work(room).await });
        let outcome = tokio::select! {
            biased;
            Some(ended) = working.join_next() => ended.unwrap_or_else(|error| {
                Outcome::error(format!("The job crashed; this is a bug: {error}."))
            }),
            () = self.overdue() => {
                working.shutdown().await;
                Outcome::error("It did not end when it was asked to and was dropped.")
            }
        };
        let (asked, is_awaited) = self.slot.is_ending();
        let end = match asked {
            Some(end) => end,
            None if outcome.is_error => JobEnd::Failed,
            None => JobEnd::Done,
        };
        self.jobs
            .finish_job(&self.job, end, Some(&outcome), is_awaited)
            .await;
        self.slot.has_ended(outcome);
    }

    /// Resolves when the job should have ended long ago.
    async fn overdue(&self) {
        let is_over = async {
            tokio::select! {
                () = self.owner_is_gone() => {}
                () = self.jobs.base.gate_closes(&self.job.owner, self.job.closings) => {}
            }
        };
        tokio::select! {
            () = self.slot.asked() => {}
            () = is_over => self.slot.ask(JobEnd::Stopped { by: Sender::System }),
        }
        tokio::time::sleep(PATIENCE).await;
    }

    /// Resolves when the owner was stopped, or began anew without knowing of the job.
    async fn owner_is_gone(&self) {
        let mut changes = self.jobs.base.ledger.changes();
        while !self.jobs.is_gone(&self.job) {
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }
}

impl Drop for JobTask {
    fn drop(&mut self) {
        self.jobs.base.activity.job_is_over();
    }
}

impl Jobs {
    /// Whether a job's owner cannot be told any more.
    pub(super) fn is_gone(&self, job: &Job) -> bool {
        let team = self.base.ledger.team();
        team.member(&job.owner).is_none_or(|owner| {
            let is_fresh = owner.assignment.as_ref().is_some_and(|a| a.fresh);
            owner.phase == Phase::Stopped || (is_fresh && owner.incarnation > job.incarnation)
        })
    }
}
