//! The change of placements by a record of the journal: all that one who folds only these has to read.

use serde::{Deserialize, Serialize};

use super::{PlaceEvent, Placements, Walls};
use crate::{
    MemberName,
    team::{RecordWriter, TeamEvent},
};

/// One change.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PlaceChange {
    /// Something happened to workers and placements.
    Event(PlaceEvent),
    /// A worker wrote what the team demands: it tightens only.
    Tightened(Walls),
    /// A member was stopped: nobody holds it.
    Released(MemberName),
}

impl PlaceChange {
    /// The change of placements by an event of this writer, if there is any. A member is stopped in its current incarnation
    /// only: a stop of an earlier one is refused before it could be recorded.
    pub fn of(writer: &RecordWriter, event: &TeamEvent) -> Option<Self> {
        match event {
            TeamEvent::Place(PlaceEvent::Demanded { walls }) => Some(match writer {
                RecordWriter::User => Self::Event(PlaceEvent::Demanded {
                    walls: walls.clone(),
                }),
                RecordWriter::Worker(_) => Self::Tightened(walls.clone()),
            }),
            TeamEvent::Place(event) => Some(Self::Event(event.clone())),
            TeamEvent::Stopped { member, .. } => Some(Self::Released(member.clone())),
            TeamEvent::Created { .. }
            | TeamEvent::Spawned { .. }
            | TeamEvent::Adopted { .. }
            | TeamEvent::Working { .. }
            | TeamEvent::Waiting { .. }
            | TeamEvent::TurnEnded { .. }
            | TeamEvent::ModelChosen { .. }
            | TeamEvent::Todos { .. }
            | TeamEvent::Task { .. }
            | TeamEvent::Group { .. }
            | TeamEvent::Request { .. }
            | TeamEvent::Schedule { .. }
            | TeamEvent::PlanRequired { .. }
            | TeamEvent::PlanLifted { .. }
            | TeamEvent::Ceiling { .. }
            | TeamEvent::BudgetsSet { .. }
            | TeamEvent::BoardReported { .. }
            | TeamEvent::Lapsed { .. }
            | TeamEvent::JobStarted { .. }
            | TeamEvent::JobEnded { .. }
            | TeamEvent::Conversation { .. }
            | TeamEvent::Joined { .. }
            | TeamEvent::Dropped { .. }
            | TeamEvent::Ordered { .. }
            | TeamEvent::OrderEnded { .. }
            | TeamEvent::RuleDropped { .. }
            | TeamEvent::Spent { .. } => None,
        }
    }
}

impl Placements {
    /// Takes what a record changed.
    pub fn take(&mut self, change: &PlaceChange) {
        match change {
            PlaceChange::Event(event) => self.apply(event),
            PlaceChange::Tightened(walls) => self.demanded = self.demanded.tightened(walls),
            PlaceChange::Released(member) => self.release(member),
        }
    }
}
