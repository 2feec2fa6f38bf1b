//! Whose duty something is, where several processes run one team: asked here and nowhere else. It decides nothing: the
//! journal's placements do. A process without a seat runs everybody.

use teammate_core::{MemberName, name::WorkerName, team::TeamState};

use super::Base;
use crate::seat::WorkerSeat;

/// Which process runs a member, as far as this one has read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Runner {
    /// This one.
    Here,
    /// Another worker, or this one's name in another of its lives.
    Worker(WorkerName),
    /// Nobody: it was stopped, or waits for a worker.
    Nobody,
}

impl Base {
    /// Which process runs the member.
    pub(crate) fn runner(&self, member: &MemberName) -> Runner {
        match &self.ports.worker {
            None => Runner::Here,
            Some(seat) => runner_of(&self.ledger.team(), seat, member),
        }
    }

    /// Whether this process runs the member.
    pub(crate) fn is_mine(&self, member: &MemberName) -> bool {
        self.runner(member) == Runner::Here
    }

    /// Whether this process does what belongs to the team as a whole: the one that runs the lead.
    pub(crate) fn is_team_mine(&self) -> bool {
        self.is_mine(&MemberName::lead())
    }

    /// Whether this process does what follows for a member: the one that runs it, and while nobody does, the one that runs the
    /// lead. Two may for a moment, as one reads later than the other: what they do must bear to be done twice.
    pub(crate) fn acts_for(&self, member: &MemberName) -> bool {
        match self.runner(member) {
            Runner::Here => true,
            Runner::Worker(_) => false,
            Runner::Nobody => self.is_team_mine(),
        }
    }

    /// Resolves when another process runs the member. Never without a seat.
    pub(crate) async fn runs_elsewhere(&self, member: &MemberName) {
        let Some(seat) = &self.ports.worker else {
            return std::future::pending().await;
        };
        let mut changes = self.ledger.changes();
        let is_elsewhere = |team: &std::sync::Arc<TeamState>| {
            matches!(runner_of(team, seat, member), Runner::Worker(_))
        };
        if changes.wait_for(is_elsewhere).await.is_err() {
            std::future::pending().await
        }
    }
}

fn runner_of(team: &TeamState, seat: &WorkerSeat, member: &MemberName) -> Runner {
    let places = team.places();
    let placement = places.placement(member);
    let Some(worker) = placement.and_then(|placement| placement.worker.as_ref()) else {
        return Runner::Nobody;
    };
    let is_own_life = || {
        let joined = places.worker(worker);
        joined.is_some_and(|joined| joined.session == seat.session)
    };
    if *worker == seat.name && is_own_life() {
        Runner::Here
    } else {
        Runner::Worker(worker.clone())
    }
}

#[cfg(test)]
mod tests {
    use std::{collections::BTreeSet, sync::Arc};

    use teammate_core::{
        Timestamp,
        team::{PlaceEvent, TeamEvent, Term},
    };
    use teammate_testkit::memory::MemoryFleet;
    use uuid::Uuid;

    use super::*;

    fn worker(name: &str) -> WorkerName {
        WorkerName::parse(name).unwrap()
    }

    fn seat(name: &str, life: u128) -> WorkerSeat {
        WorkerSeat {
            wire: Arc::new(MemoryFleet::default().wire(&worker(name))),
            name: worker(name),
            session: Uuid::from_u128(life),
            labels: BTreeSet::new(),
            places: 8,
        }
    }

    fn joined(name: &str, life: u128) -> PlaceEvent {
        PlaceEvent::Joined {
            worker: worker(name),
            session: Uuid::from_u128(life),
            labels: BTreeSet::new(),
            places: 8,
        }
    }

    fn placed(member: &MemberName, name: &str) -> PlaceEvent {
        PlaceEvent::Placed {
            member: member.clone(),
            worker: worker(name),
            term: Term::FIRST,
        }
    }

    #[test]
    fn a_member_is_run_by_the_life_of_the_worker_that_it_is_placed_on() {
        let (alice, bob) = (
            MemberName::teammate("alice").unwrap(),
            MemberName::teammate("bob").unwrap(),
        );
        let mut team = TeamState::default();
        for event in [joined("w1", 1), joined("w2", 2), placed(&alice, "w1")] {
            team.apply(&TeamEvent::Place(event), Timestamp(7));
        }
        let of = |seat: &WorkerSeat, member: &MemberName| runner_of(&team, seat, member);
        assert_eq!(of(&seat("w1", 1), &alice), Runner::Here);
        assert_eq!(of(&seat("w2", 2), &alice), Runner::Worker(worker("w1")));
        let is_earlier_life = seat("w1", 9);
        assert_eq!(of(&is_earlier_life, &alice), Runner::Worker(worker("w1")));
        assert_eq!(of(&seat("w1", 1), &bob), Runner::Nobody, "not placed yet");
    }
}
