//! What only a journal in a file promises, beside the stories of every journal: torn ends and damaged lines.

use crate::common::Files;
use teammate_core::{
    Timestamp,
    port::{Durability, Journal, JournalError},
};
use teammate_testkit::stories::working;

async fn put(journal: &dyn Journal, at: u64) -> Result<(), JournalError> {
    let durability = if at.is_multiple_of(2) {
        Durability::Synced
    } else {
        Durability::Lazy
    };
    journal
        .append(at, Timestamp(100 + at), working(at), durability)
        .await
}

async fn numbers(journal: &dyn Journal, from: u64) -> Vec<u64> {
    let read = journal.read(from).await.unwrap();
    read.records.iter().map(|record| record.number).collect()
}

#[tokio::test]
async fn a_long_journal_with_damage_is_handed_over_record_by_record() {
    let files = Files::real();
    let journal = files.journal();
    for at in 0..2_500 {
        let lazily = journal.append(at, Timestamp(at), working(at), Durability::Lazy);
        lazily.await.unwrap();
    }
    let path = files.dir.journal();
    let whole = String::from_utf8(files.disk.read(&path).unwrap()).unwrap();
    let damaged = whole.replace("\"n\":2000,", "\"n\":2222,");
    files.disk.write(&path, damaged.as_bytes()).unwrap();
    for from in [0, 1, 1_024, 1_999, 2_001, 2_500, 3_000] {
        let journal = files.journal();
        let mut visited = Vec::new();
        let mut keep = |record| visited.push(record);
        let damaged = journal.visit(from, &mut keep).await.unwrap();
        let read = files.journal().read(from).await.unwrap();
        assert_eq!(visited, read.records, "{from}");
        assert_eq!(damaged, read.damaged, "{from}");
    }
}

#[tokio::test]
async fn a_torn_tail_is_skipped_by_readers_and_cut_by_writers() {
    let files = Files::real();
    put(&files.journal(), 0).await.unwrap();
    files.scribble(&files.dir.journal(), b"{\"n\":1,\"at\":1");
    assert_eq!(numbers(&files.journal(), 0).await, [0]);
    put(&files.journal(), 1).await.unwrap();
    assert_eq!(numbers(&files.journal(), 0).await, [0, 1]);
    let kept = files
        .disk
        .read(&files.dir.path().join("journal.bad"))
        .unwrap();
    assert_eq!(kept, b"{\"n\":1,\"at\":1\n");
}

#[tokio::test]
async fn a_damaged_line_is_reported_and_the_numbers_stay_right() {
    let files = Files::real();
    let path = files.dir.journal();
    for at in 0..4 {
        put(&files.journal(), at).await.unwrap();
    }
    let whole = String::from_utf8(files.disk.read(&path).unwrap()).unwrap();
    for (what, text, expected) in [
        (
            "a flipped bit",
            whole.replace("\"at\":101", "\"at\":111"),
            vec![0, 2, 3],
        ),
        (
            "two lines joined",
            whole.replacen("\"}\n", "\"} ", 1),
            vec![2, 3],
        ),
        (
            "one line made two",
            whole.replacen("events", "eve\nts", 1),
            vec![1, 2, 3],
        ),
        (
            "a line there twice",
            format!("{whole}{}\n", whole.lines().next().unwrap()),
            vec![0, 1, 2, 3],
        ),
    ] {
        files.disk.write(&path, text.as_bytes()).unwrap();
        let journal = files.journal();
        let read = journal.read(0).await.unwrap();
        assert_eq!(numbers(&journal, 0).await, expected, "{what}");
        assert!(!read.damaged.is_empty(), "{what}");
        // The next writer and the next reader agree.
        let Err(JournalError::Conflict { length }) = put(&files.journal(), 99).await else {
            panic!("{what}")
        };
        put(&files.journal(), length).await.unwrap();
        assert_eq!(numbers(&journal, length).await, [length], "{what}");
        assert_eq!(numbers(&files.journal(), length).await, [length], "{what}");
    }
}

#[test]
fn the_lines_of_version_1_stay_readable() {
    let line = r#"{"n":7,"at":1732230000500,"sum":"cdba9006","events":[{"event":"working","member":"alice","incarnation":2}]}"#;
    let written =
        teammate_store::wire::record::to_json(7, Timestamp(1_732_230_000_500), &working(2));
    assert_eq!(written, line);
    let read = teammate_store::wire::record::read(line.as_bytes());
    assert_eq!(read.unwrap().events, working(2));
}
