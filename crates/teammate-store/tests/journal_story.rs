//! The story of a journal in every world: a writer knows all earlier records.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::{Files, World, name, worlds};
use teammate_core::{
    Incarnation, Timestamp,
    port::{Durability, Journal, JournalError},
    team::TeamEvent,
};

fn working(n: u32) -> Vec<TeamEvent> {
    vec![TeamEvent::Working {
        member: name("alice"),
        incarnation: Incarnation(n),
    }]
}

async fn put(journal: &dyn Journal, at: u64) -> Result<(), JournalError> {
    let durability = if at.is_multiple_of(2) {
        Durability::Synced
    } else {
        Durability::Lazy
    };
    let events = working(u32::try_from(at).unwrap());
    journal
        .append(at, Timestamp(100 + at), events, durability)
        .await
}

async fn numbers(journal: &dyn Journal, from: u64) -> Vec<u64> {
    let read = journal.read(from).await.unwrap();
    read.records.iter().map(|record| record.number).collect()
}

#[tokio::test]
async fn appends_are_decided_by_length() {
    for World {
        name: world,
        journal,
        ..
    } in worlds()
    {
        assert_eq!(
            journal.read(0).await.unwrap(),
            Default::default(),
            "{world}"
        );
        for at in 0..3 {
            put(&*journal, at).await.unwrap();
        }
        assert_eq!(
            put(&*journal, 2).await,
            Err(JournalError::Conflict { length: 3 }),
            "{world}"
        );
        assert_eq!(
            put(&*journal, 4).await,
            Err(JournalError::Conflict { length: 3 }),
            "{world}"
        );
        let read = journal.read(1).await.unwrap();
        assert_eq!(read.records[1].events, working(2), "{world}");
        assert_eq!(read.records[1].at, Timestamp(102), "{world}");
        assert_eq!(numbers(&*journal, 0).await, [0, 1, 2], "{world}");
        assert_eq!(numbers(&*journal, 3).await, [0u64; 0], "{world}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_two_who_append_at_the_same_length_one_wins() {
    let files = Files::real();
    let journals = [files.journal(), files.journal(), files.journal()].map(std::sync::Arc::new);
    let mut appenders = tokio::task::JoinSet::new();
    for journal in journals.clone() {
        appenders.spawn(async move {
            let (mut at, mut won) = (0, 0);
            while won < 20 {
                match put(&*journal, at).await {
                    Ok(()) => (at, won) = (at + 1, won + 1),
                    Err(JournalError::Conflict { length }) => at = length,
                    Err(error) => panic!("{error}"),
                }
            }
        });
    }
    appenders.join_all().await;
    for journal in journals {
        assert_eq!(numbers(&*journal, 0).await, (0..60).collect::<Vec<_>>());
        assert_eq!(numbers(&*journal, 57).await, [57, 58, 59]);
    }
}

#[tokio::test]
async fn old_records_are_found_again_wherever_one_begins() {
    let files = Files::real();
    let journal = files.journal();
    for at in 0..200 {
        put(&journal, 2 * at / 2).await.unwrap();
    }
    for from in [0, 1, 63, 64, 65, 127, 128, 150, 199, 200, 300] {
        assert_eq!(
            numbers(&journal, from).await,
            (from..200.max(from)).collect::<Vec<_>>()
        );
    }
}

#[tokio::test]
async fn a_long_journal_is_handed_over_record_by_record() {
    let files = Files::real();
    let journal = files.journal();
    for at in 0..2_500 {
        let events = working(u32::try_from(at).unwrap());
        let lazily = journal.append(at, Timestamp(at), events, Durability::Lazy);
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
    // Who gives up in the middle is in nobody's way.
    let mut none = |_| {};
    let visit = journal.visit(0, &mut none);
    drop(tokio::time::timeout(std::time::Duration::ZERO, visit).await);
    let events = working(7);
    let appended = journal.append(2_500, Timestamp(7), events, Durability::Lazy);
    appended.await.unwrap();
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
