//! The end of what a member has running when its plan gate is closed over it: background jobs, the calls of this moment with
//! the subagents in them, and the processes that earlier commands left.

use std::{collections::BTreeMap, sync::Arc};

use teammate_core::{
    MemberName,
    team::{Job, JobId},
};

use crate::{base::Base, jobs::JobRunner};

/// Waits for the end of everything that a member had running when its gate was closed. Returns the background jobs
/// among them.
pub(crate) async fn halted(base: &Base, jobs: &JobRunner, name: &MemberName) -> Vec<Job> {
    let stopped = to_stop(base, name);
    for job in &stopped {
        wait_job_ended(base, jobs, job.id).await;
    }
    base.end_processes(name).await;
    stopped
}

/// The background jobs that a member had running when its gate was closed.
pub(crate) fn to_stop(base: &Base, name: &MemberName) -> Vec<Job> {
    let team = base.ledger.team();
    let closings = team.member(name).map_or(0, |member| member.closings);
    let running = team.jobs().running_of(name);
    let began_before = running.filter(|job| job.closings < closings);
    began_before.cloned().collect()
}

async fn wait_job_ended(base: &Base, jobs: &JobRunner, job: JobId) {
    let mut changes = base.ledger.changes();
    loop {
        let team = changes.borrow_and_update().clone();
        if let Some(slot) = jobs.slot(job) {
            return slot.ended().await;
        }
        let known = team.jobs().get(job);
        let is_running = known.is_some_and(|job| job.end.is_none());
        // One that has begun a moment ago has no slot yet, but its end is noted.
        if !is_running || changes.changed().await.is_err() {
            return;
        }
    }
}

/// Notices closed gates, even if no call waits for it.
pub(crate) struct Closings(BTreeMap<MemberName, u32>);

impl Closings {
    pub(crate) fn of(base: &Base) -> Self {
        let team = base.ledger.team();
        let members = team.teammates();
        Self(
            members
                .map(|member| (member.name.clone(), member.closings))
                .collect(),
        )
    }

    /// Ends what members left running whose gates were closed since the last look.
    pub(crate) fn look(&mut self, base: &Arc<Base>, jobs: &Arc<JobRunner>) {
        let now = Self::of(base);
        for (name, closings) in &now.0 {
            let is_closed = self.0.get(name).is_some_and(|before| before < closings);
            if is_closed && base.is_duty(name) {
                let (base, jobs, name) = (base.clone(), jobs.clone(), name.clone());
                drop(tokio::spawn(
                    async move { halted(&base, &jobs, &name).await },
                ));
            }
        }
        *self = now;
    }
}
