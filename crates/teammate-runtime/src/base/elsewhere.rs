//! Where members run, in a team that several workers run.

use std::collections::{BTreeMap, BTreeSet};

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::WorkerSummary,
    team::{JoinedWorker, Member, MemberPhase, Waiting},
};

use super::Base;

impl Base {
    /// Whether the journal has a member held here, perhaps before it was taken over; always, if this process runs the team alone.
    pub(crate) fn is_placed_here(&self, member: &MemberName) -> bool {
        let Some(role) = &self.ports.worker else {
            return true;
        };
        let team = self.ledger.team();
        let placement = team.places().placement(member);
        placement.is_some_and(|placement| placement.worker.as_ref() == Some(&role.name))
    }

    /// The workers that are there, and get members.
    pub(crate) fn workers(&self) -> Vec<WorkerSummary> {
        if self.ports.worker.is_none() {
            return Vec::new();
        }
        let (team, unfit) = (self.ledger.team(), self.deployment.unfit());
        let places = team.places();
        let joined = places.workers().filter(|(name, _)| !unfit.contains(*name));
        let summary = |(name, worker): (&WorkerName, &JoinedWorker)| WorkerSummary {
            name: name.clone(),
            labels: worker.labels.clone(),
            members: places.held_by(name).count(),
            places: worker.places,
        };
        joined.map(summary).collect()
    }

    /// The reason why a member waits that no worker can take now.
    pub(crate) fn missing_worker(&self, member: &MemberName) -> Option<Waiting> {
        let team = self.ledger.team();
        team.missing_worker(team.member(member)?, &self.deployment.unfit())
    }

    /// Which workers hold the members that are to run; `None` while nobody holds one of them.
    pub(crate) fn holders(&self) -> Option<BTreeMap<WorkerName, BTreeSet<MemberName>>> {
        let team = self.ledger.team();
        let is_to_run = |member: &&Member| {
            member.phase != MemberPhase::Stopped
                && !team.is_in_ending_group(member)
                && team.paused_for(&member.name).is_none()
        };
        let mut holders: BTreeMap<WorkerName, BTreeSet<MemberName>> = BTreeMap::new();
        for member in team.members().filter(is_to_run) {
            let worker = team.places().placement(&member.name)?.worker.clone()?;
            holders
                .entry(worker)
                .or_default()
                .insert(member.name.clone());
        }
        Some(holders)
    }

    /// Whether members of other workers have something to do, as far as is heard. One that nobody holds has.
    pub(crate) fn is_busy_elsewhere(&self) -> bool {
        let Some(role) = &self.ports.worker else {
            return false;
        };
        let rests = |worker: &WorkerName| *worker == role.name || self.activity.is_resting(worker);
        self.holders()
            .is_none_or(|holders| !holders.keys().all(rests))
    }
}
