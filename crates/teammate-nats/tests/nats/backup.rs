//! A backup that is made while members write, restored on another server: one history, as far as it goes.

use teammate_core::{
    Timestamp,
    port::{Durability, JournalError},
    transcript::Entry,
};
use teammate_nats::NatsStore;
use teammate_testkit::stories::{name, working};
use tokio::sync::watch;

use crate::{
    snapshot::{Backup, Snapshot},
    world::{Own, seal},
};

/// How many records are there when the backup begins.
const BEFORE: u64 = 300;

/// How many are there in the end.
const AFTER: u64 = 700;

/// Writes records and entries until there are `AFTER`, and tells how many there are.
async fn write(store: NatsStore, told: watch::Sender<u64>) {
    let mut bob = store.transcripts.open(&name("bob")).await.unwrap();
    for n in 0..AFTER {
        let appended = store
            .journal
            .append(n, Timestamp(n), working(n), Durability::Synced);
        appended.await.unwrap();
        bob.log
            .append(&Entry::Prompted(n.to_string()))
            .await
            .unwrap();
        told.send_replace(n + 1);
    }
}

/// The records there are, which are numbered one by one, and as many entries or one less.
async fn assert_one_history(store: &NatsStore) -> u64 {
    let records = store.journal.read(0).await.unwrap().records;
    let there = records.len() as u64;
    let mut numbered = records.iter().zip(0..);
    assert!(numbered.all(|(record, n)| record.number == n));
    let entries = store.transcripts.peek(&name("bob")).await.unwrap();
    let said: Vec<_> = (0..entries.len())
        .map(|n| Entry::Prompted(n.to_string()))
        .collect();
    assert_eq!(entries, said);
    there
}

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_is_one_history_and_whoever_knew_more_is_stopped() {
    let (Some(own), Some(other)) = (Own::server().await, Own::server().await) else {
        return;
    };
    let (told, mut count) = watch::channel(0);
    let writer = own.store().await;
    let writing = tokio::spawn(write(writer.clone(), told));
    count.wait_for(|count| *count >= BEFORE).await.unwrap();
    let backup = Backup::of(&own.client().await, "TM_LOG_0").await;
    writing.await.unwrap();

    let client = other.client().await;
    backup.restore(&client).await;
    let store = NatsStore::at(client, own.place.clone(), seal());
    let there = assert_one_history(&store).await;
    assert!((BEFORE..=AFTER).contains(&there), "{there} records");
    // It goes on from there.
    let appended = store
        .journal
        .append(there, Timestamp(1), working(1), Durability::Synced);
    appended.await.unwrap();

    // The same on the old server: a process that knew more than the backup does not go on as if nothing were.
    backup.restore(&own.client().await).await;
    if there < AFTER {
        let read = writer.journal.read(0).await;
        assert!(matches!(read, Err(JournalError::Unsound(_))), "{read:?}");
    }
}

/// nats-server #8425 names the backup's path as one where data that was acknowledged may not be on the disk.
#[tokio::test(flavor = "multi_thread")]
async fn a_server_that_is_killed_in_the_middle_of_a_backup_has_all_that_it_acknowledged() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (told, mut count) = watch::channel(0);
    let writing = tokio::spawn(write(own.store().await, told));
    for kill in 1..=3 {
        let at = kill * AFTER / 5;
        count.wait_for(|count| *count >= at).await.unwrap();
        let client = own.client().await;
        let mut snapshot = Snapshot::begin(&client, "TM_LOG_0").await;
        snapshot.next(&client).await.unwrap();
        own.kill_and_start();
    }
    writing.await.unwrap();
    assert_eq!(assert_one_history(&own.store().await).await, AFTER);
    // And a backup can be made.
    let Some(other) = Own::server().await else {
        return;
    };
    let backup = Backup::of(&own.client().await, "TM_LOG_0").await;
    let client = other.client().await;
    backup.restore(&client).await;
    let store = NatsStore::at(client, own.place.clone(), seal());
    assert_eq!(assert_one_history(&store).await, AFTER);
}
