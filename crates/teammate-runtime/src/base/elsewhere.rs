//! Where members run, in a team that several workers run.

use std::collections::{BTreeMap, BTreeSet};

use teammate_core::{
    MemberName,
    name::WorkerName,
    team::{Member, MemberPhase, TeamState},
};

use super::Base;

impl Base {
    /// Which workers hold the members that are to run; `None` while nobody holds one of them.
    pub(crate) fn holders(&self) -> Option<BTreeMap<WorkerName, BTreeSet<MemberName>>> {
        let team = self.ledger.team();
        let mut holders: BTreeMap<WorkerName, BTreeSet<MemberName>> = BTreeMap::new();
        for member in team.members().filter(|member| is_to_run(&team, member)) {
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
        let Some(seat) = &self.ports.worker else {
            return false;
        };
        let rests = |worker: &WorkerName| *worker == seat.name || self.activity.is_resting(worker);
        self.holders()
            .is_none_or(|holders| !holders.keys().all(rests))
    }
}

/// Whether a member is to be run by some worker.
pub(crate) fn is_to_run(team: &TeamState, member: &Member) -> bool {
    member.phase != MemberPhase::Stopped
        && !team.is_in_ending_group(member)
        && team.paused_for(&member.name).is_none()
}
