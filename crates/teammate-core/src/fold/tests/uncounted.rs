//! Records that do not count: `w1` writes for alice, whom `w2` holds.

use super::*;
use crate::team::{Lapse, PlaceEvent, RecordWriter};

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

#[test]
fn no_permission_lapses_for_a_record_that_does_not_count() {
    let log = placed();
    let number = write(&log, "w1", vec![working()]);
    let (_, mut findings) = now(Fold::open(&log)).unwrap();
    let told = findings.damaged[0].to_string();
    let why = "it speaks for 'alice', whom worker 'w2' holds, and 'w2' did not ask for that";
    let by = "which worker 'w1' wrote";
    assert_eq!(
        told,
        format!("record {number} of journal, {by}, does not count: {why}")
    );
    assert_eq!(findings.new_damage(), None, "it hides nothing");

    // What hides records is damage all the same, before it or behind it.
    for (from, kind) in [(0, DamageKind::Gap), (9, DamageKind::Unsealed)] {
        let text = "record 9 of journal is not ours".to_owned();
        let damage = Damage { from, kind, text };
        findings.damaged.push(damage.clone());
        assert_eq!(findings.new_damage(), Some(&damage));
        findings.last_lapse = Some(from);
        assert_eq!(findings.new_damage(), None);
        findings.last_lapse = None;
        findings.damaged.pop();
    }
}
