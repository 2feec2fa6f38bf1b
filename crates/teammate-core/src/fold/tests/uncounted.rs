//! Records that do not count: `w1` writes for alice, whom `w2` holds.

use super::*;
use crate::{port::RecordWriter, team::Lapse, team::PlaceEvent};

fn alice() -> MemberName {
    MemberName::teammate("alice").unwrap()
}

fn write(log: &Log, by: &str, events: Vec<TeamEvent>) -> u64 {
    let number = log.records().len() as u64;
    let record = Record {
        writer: RecordWriter::Worker(WorkerName::parse(by).unwrap()),
        ..Record::of(number, Timestamp(12), events)
    };
    now(log.append_record(record, Durability::Synced)).unwrap();
    number
}

/// The user adopted alice, and `w2` holds her.
fn placed() -> Log {
    let (log, mut fold) = (Log::default(), Fold::default());
    commit(&mut fold, &log, &[create(), adopt("alice")]);
    let placed = TeamEvent::Place(PlaceEvent::Placed {
        member: alice(),
        worker: WorkerName::parse("w2").unwrap(),
        term: Term(1),
    });
    write(&log, "w2", vec![placed]);
    log
}

fn working() -> TeamEvent {
    TeamEvent::Working {
        member: alice(),
        incarnation: Incarnation::FIRST,
    }
}

fn lapsed() -> TeamEvent {
    TeamEvent::Lapsed {
        lapse: Lapse::Damage,
        why: "record 1 is missing".to_owned(),
    }
}

#[test]
fn a_lapse_in_a_record_that_does_not_count_has_not_happened() {
    let log = placed();
    write(&log, "w1", vec![lapsed(), working()]);
    let (_, findings) = now(Fold::open(&log)).unwrap();
    assert_eq!(findings.damaged.len(), 1);
    assert_eq!(findings.last_lapse, None);
    let counts = write(&log, "w2", vec![lapsed(), working()]);
    write(&log, "w1", vec![lapsed(), working()]);
    let (_, findings) = now(Fold::open(&log)).unwrap();
    assert_eq!(findings.last_lapse, Some(counts));
}
