//! What a worker makes of members that need something, of members that were stopped, and of others of its name.

use std::collections::BTreeMap;

use teammate_core::{
    MemberName,
    name::WorkerName,
    team::{
        Beat, JournalFormat, Label, PlaceChange, PlaceEvent, PlaceRefusal, Placements, Term, Walls,
        WorkerStop,
    },
};
use uuid::Uuid;

use crate::{AppendId, JournalLine, PingAnswer, Worker, WorkerEffect, WorkerInput};

fn name(text: &str) -> WorkerName {
    WorkerName::parse(text).unwrap()
}

fn alice() -> MemberName {
    MemberName::teammate("alice").unwrap()
}

fn line(number: u64, changes: Vec<PlaceChange>) -> JournalLine {
    let id = AppendId {
        writer: Uuid::nil(),
        term: Term::NONE,
        number,
    };
    JournalLine { id, changes }
}

/// The steward `w1` of a team in which `w2` has a gpu.
fn steward() -> Worker<()> {
    let session = Uuid::from_u128(1);
    let joined = |worker: &str, labels: &[&str]| {
        PlaceChange::Event(PlaceEvent::Joined {
            worker: name(worker),
            session,
            labels: labels
                .iter()
                .map(|label| Label::parse(label).unwrap())
                .collect(),
            places: 4,
            walls: Walls::default(),
            format: JournalFormat::NOW,
        })
    };
    let stewarded = PlaceEvent::Stewarded {
        worker: name("w1"),
        term: Term::FIRST,
    };
    let changes = vec![
        joined("w1", &[]),
        joined("w2", &["gpu"]),
        PlaceChange::Event(stewarded),
    ];
    let mut worker = Worker::new(name("w1"), session, [].into(), 4);
    worker = worker.knowing(7, Placements::default());
    worker.step(WorkerInput::Journal(vec![line(7, changes)]));
    worker
}

/// What it appends.
fn appended(effects: Vec<WorkerEffect<()>>) -> Vec<PlaceEvent> {
    let appends = effects.into_iter().filter_map(|effect| match effect {
        WorkerEffect::AppendJournal(append) => Some((append.expects, append.payload)),
        _ => None,
    });
    let appends: Vec<_> = appends.collect();
    assert!(
        appends.iter().all(|(expects, _)| *expects == 8),
        "{appends:?}"
    );
    appends.into_iter().flat_map(|(_, events)| events).collect()
}

#[test]
fn a_member_is_placed_where_what_it_needs_is() {
    let gpu = [Label::parse("gpu").unwrap()];
    let running = BTreeMap::from([(alice(), gpu.into())]);
    let placed = appended(steward().step(WorkerInput::Running(running)));
    let expected = PlaceEvent::Placed {
        member: alice(),
        worker: name("w2"),
        term: Term::FIRST,
    };
    assert_eq!(placed, [expected]);

    let tpu = [Label::parse("tpu").unwrap()];
    let running = BTreeMap::from([(alice(), tpu.into())]);
    assert_eq!(appended(steward().step(WorkerInput::Running(running))), []);
}

#[test]
fn who_was_stopped_is_placed_anew_under_the_next_term() {
    let mut worker = steward();
    let placed = PlaceEvent::Placed {
        member: alice(),
        worker: name("w1"),
        term: Term::FIRST,
    };
    let changes = vec![PlaceChange::Event(placed), PlaceChange::Released(alice())];
    worker.step(WorkerInput::Journal(vec![line(8, changes)]));
    assert_eq!(worker.placements().held_by(&name("w1")).count(), 0);
    assert_eq!(worker.tenure(&alice()), None);
    let running = BTreeMap::from([(alice(), [].into())]);
    let again = worker.step(WorkerInput::Running(running));
    let terms: Vec<Term> = again
        .into_iter()
        .filter_map(|effect| match effect {
            WorkerEffect::AppendJournal(append) => Some(append.payload),
            _ => None,
        })
        .flatten()
        .filter_map(|event| match event {
            PlaceEvent::Placed { term, .. } => Some(term),
            _ => None,
        })
        .collect();
    assert_eq!(terms, [Term(2)]);
}

/// What the steward does when `w2`, which holds alice, has been silent for so many seconds and a ping has this answer.
fn moves_after(seconds: u8, answer: PingAnswer) -> Vec<PlaceEvent> {
    let mut steward = steward();
    let placed = PlaceChange::Event(PlaceEvent::Placed {
        member: alice(),
        worker: name("w2"),
        term: Term::FIRST,
    });
    steward.step(WorkerInput::Journal(vec![line(8, vec![placed])]));
    let beat = steward.beat().unwrap();
    let mut effects = Vec::new();
    for _ in 0..seconds {
        effects.extend(steward.step(WorkerInput::Elapsed(1)));
        effects.extend(steward.step(WorkerInput::Beat(beat.clone())));
    }
    if effects.contains(&WorkerEffect::Ping(name("w2"))) {
        let worker = name("w2");
        effects.extend(steward.step(WorkerInput::Pong { worker, answer }));
    }
    let appended = effects.into_iter().filter_map(|effect| match effect {
        WorkerEffect::AppendJournal(append) => Some(append.payload),
        _ => None,
    });
    appended.flatten().collect()
}

#[test]
fn a_process_that_has_ended_is_replaced_sooner_than_one_that_hangs() {
    assert_eq!(moves_after(2, PingAnswer::Nobody), []);
    let moved = moves_after(3, PingAnswer::Nobody);
    assert!(
        matches!(&moved[..], [PlaceEvent::Moved { worker, .. }] if *worker == name("w1")),
        "{moved:?}"
    );
    assert_eq!(moves_after(4, PingAnswer::Silence), []);
    assert_eq!(moves_after(5, PingAnswer::Silence).len(), 1);
    assert_eq!(moves_after(5, PingAnswer::There), []);
}

/// What a process of the name `w1` does after five seconds in which it hears the beats of an earlier one, so many in each.
fn joins(beats: [u8; 5]) -> Vec<WorkerEffect<()>> {
    let mut worker = Worker::new(name("w1"), Uuid::from_u128(2), [].into(), 4);
    worker = worker.knowing(7, steward().placements().clone());
    let earlier = Beat {
        worker: name("w1"),
        session: Uuid::from_u128(1),
        is_draining: false,
        rests: None,
    };
    let mut effects = Vec::new();
    for heard in beats {
        for _ in 0..heard {
            effects.extend(worker.step(WorkerInput::Beat(earlier.clone())));
        }
        effects.extend(worker.step(WorkerInput::Elapsed(1)));
    }
    effects
}

#[test]
fn a_name_is_taken_by_a_process_that_lives() {
    let refused = WorkerEffect::Stop(WorkerStop::Refused(PlaceRefusal::NameTaken(name("w1"))));
    for beats in [[1, 1, 1, 1, 1], [0, 1, 0, 1, 1], [1, 0, 1, 1, 0]] {
        assert_eq!(joins(beats), std::slice::from_ref(&refused), "{beats:?}");
    }
    // What a killed process sent while it was cut off comes all at once.
    for beats in [[0, 0, 0, 0, 0], [0, 0, 0, 5, 0], [0, 0, 0, 3, 2]] {
        let joined = joins(beats);
        assert!(
            matches!(joined[..], [WorkerEffect::AppendJournal(_)]),
            "{beats:?}: {joined:?}"
        );
    }
}
