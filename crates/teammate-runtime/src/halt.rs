//! The end of what a member has running when its plan gate is closed over it: background jobs, the calls of this moment with
//! the subagents in them, and the processes that earlier commands left.

use std::{collections::BTreeMap, sync::Arc, time::Duration};

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::{FleetAnswer, FleetQuestion},
    team::{Job, JobId},
};

use crate::{
    base::{Base, Runner},
    jobs::JobRunner,
};

/// How long another worker has to end all that: longer than a job may take that is asked to end.
const HALTS_WITHIN: Duration = Duration::from_secs(15);

/// Waits for the end of everything that a member had running when its gate was closed. Returns the background jobs
/// among them. Where another worker runs the member, the user hears if it does not say that all has ended.
pub(crate) async fn halted(base: &Base, jobs: &JobRunner, name: &MemberName) -> Vec<Job> {
    let stopped = begun_before(base, name);
    if let Runner::Worker(worker) = base.runner(name) {
        ask_to_halt(base, &worker, name).await;
        return stopped;
    }
    for job in &stopped {
        wait_job_ended(base, jobs, job.id).await;
    }
    base.end_processes(name).await;
    stopped
}

/// A member's jobs that began before its gate was closed.
fn begun_before(base: &Base, name: &MemberName) -> Vec<Job> {
    let team = base.ledger.team();
    let closings = team.member(name).map_or(0, |member| member.closings);
    let running = team.jobs().running_of(name);
    let began_before = running.filter(|job| job.closings < closings);
    began_before.cloned().collect()
}

async fn ask_to_halt(base: &Base, worker: &WorkerName, name: &MemberName) {
    let question = FleetQuestion::HasHalted {
        member: name.clone(),
    };
    let why = match base.ask_worker(worker, &question, HALTS_WITHIN).await {
        Ok(FleetAnswer::Halted) => return,
        Ok(
            FleetAnswer::Pong
            | FleetAnswer::Job { .. }
            | FleetAnswer::NotHere
            | FleetAnswer::Unknown,
        ) => format!("the worker '{worker}' runs it no more"),
        Err(why) => why,
    };
    let text = format!("it may only read, but what it had running may not have ended yet: {why}");
    base.feed.note(name, text);
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
        for (name, closings) in now.0.iter().filter(|(name, _)| base.is_mine(name)) {
            if self.0.get(name).is_some_and(|before| before < closings) {
                let (base, jobs, name) = (base.clone(), jobs.clone(), name.clone());
                drop(tokio::spawn(
                    async move { halted(&base, &jobs, &name).await },
                ));
            }
        }
        *self = now;
    }
}
