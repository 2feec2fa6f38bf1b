//! What a newer program says: an older one does not know it, says so, and changes nothing.

use teammate_core::{
    Timestamp,
    name::WorkerName,
    port::{Durability, Fleet as _, FleetQuestion, JournalError},
};
use teammate_nats::fleet::{AskOutcome, WorkerProcess};
use teammate_testkit::stories::working;
use teammate_wire::chain::{LineDigest, Log};

use crate::{
    wire::LONG,
    world::{Own, seal},
};

/// The sum of a record, as any version computes it.
fn crc32(bytes: &[u8]) -> u32 {
    let bit = |sum: u32, _| (sum >> 1) ^ (0xEDB8_8320 * (sum & 1));
    let byte = |sum: u32, byte: &u8| (0..8).fold(sum ^ u32::from(*byte), bit);
    !bytes.iter().fold(!0, byte)
}

/// Record 1 with an event that this version does not know.
fn newer_record() -> String {
    let events = r#"[{"event":"holographed","member":"bob"}]"#;
    let sum = crc32(format!("1 1 {events}").as_bytes());
    format!("{{\"n\":1,\"at\":1,\"sum\":\"{sum:08x}\",\"events\":{events}}}")
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_event_stops_the_older_program_in_a_sentence_and_is_kept() {
    let Some(own) = Own::server().await else {
        return;
    };
    let old = own.store().await.journal;
    let appended = old.append(0, Timestamp(0), working(0), Durability::Synced);
    appended.await.unwrap();
    let jet = async_nats::jetstream::new(own.client().await);
    let mut stream = jet.get_stream("TM_LOG_0").await.unwrap();
    let first = stream.get_raw_message(1).await.unwrap().payload;
    let line = Log::journal(seal()).line(&newer_record(), LineDigest::of(&first));
    let stored = jet.publish(own.place.journal(), line.into()).await.unwrap();
    stored.await.unwrap();

    for journal in [old, own.store().await.journal] {
        let appended = journal.append(1, Timestamp(1), working(1), Durability::Synced);
        for refused in [
            appended.await.unwrap_err(),
            journal.read(0).await.unwrap_err(),
        ] {
            let JournalError::Unsound(why) = refused else {
                panic!("{refused:?}")
            };
            assert_eq!(
                why,
                "record 1 of journal (message 2) cannot be read: a newer version of this program wrote it, install that \
                 (unknown variant `holographed`)"
            );
        }
    }
    let messages = stream.info().await.unwrap().state.messages;
    assert_eq!(messages, 2, "nothing is written behind it");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unknown_question_is_answered_as_unknown_and_the_next_one_as_ever() {
    let Some(own) = Own::server().await else {
        return;
    };
    let [w1, w2] = ["w1", "w2"].map(|name| WorkerName::parse(name).unwrap());
    let newer = own.store().await.fleet;
    let old = own.store().await.fleet;
    let old = old.worker_wire(w1.clone(), WorkerProcess::default());
    let mut asked = old.asked().await.unwrap();
    let questions = async {
        let body = r#"{"holograph":{"of":"bob"}}"#;
        let answer = newer.ask(&w2, &w1, body.into(), LONG).await;
        assert_eq!(answer, AskOutcome::Answered(r#""unknown""#.into()));
        newer.ask(&w2, &w1, r#""ping""#.into(), LONG).await
    };
    let (answer, question) = tokio::join!(questions, async {
        let asked = asked.next().await.unwrap();
        (asked.answer)(teammate_core::port::FleetAnswer::Pong);
        asked.question
    });
    assert_eq!(question, FleetQuestion::Ping);
    assert_eq!(answer, AskOutcome::Answered(r#""pong""#.into()));
}
