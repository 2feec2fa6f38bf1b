//! Within a team a worker writes for the members that it has held, and for nobody else.

use std::collections::BTreeSet;

use teammate_core::{
    Sender, Timestamp,
    port::{Durability, JournalError, RecordWriter, TranscriptError},
    team::{PlaceEvent, SandboxLevel, TeamEvent, TeamState, Walls},
    transcript::Entry,
};
use teammate_nats::NatsStore;
use teammate_testkit::stories::{mail, name, working};
use teammate_wire::chain::{LineDigest, Log};

use crate::circle::{Walled, place, placed, worker};

/// Of team `one`, w1 holds alice and w2 bob.
async fn team() -> Option<Walled> {
    let walled = Walled::start().await?;
    let ann = walled.store("ann", "one").await;
    placed(
        &ann.journal,
        0,
        &[("alice", "w1"), ("bob", "w2"), ("cara", "w2")],
    )
    .await;
    Some(walled)
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_counts_from_whom_its_worker_has_held() {
    let Some(walled) = team().await else { return };
    let (w1, w2) = (
        walled.store("w1", "one").await,
        walled.store("w2", "one").await,
    );
    let from = |id: &str, from: Sender| {
        let mut message = mail(id, "bob", "go");
        message.from = from;
        message
    };
    // Alice is held by w1; the others are not.
    w1.mailbox.send(mail("m1", "bob", "hi")).await.unwrap();
    for (id, sender) in [
        ("f1", Sender::User),
        ("f2", Sender::System),
        ("f3", Sender::Member(name("lead"))),
        ("f4", Sender::Member(name("cara"))),
        ("f5", Sender::Member(name("bob"))),
    ] {
        w1.mailbox.send(from(id, sender)).await.unwrap();
    }
    // A person speaks as the user, and w2 for those that it holds.
    let ann = walled.store("ann", "one").await;
    ann.mailbox.send(from("m2", Sender::User)).await.unwrap();
    w2.mailbox
        .send(from("m3", Sender::Member(name("cara"))))
        .await
        .unwrap();
    w2.mailbox.send(from("m4", Sender::System)).await.unwrap();

    let batches = w2.mailbox.take(&name("bob")).await.unwrap();
    let messages: Vec<_> = batches.iter().flat_map(|batch| &batch.messages).collect();
    let believed: Vec<_> = messages
        .iter()
        .filter(|message| !matches!(message.from, Sender::Unverified(_)))
        .map(|message| message.id.as_str())
        .collect();
    assert_eq!(believed, ["m1", "m2", "m3", "m4"]);
    let unsealed: usize = batches.iter().map(|batch| batch.unsealed.len()).sum();
    assert_eq!(unsealed, 5);
}

#[tokio::test(flavor = "multi_thread")]
async fn true_mail_counts_in_its_own_mailbox_and_team_only() {
    let Some(walled) = team().await else { return };
    let ann = walled.store("ann", "two").await;
    placed(&ann.journal, 0, &[("alice", "w3"), ("bob", "w3")]).await;
    walled
        .store("w1", "one")
        .await
        .mailbox
        .send(mail("m1", "bob", "hi"))
        .await
        .unwrap();
    // A person who copies it: the servers let nobody else.
    let person = walled.client("ann").await;
    let jet = async_nats::jetstream::new(person.clone());
    let stream = jet.get_stream("TM_MAIL_0").await.unwrap();
    let line = stream
        .get_last_raw_message_by_subject("tm.0.one.m.bob")
        .await
        .unwrap()
        .payload;
    for to in ["tm.0.two.m.bob", "tm.0.one.m.cara"] {
        jet.publish(to, line.clone()).await.unwrap().await.unwrap();
    }
    for (who, team, member) in [("w3", "two", "bob"), ("w2", "one", "cara")] {
        let store = walled.store(who, team).await;
        let batches = store.mailbox.take(&name(member)).await.unwrap();
        assert_eq!(batches[0].unsealed.len(), 1, "{team}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_entry_stops_a_transcript_and_a_foreign_mark_settles_nothing() {
    let Some(walled) = team().await else { return };
    let (w1, w2) = (
        walled.store("w1", "one").await,
        walled.store("w2", "one").await,
    );
    w1.mailbox.send(mail("m1", "bob", "hi")).await.unwrap();
    let batch = w1.mailbox.take(&name("bob")).await.unwrap().remove(0);
    w1.mailbox.ack(&name("bob"), batch.id).await.unwrap();
    assert_eq!(w2.mailbox.peek(&name("bob")).await.unwrap().len(), 1);

    let mut foreign = w1.transcripts.open(&name("bob")).await.unwrap();
    foreign
        .log
        .append(&Entry::Prompted("stop".to_owned()))
        .await
        .unwrap();
    let opened = w2.transcripts.open(&name("bob")).await.map(|_| ());
    assert!(
        matches!(opened, Err(TranscriptError::Broken { .. })),
        "{opened:?}"
    );
    // A worker that takes over goes on where the one before it was.
    let mut alice = w1.transcripts.open(&name("alice")).await.unwrap();
    let entry = Entry::Prompted("go".to_owned());
    alice.log.append(&entry).await.unwrap();
    assert_eq!(w2.transcripts.peek(&name("alice")).await.unwrap(), [entry]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_record_for_another_team_stops_this_one() {
    let Some(walled) = team().await else { return };
    let creds = walled.creds("w3");
    let seal = creds
        .seal(place("two").team, std::sync::Arc::default())
        .unwrap();
    let log = Log::journal(std::sync::Arc::new(seal));
    let object = teammate_wire::record::to_json(1, teammate_core::Timestamp(1), &working(1));
    let line = log.line(&object, LineDigest::NONE);
    let jet = async_nats::jetstream::new(walled.client("w1").await);
    jet.publish("tm.0.one.j", line.into())
        .await
        .unwrap()
        .await
        .unwrap();
    let read = walled.store("w2", "one").await.journal.read(0).await;
    assert!(matches!(read, Err(JournalError::Unsound(_))), "{read:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_only_the_user_grants_counts_from_a_persons_key() {
    let Some(walled) = team().await else { return };
    let (ann, w1, w2) = (
        walled.store("ann", "one").await,
        walled.store("w1", "one").await,
        walled.store("w2", "one").await,
    );
    assert_eq!(ann.journal.writer(), RecordWriter::User);
    assert_eq!(w1.journal.writer(), RecordWriter::Worker(worker("w1")));
    let demands = async |by: &NatsStore, at: u64, sandbox: SandboxLevel| {
        let walls = Walls {
            sandbox,
            policy: None,
        };
        let events = vec![TeamEvent::Place(PlaceEvent::Demanded { walls })];
        let appended = by
            .journal
            .append(at, Timestamp(at), events, Durability::Synced);
        appended.await.unwrap();
        let mut seen = BTreeSet::new();
        for reader in [&ann, &w1, &w2] {
            let read = reader.journal.read(0).await.unwrap();
            seen.insert(TeamState::of(&read.records).places().demanded().sandbox);
        }
        assert_eq!(seen.len(), 1, "all read the same");
        seen.pop_first().unwrap()
    };
    let by_user = demands(&ann, 1, SandboxLevel::Landlock).await;
    assert_eq!(by_user, SandboxLevel::Landlock);
    let tightened = demands(&w1, 2, SandboxLevel::Full).await;
    assert_eq!(tightened, SandboxLevel::Full);
    let kept = demands(&w1, 3, SandboxLevel::Off).await;
    assert_eq!(kept, SandboxLevel::Full, "a worker loosens nothing");
    let loosened = demands(&ann, 4, SandboxLevel::Off).await;
    assert_eq!(loosened, SandboxLevel::Off);
}
