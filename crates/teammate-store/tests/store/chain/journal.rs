//! Edits of a journal.

use teammate_core::{
    Timestamp,
    port::{
        DamageKind::{self, Gap, Repeated, Unreadable, Unsealed},
        Durability, Journal as _, JournalError, JournalRead,
    },
};
use teammate_store::wire::chain::Log;

use super::{Edit, edit_file, last, read, record, working};
use crate::common::{Files, inbox, other_seal};

/// What it is, the records that count then, and what is named with the record from which on it is in doubt.
type JournalRow<'a> = (&'a str, Edit, &'a [u64], &'a [(DamageKind, u64)]);

/// A journal of six records.
async fn six_records() -> Files {
    let files = Files::real();
    let journal = files.journal();
    for n in 0..6 {
        let appended = journal.append(n, Timestamp(n), working(n), Durability::Synced);
        appended.await.unwrap();
    }
    files
}

fn numbers(read: &JournalRead) -> Vec<u64> {
    read.records.iter().map(|record| record.number).collect()
}

#[tokio::test]
async fn every_edit_of_a_journal_is_named_and_what_is_sealed_counts() {
    let all = [0, 1, 2, 3, 4, 5];
    let rows: [JournalRow<'_>; 14] = [
        ("nothing", |_| {}, &all, &[]),
        (
            "added at the end",
            |l| l.push(record(6)),
            &all,
            &[(Unsealed, 6)],
        ),
        (
            "added between",
            |l| l.insert(3, record(3)),
            &all,
            &[(Unsealed, 3)],
        ),
        (
            "no record",
            |l| l.push("{}".into()),
            &all,
            &[(Unreadable, 6)],
        ),
        (
            "with another key",
            |l| l.push(Log::journal(other_seal()).line(&record(6), last(l))),
            &all,
            &[(Unsealed, 6)],
        ),
        (
            "sealed for another log",
            |l| l.push(inbox().line(&record(6), last(l))),
            &all,
            &[(Unsealed, 6)],
        ),
        (
            "changed",
            |l| l[2] = l[2].replace(r#""at":2"#, r#""at":3"#),
            &[0, 1, 3, 4, 5],
            &[(Unreadable, 2), (Gap, 2)],
        ),
        (
            "changed with a right checksum",
            |l| l[2] = record(2),
            &[0, 1, 3, 4, 5],
            &[(Unsealed, 2), (Gap, 2)],
        ),
        (
            "removed",
            |l| drop(l.remove(2)),
            &[0, 1, 3, 4, 5],
            &[(Gap, 2)],
        ),
        (
            "the first removed",
            |l| drop(l.remove(0)),
            &[1, 2, 3, 4, 5],
            &[(Gap, 0)],
        ),
        (
            "moved",
            |l| {
                let line = l.remove(2);
                l.insert(4, line);
            },
            &[0, 1, 3, 4, 5],
            &[(Gap, 2), (Repeated, 2)],
        ),
        (
            "doubled",
            |l| l.insert(2, l[2].clone()),
            &all,
            &[(Repeated, 2)],
        ),
        ("put back", |l| l.push(l[1].clone()), &all, &[(Repeated, 1)]),
        (
            "all of it twice",
            |l| l.extend(l.clone()),
            &all,
            &[
                (Repeated, 0),
                (Repeated, 1),
                (Repeated, 2),
                (Repeated, 3),
                (Repeated, 4),
                (Repeated, 5),
            ],
        ),
    ];
    for (what, edit, expected, damage) in rows {
        let files = six_records().await;
        edit_file(&files, &files.dir.journal(), edit);
        let found = read(&files).await;
        assert_eq!(numbers(&found), expected, "{what}");
        let kinds: Vec<_> = found.damaged.iter().map(|d| (d.kind, d.from)).collect();
        assert_eq!(kinds, damage, "{what}: {:?}", found.damaged);
        // The next writer and the next reader agree, and nothing new is wrong.
        let journal = files.journal();
        let at = |n| journal.append(n, Timestamp(n), working(9), Durability::Synced);
        let Err(JournalError::Conflict { length }) = at(99).await else {
            panic!("{what}")
        };
        at(length).await.unwrap();
        let after = read(&files).await;
        assert_eq!(after.records.last().unwrap().number, length, "{what}");
        assert_eq!(after.damaged, found.damaged, "{what}");
    }
}

#[tokio::test]
async fn a_line_that_is_put_back_in_its_place_counts_again_and_the_gap_after_it_is_named() {
    let files = six_records().await;
    let path = files.dir.journal();
    let whole = files.lines(&path);
    edit_file(&files, &path, |lines| drop(lines.pop()));
    let journal = files.journal();
    let appended = journal.append(5, Timestamp(7), working(7), Durability::Synced);
    appended.await.unwrap();
    let sixth = journal.append(6, Timestamp(8), working(8), Durability::Synced);
    sixth.await.unwrap();
    let mut lines = files.lines(&path);
    lines[5].clone_from(&whole[5]);
    files.replace(&path, &lines);
    let found = read(&files).await;
    assert_eq!(numbers(&found), [0, 1, 2, 3, 4, 5, 6]);
    assert_eq!(found.records[5].events, working(5));
    let said: Vec<String> = found.damaged.iter().map(ToString::to_string).collect();
    let path = path.display();
    let expected = format!("records between 5 and 6 of {path} are missing or were changed");
    assert_eq!(said, [expected]);
}

#[tokio::test]
async fn a_flood_of_damaged_lines_is_counted_not_listed() {
    let files = six_records().await;
    edit_file(&files, &files.dir.journal(), |lines| {
        lines.extend(vec!["x".to_owned(); 100_000]);
    });
    let found = read(&files).await;
    assert_eq!(numbers(&found), [0, 1, 2, 3, 4, 5]);
    assert_eq!(found.damaged.len(), 101);
    let last = found.damaged.last().unwrap();
    assert_eq!(last.from, 106);
    assert!(last.text.starts_with("99900 more lines of"), "{last}");
}
