//! A log that is not one history stops the team, and names the record.

use std::{fs, path::Path};

use teammate_core::{
    Timestamp,
    port::{Durability, Journal, JournalError, TranscriptError},
    transcript::Entry,
};
use teammate_testkit::stories::{name, working};
use teammate_wire::{
    chain::{LineDigest, Log},
    entry, record,
};

use crate::world::{Own, seal};

async fn put(journal: &dyn Journal, at: u64) -> Result<(), JournalError> {
    put_at(journal, at, Timestamp(at)).await
}

async fn put_at(journal: &dyn Journal, n: u64, at: Timestamp) -> Result<(), JournalError> {
    let appended = journal.append(n, at, working(n), Durability::Synced);
    appended.await
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap() {
        let entry = entry.unwrap();
        let to = to.join(entry.file_name());
        match entry.file_type().unwrap().is_dir() {
            true => copy(&entry.path(), &to),
            false => drop(fs::copy(entry.path(), to).unwrap()),
        }
    }
}

/// Puts `lines` past all rules on a subject.
async fn scribble(own: &Own, subject: String, line: String) {
    let jet = async_nats::jetstream::new(own.client().await);
    let stored = jet.publish(subject, line.into()).await.unwrap();
    stored.await.unwrap();
}

fn broken<T: std::fmt::Debug>(result: Result<T, JournalError>, names: &str) {
    match result {
        Err(JournalError::Unsound(why)) => {
            assert!(why.contains(names), "{why}");
        }
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_restored_old_backup_stops_those_who_knew_more() {
    let Some(own) = Own::server().await else {
        return;
    };
    let store = own.store().await;
    for at in 0..3 {
        put(&*store.journal, at).await.unwrap();
    }
    let backup = tempfile::tempdir().unwrap();
    let dir = own.server.lock().unwrap().store();
    own.server.lock().unwrap().kill();
    copy(&dir, backup.path());
    own.kill_and_start();
    for at in 3..6 {
        put(&*store.journal, at).await.unwrap();
    }
    let knows = own.store().await;
    assert_eq!(knows.journal.read(0).await.unwrap().records.len(), 6);

    own.server.lock().unwrap().kill();
    fs::remove_dir_all(&dir).unwrap();
    copy(backup.path(), &dir);
    own.kill_and_start();
    // Records are missing.
    broken(store.journal.read(6).await, "record 5 of journal");
    broken(put(&*store.journal, 6).await, "record 5 of journal");
    // Somebody who did not know them goes on, and the others see that the history is another one.
    let stranger = own.store().await;
    for at in 3..8 {
        let later = Timestamp(100 + at);
        put_at(&*stranger.journal, at, later).await.unwrap();
    }
    broken(knows.journal.read(6).await, "record 6 of journal");
    broken(put(&*knows.journal, 6).await, "record 6 of journal");
    assert_eq!(stranger.journal.read(0).await.unwrap().records.len(), 8);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strangers_record_stops_everybody_and_is_kept() {
    let unsealed = |_: &Log| record::to_json(1, Timestamp(1), &working(1));
    let unlinked = |log: &Log| {
        let object = record::to_json(1, Timestamp(1), &working(1));
        log.line(&object, LineDigest::NONE)
    };
    let log = Log::journal(seal());
    let made = [
        ("has no seal", unsealed(&log)),
        ("does not follow", unlinked(&log)),
    ];
    for (what, line) in made {
        let Some(own) = Own::server().await else {
            return;
        };
        let store = own.store().await;
        put(&*store.journal, 0).await.unwrap();
        scribble(&own, own.place.journal(), line).await;
        for journal in [store.journal, own.store().await.journal] {
            broken(put(&*journal, 1).await, "record 1 of journal");
            broken(journal.read(0).await, what);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_strangers_entry_stops_its_member() {
    let Some(own) = Own::server().await else {
        return;
    };
    let bob = name("bob");
    let store = own.store().await;
    let mut open = store.transcripts.open(&bob).await.unwrap();
    open.log
        .append(&Entry::Prompted("go".to_owned()))
        .await
        .unwrap();
    let line = entry::to_json(&Entry::Prompted("stop".to_owned()));
    scribble(&own, own.place.transcript(&bob), line).await;
    let next = open.log.append(&Entry::Prompted("on".to_owned())).await;
    assert!(
        matches!(next, Err(TranscriptError::Owned { .. })),
        "{next:?}"
    );
    match own.store().await.transcripts.open(&bob).await.map(|_| ()) {
        Err(TranscriptError::Broken { why, .. }) => {
            let why = why.to_string();
            assert!(why.contains("record 1 of transcript/bob"), "{why}");
        }
        other => panic!("{other:?}"),
    }
}
