//! What a server's disk loses or changes: the first read finds it, names the record, and nothing is written behind it.

use std::{fs, path::Path, time::Duration};

use async_nats::Client;
use serde_json::json;
use teammate_core::{
    Timestamp,
    port::{Durability, Journal, JournalError, TranscriptError},
    transcript::Entry,
};
use teammate_nats::{NatsStore, layout::Replicas};
use teammate_testkit::{
    nats::{NatsCluster, program},
    stories::{name, working},
};
use tokio::time::sleep;

use crate::{
    snapshot::Backup,
    world::{Own, connected, made, place, seal},
};

/// How many records and entries there are.
const ALL: u64 = 20;

/// Which one is harmed.
const HARMED: u64 = 7;

/// Where a server keeps the streams of an account that has no name.
const STREAMS: &str = "jetstream/$G/streams";

/// The pause before a server is looked at again.
const AGAIN: Duration = Duration::from_millis(500);

async fn put(journal: &dyn Journal, n: u64) -> Result<(), JournalError> {
    let appended = journal.append(n, Timestamp(n), working(n), Durability::Synced);
    appended.await
}

/// Writes all records, and as many entries of bob's.
async fn write(store: &NatsStore) {
    let mut bob = store.transcripts.open(&name("bob")).await.unwrap();
    for n in 0..ALL {
        put(&*store.journal, n).await.unwrap();
        let entry = Entry::Prompted(format!("entry number {n}."));
        bob.log.append(&entry).await.unwrap();
    }
}

/// Flips one bit of the first place where a stream's files have this text.
fn flip(dir: &Path, text: &str) -> bool {
    for entry in fs::read_dir(dir).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() && flip(&path, text) {
            return true;
        }
        if path.extension().is_none_or(|extension| extension != "blk") {
            continue;
        }
        let mut bytes = fs::read(&path).unwrap();
        let found = bytes
            .windows(text.len())
            .position(|window| window == text.as_bytes());
        if let Some(at) = found {
            bytes[at + text.len() - 1] ^= 1;
            fs::write(&path, bytes).unwrap();
            return true;
        }
    }
    false
}

fn unsound<T: std::fmt::Debug>(result: Result<T, JournalError>, names: &str) {
    match result {
        Err(JournalError::Unsound(why)) => assert!(why.contains(names), "{why}"),
        other => panic!("{other:?}"),
    }
}

/// A record, as it is in a file.
fn harmed() -> String {
    format!("{{\"n\":{HARMED},\"at\":{HARMED}")
}

/// nats-server 2.15.1 finds a bad message when it starts, and cuts its log there without a word. Who knew more sees that.
#[tokio::test(flavor = "multi_thread")]
async fn a_flipped_bit_stops_those_who_knew_what_the_server_cuts_off() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (knows, appends) = (own.store().await, own.store().await);
    write(&knows).await;
    appends.journal.read(0).await.unwrap();
    let dir = own.server.lock().unwrap().store();
    own.server.lock().unwrap().kill();
    assert!(flip(&dir.join(STREAMS), &harmed()));
    own.kill_and_start();
    let named = format!("record {} of journal", ALL - 1);
    unsound(knows.journal.read(0).await, &named);
    unsound(put(&*appends.journal, ALL).await, &named);
    // Nobody else can know.
    let stranger = own.store().await.journal.read(0).await.unwrap();
    assert_eq!(stranger.records.len() as u64, HARMED);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_flipped_bit_on_one_of_three_servers_is_mended_by_the_others() {
    let Some(program) = program() else { return };
    let dir = tempfile::tempdir().unwrap();
    let mut three = NatsCluster::start(&program, dir.path()).unwrap();
    let (client, place) = (connected(&three.urls()).await, place());
    made(&client, &place, Replicas::Three).await;
    let store = || NatsStore::at(client.clone(), place.clone(), seal());
    let knows = store();
    write(&knows).await;
    for (at, name) in ["a", "b", "c"].into_iter().enumerate() {
        let server = &mut three.servers[at];
        server.kill();
        assert!(flip(&server.store().join(STREAMS), &harmed()));
        server.start_again().unwrap();
        until_leads(&client, name).await;
        for reader in [&knows, &store()] {
            let read = reader.journal.read(0).await.unwrap();
            assert_eq!(read.records.len() as u64, ALL, "as {name} has it");
        }
    }
}

/// Makes a server the log's leader, as soon as it has all of it.
async fn until_leads(client: &Client, name: &str) {
    let jet = async_nats::jetstream::new(client.clone());
    let ask = json!({"placement": {"preferred": name}}).to_string();
    loop {
        if let Ok(stream) = jet.get_stream("TM_LOG_0").await {
            let cluster = stream.cached_info().cluster.clone().unwrap();
            if cluster.leader.as_deref() == Some(name) {
                return;
            }
            let mut peers = cluster.replicas.iter();
            if peers.all(|peer| peer.current && !peer.offline) {
                // If nobody takes it, it is asked again.
                let subject = "$JS.API.STREAM.LEADER.STEPDOWN.TM_LOG_0";
                let _ = client.request(subject, ask.clone().into()).await;
            }
        }
        sleep(AGAIN).await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_that_was_taken_out_stops_the_team_at_the_next_read() {
    let (Some(own), Some(other)) = (Own::server().await, Own::server().await) else {
        return;
    };
    write(&own.store().await).await;
    // Nobody can take one out of the stream itself: an operator restores it without its protection.
    let mut backup = Backup::of(&own.client().await, "TM_LOG_0").await;
    backup.config["deny_delete"] = json!(false);
    let client = other.client().await;
    backup.restore(&client).await;
    let store = NatsStore::at(client.clone(), own.place.clone(), seal());
    assert_eq!(store.journal.read(0).await.unwrap().records.len(), 20);
    // Records and entries are written in turn.
    take_out(&client, 2 * HARMED + 2).await;
    match store.transcripts.peek(&name("bob")).await {
        Err(TranscriptError::Broken { why, .. }) => {
            let named = format!("record {HARMED} of transcript/bob");
            assert!(why.to_string().contains(&named), "{why}");
        }
        other => panic!("{other:?}"),
    }
    take_out(&client, 2 * HARMED + 1).await;
    let named = format!("record {HARMED} of journal");
    let stranger = NatsStore::at(client, own.place.clone(), seal());
    unsound(store.journal.read(0).await, &named);
    unsound(stranger.journal.read(0).await, &named);
    unsound(put(&*stranger.journal, ALL).await, &named);
}

/// Removes a message, as an operator can.
async fn take_out(client: &Client, sequence: u64) {
    let ask = json!({"seq": sequence, "no_erase": true}).to_string();
    let subject = "$JS.API.STREAM.MSG.DELETE.TM_LOG_0";
    let answer = client.request(subject, ask.into()).await.unwrap();
    let answer = String::from_utf8_lossy(&answer.payload).into_owned();
    assert!(answer.contains("\"success\":true"), "{answer}");
}
