//! The end of what a member has running when its plan gate is closed over it: background jobs, the calls of this moment with
//! the subagents in them, and the processes that earlier commands left.
//!
//! The journal's fold counts the closings. Jobs and calls keep the count with which they began and end themselves when it
//! rises, so nothing that began before slips through, whichever process closed the gate.

use std::{collections::BTreeMap, sync::Arc};

use teammate_core::{
    MemberName,
    team::{Job, JobId},
    tool::Outcome,
};

use crate::host::Shared;

/// What a call comes to that was cut because its member's gate was closed.
pub(crate) fn cut_by_gate() -> Outcome {
    Outcome::error(
        "Stopped: your plan gate was closed while this ran, and you may only read until a plan of yours is approved. It may have done \
         part of its work; look before you plan.",
    )
}

impl Shared {
    /// How often a member's gate was closed over what it does.
    pub(crate) fn closings(&self, name: &MemberName) -> u32 {
        let team = self.ledger.team();
        team.member(name).map_or(0, |member| member.closings)
    }

    /// Resolves when a member's gate is closed once more than so often.
    pub(crate) async fn gate_closes(&self, name: &MemberName, closings: u32) {
        let mut changes = self.ledger.changes();
        while self.closings(name) <= closings {
            if changes.changed().await.is_err() {
                std::future::pending::<()>().await;
            }
        }
    }

    /// Waits until all that a member had running when its gate was closed is gone. Returns the background jobs among it.
    pub(crate) async fn halted(&self, name: &MemberName) -> Vec<Job> {
        let jobs: Vec<Job> = {
            let team = self.ledger.team();
            let closings = team.member(name).map_or(0, |member| member.closings);
            let running = team.jobs().running_of(name);
            running
                .filter(|job| job.closings < closings)
                .cloned()
                .collect()
        };
        for job in &jobs {
            self.job_is_gone(job.id).await;
        }
        self.end_processes(name).await;
        jobs
    }

    async fn job_is_gone(&self, job: JobId) {
        let mut changes = self.ledger.changes();
        loop {
            changes.borrow_and_update();
            if let Some(slot) = self.jobs.slot(job) {
                return slot.ended().await;
            }
            let is_running = {
                let team = self.ledger.team();
                let known = team.jobs().get(job);
                known.is_some_and(|job| job.end.is_none())
            };
            // One that has begun a moment ago has no slot yet, but its end is noted.
            if !is_running || changes.changed().await.is_err() {
                return;
            }
        }
    }
}

/// Sees gates close, also where nobody waits for it.
pub(crate) struct Closings(BTreeMap<MemberName, u32>);

impl Closings {
    pub(crate) fn of(shared: &Shared) -> Self {
        let team = shared.ledger.team();
        let members = team.teammates();
        Self(
            members
                .map(|member| (member.name.clone(), member.closings))
                .collect(),
        )
    }

    /// Ends what those have left running whose gates were closed since the last look.
    pub(crate) fn look(&mut self, shared: &Arc<Shared>) {
        let now = Self::of(shared);
        for (name, closings) in &now.0 {
            if self.0.get(name).is_some_and(|before| before < closings) {
                let (shared, name) = (shared.clone(), name.clone());
                drop(tokio::spawn(async move { shared.halted(&name).await }));
            }
        }
        *self = now;
    }
}
