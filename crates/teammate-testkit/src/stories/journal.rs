//! The story of a journal: who appends to it knows all earlier records.

use std::{collections::BTreeMap, time::Duration};

use teammate_core::{
    Timestamp,
    port::{Durability, Journal, JournalError, JournalRead, Record},
};
use tokio::task::JoinSet;

use super::{CrashingWorld, World, give_up, working};

/// How many records are read as several pages.
const LONG: u64 = 2_500;

async fn put(journal: &dyn Journal, at: u64) -> Result<(), JournalError> {
    let durability = match at.is_multiple_of(2) {
        true => Durability::Synced,
        false => Durability::Lazy,
    };
    let appended = journal.append(at, Timestamp(100 + at), working(at), durability);
    appended.await
}

async fn numbers(journal: &dyn Journal, from: u64) -> Vec<u64> {
    let read = journal.read(from).await.unwrap();
    assert_eq!(read.damaged, []);
    read.records.iter().map(|record| record.number).collect()
}

/// An append counts only at the length that the journal has.
pub async fn appends_are_decided_by_length(world: &dyn World) {
    let (world, journal) = (world.name(), world.process().await.journal);
    let empty = journal.read(0).await.unwrap();
    assert_eq!(empty, JournalRead::default(), "{world}");
    for at in 0..3 {
        put(&*journal, at).await.unwrap();
    }
    let conflict = Err(JournalError::Conflict { length: 3 });
    assert_eq!(put(&*journal, 2).await, conflict, "{world}");
    assert_eq!(put(&*journal, 4).await, conflict, "{world}");
    let read = journal.read(1).await.unwrap();
    assert_eq!(read.records[1].events, working(2), "{world}");
    assert_eq!(read.records[1].at, Timestamp(102), "{world}");
    assert_eq!(numbers(&*journal, 0).await, [0, 1, 2], "{world}");
    assert_eq!(numbers(&*journal, 3).await, [0u64; 0], "{world}");
}

/// A process that begins later reads all, appends, and is read by the first.
pub async fn processes_go_on_where_others_have_ended(world: &dyn World) {
    let (name, first) = (world.name(), world.process().await);
    put(&*first.journal, 0).await.unwrap();
    put(&*first.journal, 1).await.unwrap();
    let second = world.process().await;
    assert_eq!(numbers(&*second.journal, 0).await, [0, 1], "{name}");
    put(&*second.journal, 2).await.unwrap();
    assert_eq!(numbers(&*first.journal, 2).await, [2], "{name}");
    let conflict = Err(JournalError::Conflict { length: 3 });
    assert_eq!(put(&*first.journal, 2).await, conflict, "{name}");
    put(&*first.journal, 3).await.unwrap();
    drop((first, second));
    let third = world.process().await.journal;
    assert_eq!(numbers(&*third, 0).await, [0, 1, 2, 3], "{name}");
}

/// Processes that append at the same time leave one history, in which each stands where it won.
pub async fn of_several_who_append_at_the_same_length_one_wins(world: &dyn World) {
    let mut processes = Vec::new();
    for _ in 0..3 {
        processes.push(world.process().await);
    }
    let mut appenders = JoinSet::new();
    for process in &processes {
        let journal = process.journal.clone();
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
    let all: Vec<u64> = (0..60).collect();
    for process in processes {
        let journal = &*process.journal;
        assert_eq!(numbers(journal, 0).await, all, "{}", world.name());
        assert_eq!(numbers(journal, 57).await, [57, 58, 59], "{}", world.name());
    }
}

/// Reading may begin anywhere, also behind the end.
pub async fn old_records_are_found_again_wherever_one_begins(world: &dyn World) {
    let (name, process) = (world.name(), world.process().await);
    for at in 0..200 {
        put(&*process.journal, at).await.unwrap();
    }
    for from in [0, 1, 63, 64, 65, 127, 128, 150, 199, 200, 300] {
        let all: Vec<u64> = (from..200.max(from)).collect();
        assert_eq!(numbers(&*process.journal, from).await, all, "{name}");
    }
}

async fn visited(journal: &dyn Journal, from: u64) -> Vec<Record> {
    let mut visited = Vec::new();
    let mut keep = |record| visited.push(record);
    assert_eq!(journal.visit(from, &mut keep).await.unwrap(), []);
    visited
}

/// Handed over one by one or read at once, the records are the same.
pub async fn a_long_journal_is_handed_over_record_by_record(world: &dyn World) {
    let (name, process) = (world.name(), world.process().await);
    let journal = &*process.journal;
    for at in 0..LONG {
        let lazily = journal.append(at, Timestamp(at), working(at), Durability::Lazy);
        lazily.await.unwrap();
    }
    let other = world.process().await.journal;
    for from in [0, 1, 1_024, 1_999, 2_001, LONG, 3_000] {
        let read = journal.read(from).await.unwrap();
        assert_eq!(read.records.len() as u64, LONG.saturating_sub(from));
        assert_eq!(visited(journal, from).await, read.records, "{name}: {from}");
        assert_eq!(visited(&*other, from).await, read.records, "{name}: {from}");
    }
    // Somebody who gives up in the middle is in nobody's way.
    let mut none = |_| {};
    let visit = journal.visit(0, &mut none);
    drop(tokio::time::timeout(Duration::ZERO, visit).await);
    put(journal, LONG).await.unwrap();
}

/// The names of the commands that a record decides are kept with it for every reader.
pub async fn the_commands_that_a_record_lists_are_read_back(world: &dyn World) {
    let (name, one) = (world.name(), world.process().await.journal);
    put(&*one, 0).await.unwrap();
    let mut record = Record::of(1, Timestamp(1), working(1));
    let listed = r#"[["00000000-0000-0000-0000-000000000007",3,0,1],["00000000-0000-0000-0000-000000000007",4,1,0]]"#;
    record.commands = serde_json::from_str(listed).unwrap();
    let append = one.append_record(record.clone(), Durability::Synced);
    append.await.unwrap();
    // All of its commands were refused elsewhere.
    record.number = 2;
    record.events.clear();
    let append = one.append_record(record.clone(), Durability::Synced);
    append.await.unwrap();
    let read = world.process().await.journal.read(0).await.unwrap();
    let commands: Vec<_> = read.records.iter().map(|record| &record.commands).collect();
    assert_eq!(commands, [&Vec::new(), &record.commands, &record.commands]);
    let id = record.commands[0].id;
    assert_eq!(read.records[1].events_of(id), Some(&*working(1)), "{name}");
    assert_eq!(read.records[0].events_of(id), None, "{name}");
}

/// An append that nobody waits for is in the journal once, or not at all, and its place is nobody else's.
pub async fn an_append_that_is_given_up_is_there_once_or_never(world: &dyn World) {
    let (name, journal) = (world.name(), world.process().await.journal);
    let mut acknowledged = Vec::new();
    let mut at = 0;
    for round in 0..20 {
        let given_up = journal.append(at, Timestamp(0), working(1_000 + round), Durability::Synced);
        give_up(given_up);
        loop {
            let mine = journal.append(at, Timestamp(0), working(round), Durability::Synced);
            match mine.await {
                Ok(()) => break,
                Err(JournalError::Conflict { length }) => at = length,
                Err(error) => panic!("{name}: {error}"),
            }
        }
        acknowledged.push((at, working(round)));
        at += 1;
    }
    let records = world.process().await.journal.read(0).await.unwrap().records;
    let mut seen = BTreeMap::new();
    for (number, record) in (0..).zip(&records) {
        assert_eq!(record.number, number, "{name}");
        *seen.entry(format!("{:?}", record.events)).or_insert(0) += 1;
    }
    assert!(seen.values().all(|times| *times == 1), "{name}: {seen:?}");
    for (at, events) in acknowledged {
        let record = &records[usize::try_from(at).unwrap()];
        assert_eq!(record.events, events, "{name}");
    }
}

/// Synced records are there after a power cut, with all before them, and the journal goes on.
pub async fn what_was_synced_survives_a_crash(world: &dyn CrashingWorld) {
    let (name, mut at) = (world.name(), 0);
    for seed in 0..8 {
        let process = world.process().await;
        let mut synced = at;
        for lazy in [true, false, false, true] {
            let durability = match lazy {
                true => Durability::Lazy,
                false => Durability::Synced,
            };
            let appended = process
                .journal
                .append(at, Timestamp(at), working(at), durability);
            appended.await.unwrap();
            at += 1;
            if !lazy {
                synced = at;
            }
        }
        world.crash(seed).await;
        drop(process);
        let read = world.process().await.journal.read(0).await.unwrap();
        let length = read.records.len() as u64;
        assert!((synced..=at).contains(&length), "{name}: {length} of {at}");
        for (number, record) in (0..).zip(&read.records) {
            assert_eq!(
                (record.number, &record.events),
                (number, &working(number)),
                "{name}"
            );
        }
        at = length;
    }
}
