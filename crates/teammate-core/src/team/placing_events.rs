//! Events of the team as workers and placements read them: the change that each makes, and the programs that know it.

use super::{JournalFormat, PlaceChange, PlaceEvent, RecordWriter, TeamEvent};

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
            | TeamEvent::Goal { .. }
            | TeamEvent::PlanRequired { .. }
            | TeamEvent::PlanLifted { .. }
            | TeamEvent::Ceiling { .. }
            | TeamEvent::BudgetsSet { .. }
            | TeamEvent::Paused { .. }
            | TeamEvent::Continued { .. }
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

impl JournalFormat {
    /// The first one that has this event.
    pub fn of(event: &TeamEvent) -> Self {
        match event {
            TeamEvent::Place(event) => Self::of_place(event),
            TeamEvent::Created { .. }
            | TeamEvent::Spawned { .. }
            | TeamEvent::Adopted { .. }
            | TeamEvent::Working { .. }
            | TeamEvent::Waiting { .. }
            | TeamEvent::TurnEnded { .. }
            | TeamEvent::ModelChosen { .. }
            | TeamEvent::Todos { .. }
            | TeamEvent::Spent { .. }
            | TeamEvent::Task { .. }
            | TeamEvent::Group { .. }
            | TeamEvent::Request { .. }
            | TeamEvent::Schedule { .. }
            | TeamEvent::Goal { .. }
            | TeamEvent::PlanRequired { .. }
            | TeamEvent::PlanLifted { .. }
            | TeamEvent::Ceiling { .. }
            | TeamEvent::BoardReported { .. }
            | TeamEvent::Stopped { .. }
            | TeamEvent::Lapsed { .. }
            | TeamEvent::Conversation { .. }
            | TeamEvent::Joined { .. }
            | TeamEvent::Dropped { .. }
            | TeamEvent::JobStarted { .. }
            | TeamEvent::JobEnded { .. }
            | TeamEvent::Ordered { .. }
            | TeamEvent::OrderEnded { .. }
            | TeamEvent::BudgetsSet { .. }
            | TeamEvent::Paused { .. }
            | TeamEvent::Continued { .. }
            | TeamEvent::RuleDropped { .. } => Self::FIRST,
        }
    }
}
