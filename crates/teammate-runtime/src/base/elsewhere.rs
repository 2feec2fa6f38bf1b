//! Where members run, in a team that several workers run.

use teammate_core::{
    MemberName,
    name::WorkerName,
    port::WorkerSummary,
    team::{JoinedWorker, Waiting},
};

use super::Base;

impl Base {
    /// Whether the journal has a member held here, perhaps before it was taken over.
    pub(crate) fn is_placed_here(&self, member: &MemberName) -> bool {
        self.deployment.is_placed_here(&self.ledger.team(), member)
    }

    /// The workers that are there, and get members.
    pub(crate) fn workers(&self) -> Vec<WorkerSummary> {
        if self.deployment.worker().is_none() {
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

    /// Whether members of other workers have something to do, as far as is heard. One that nobody holds has.
    pub(crate) fn is_busy_elsewhere(&self) -> bool {
        self.deployment.is_busy_elsewhere(&self.ledger.team())
    }
}
