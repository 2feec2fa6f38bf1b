//! All that can happen to workers and placements.

use teammate_core::{
    name::WorkerName,
    team::{
        CommitId, JournalFormat, Label, MoveWhy, PlaceEvent, PolicyDigest, SandboxLevel, Term,
        Walls,
    },
};
use uuid::Uuid;

use super::every;
use crate::common::name;

pub(crate) fn worker() -> WorkerName {
    WorkerName::parse("w1").unwrap()
}

pub(crate) fn move_reasons() -> Vec<MoveWhy> {
    every! { MoveWhy:
        MoveWhy::Lost => [MoveWhy::Lost],
        MoveWhy::Drained => [MoveWhy::Drained],
        MoveWhy::Rejoined => [MoveWhy::Rejoined],
        MoveWhy::Unheld => [MoveWhy::Unheld],
    }
}

pub(crate) fn place_events() -> Vec<PlaceEvent> {
    let (member, worker, session) = (name("alice"), worker(), Uuid::from_u128(9));
    let commit = CommitId::parse(&"0a".repeat(20)).unwrap();
    let labels = ["gpu", "repo:git@host:app"].map(|label| Label::parse(label).unwrap());
    let walls = Walls {
        sandbox: SandboxLevel::Full,
        policy: Some(PolicyDigest::parse("0123456789abcdef").unwrap()),
    };
    let moved = move_reasons().into_iter().map(|why| PlaceEvent::Moved {
        member: name("alice"),
        worker: self::worker(),
        term: Term(2),
        why,
    });
    every! { PlaceEvent:
        PlaceEvent::Joined { .. } => [
            PlaceEvent::Joined { worker: worker.clone(), session, labels: [].into(), places: 8, walls: Walls::default(), format: JournalFormat::FIRST },
            PlaceEvent::Joined { worker: worker.clone(), session, labels: labels.into(), places: 8, walls: Walls::default(), format: JournalFormat::FIRST },
            PlaceEvent::Joined { worker: worker.clone(), session, labels: [].into(), places: 8, walls: walls.clone(), format: JournalFormat::FIRST },
            PlaceEvent::Joined { worker: worker.clone(), session, labels: [].into(), places: 8, walls: Walls::default(), format: JournalFormat(2) },
        ],
        PlaceEvent::Left { .. } => [PlaceEvent::Left { worker: worker.clone() }],
        PlaceEvent::Stewarded { .. } => [
            PlaceEvent::Stewarded { worker: worker.clone(), term: Term::FIRST },
        ],
        PlaceEvent::Placed { .. } => [
            PlaceEvent::Placed { member: member.clone(), worker: worker.clone(), term: Term::FIRST },
        ],
        PlaceEvent::Moved { .. } => moved.collect::<Vec<_>>(),
        PlaceEvent::Demanded { .. } => [
            PlaceEvent::Demanded { walls: walls.clone() },
            PlaceEvent::Demanded { walls: Walls::default() },
        ],
        PlaceEvent::Delivered { .. } => [
            PlaceEvent::Delivered { member: member.clone(), term: Term(2), commit: commit.clone() },
        ],
    }
}
