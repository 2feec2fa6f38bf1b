//! A backup that is made while members write, restored on another server: one history, as far as it goes.
//!
//! What `nats stream backup` and `nats stream restore` do, by the requests that they make.

use async_nats::{Client, Subscriber};
use bytes::Bytes;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use teammate_core::{
    Timestamp,
    port::{Durability, JournalError},
    transcript::Entry,
};
use teammate_nats::{NatsStore, layout::Replicas};
use teammate_testkit::stories::{name, working};
use tokio::sync::watch;

use crate::world::{Own, made, seal};

/// How many records are there when the backup begins.
const BEFORE: u64 = 300;

/// How many are there in the end.
const AFTER: u64 = 700;

/// A stream, as a backup has it.
struct Backup {
    config: Value,
    state: Value,
    chunks: Vec<Bytes>,
}

async fn asked(client: &Client, subject: String, body: &Value) -> Value {
    let answer = client
        .request(subject, body.to_string().into())
        .await
        .unwrap();
    let answer: Value = serde_json::from_slice(&answer.payload).unwrap();
    assert!(answer["error"].is_null(), "{answer}");
    answer
}

async fn backed_up(client: &Client, stream: &str) -> Backup {
    let inbox = client.new_inbox();
    let mut pieces: Subscriber = client.subscribe(inbox.clone()).await.unwrap();
    let ask = json!({"deliver_subject": inbox, "no_consumers": true, "chunk_size": 65_536});
    let told = asked(client, format!("$JS.API.STREAM.SNAPSHOT.{stream}"), &ask).await;
    let mut chunks = Vec::new();
    // The last piece is empty.
    loop {
        let piece = pieces.next().await.unwrap();
        if piece.payload.is_empty() {
            break;
        }
        chunks.push(piece.payload);
        if let Some(reply) = piece.reply {
            client.publish(reply, Bytes::new()).await.unwrap();
        }
    }
    Backup {
        config: told["config"].clone(),
        state: told["state"].clone(),
        chunks,
    }
}

async fn restored(client: &Client, stream: &str, backup: &Backup) {
    let ask = json!({"config": backup.config, "state": backup.state});
    let told = asked(client, format!("$JS.API.STREAM.RESTORE.{stream}"), &ask).await;
    let to = told["deliver_subject"].as_str().unwrap().to_owned();
    for chunk in &backup.chunks {
        client.request(to.clone(), chunk.clone()).await.unwrap();
    }
    let ended = client.request(to, Bytes::new()).await.unwrap();
    let ended: Value = serde_json::from_slice(&ended.payload).unwrap();
    assert!(ended["error"].is_null(), "{ended}");
}

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

#[tokio::test(flavor = "multi_thread")]
async fn a_backup_under_load_is_one_history_and_whoever_knew_more_is_stopped() {
    let (Some(own), Some(other)) = (Own::server().await, Own::server().await) else {
        return;
    };
    let (told, mut count) = watch::channel(0);
    let writer = own.store().await;
    let writing = tokio::spawn(write(writer.clone(), told));
    count.wait_for(|count| *count >= BEFORE).await.unwrap();
    let backup = backed_up(&own.client().await, "TM_LOG_0").await;
    writing.await.unwrap();

    // The other server has the streams of a new partition, which the restored one replaces.
    let client = other.client().await;
    made(&client, &other.place, Replicas::One).await;
    async_nats::jetstream::new(client.clone())
        .delete_stream("TM_LOG_0")
        .await
        .unwrap();
    restored(&client, "TM_LOG_0", &backup).await;

    let store = NatsStore::at(client, own.place.clone(), seal());
    let records = store.journal.read(0).await.unwrap().records;
    let there = records.len() as u64;
    assert!((BEFORE..=AFTER).contains(&there), "{there} records");
    assert!(
        records
            .iter()
            .zip(0..)
            .all(|(record, n)| record.number == n)
    );
    let entries = store.transcripts.peek(&name("bob")).await.unwrap();
    let said: Vec<_> = (0..entries.len())
        .map(|n| Entry::Prompted(n.to_string()))
        .collect();
    assert_eq!(entries, said);
    // It goes on from there.
    let appended = store
        .journal
        .append(there, Timestamp(1), working(1), Durability::Synced);
    appended.await.unwrap();

    // The same on the old server: a process that knew more than the backup does not go on as if nothing were.
    let client = own.client().await;
    async_nats::jetstream::new(client.clone())
        .delete_stream("TM_LOG_0")
        .await
        .unwrap();
    restored(&client, "TM_LOG_0", &backup).await;
    if there < AFTER {
        let read = writer.journal.read(0).await;
        assert!(matches!(read, Err(JournalError::Broken(_))), "{read:?}");
    }
}
