//! A story for each code: a scripted answerer stands where a stream would be, and sees what is sent again.

use std::collections::VecDeque;

use futures_util::StreamExt as _;
use teammate_core::{
    port::{FileError, MailError, TranscriptError},
    transcript::Entry,
};
use teammate_nats::{
    NatsStore,
    layout::{NatsPlace, Partition, TeamId},
};
use teammate_testkit::stories::{mail, name};
use tokio::sync::oneshot;

use crate::world::{Own, seal};

const STORED: &str = r#"{"stream":"S","seq":7}"#;
const DUPLICATE: &str = r#"{"stream":"S","seq":7,"duplicate":true}"#;
const IN_FLIGHT: &str =
    r#"{"error":{"code":400,"err_code":10164,"description":"wrong last sequence"}}"#;
const SAME_IN_FLIGHT: &str =
    r#"{"error":{"code":409,"err_code":10158,"description":"duplicate message id is in process"}}"#;
const NO_LEADER: &str =
    r#"{"error":{"code":503,"err_code":10008,"description":"temporarily unavailable"}}"#;
const CONFLICT: &str =
    r#"{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 9"}}"#;
const EMPTY: &str =
    r#"{"error":{"code":400,"err_code":10071,"description":"wrong last sequence: 0"}}"#;
const NO_ROOM: &str =
    r#"{"error":{"code":503,"err_code":10047,"description":"insufficient storage resources"}}"#;
const FULL: &str = r#"{"error":{"code":503,"err_code":10077,"description":"maximum messages"}}"#;
const TOO_LARGE: &str =
    r#"{"error":{"code":400,"err_code":10054,"description":"message size exceeds maximum"}}"#;
/// No answer at all.
const SILENCE: &str = "";

/// Where no stream is.
fn nowhere() -> NatsPlace {
    NatsPlace {
        partition: Partition(9),
        team: TeamId::parse("x").unwrap(),
    }
}

/// Answers what is sent to a subject, one after the other; gives the ids under which it was sent.
async fn answers(own: &Own, subject: String, script: &[&str]) -> oneshot::Receiver<Vec<String>> {
    let client = own.client().await;
    let mut sent = client.subscribe(subject).await.unwrap();
    client.flush().await.unwrap();
    let mut script: VecDeque<String> = script.iter().map(|&line| line.to_owned()).collect();
    let (done, ids) = oneshot::channel();
    tokio::spawn(async move {
        let mut ids = Vec::new();
        while let Some(answer) = script.pop_front() {
            let message = sent.next().await.unwrap();
            let id = message.headers.unwrap();
            ids.extend(id.get("Nats-Msg-Id").map(ToString::to_string));
            if answer != SILENCE {
                client
                    .publish(message.reply.unwrap(), answer.into())
                    .await
                    .unwrap();
            }
        }
        client.flush().await.unwrap();
        let _ = done.send(ids);
    });
    ids
}

/// Appends one entry to bob's transcript while the script answers; what came of it, and under which ids it was sent.
async fn appended(script: &[&str]) -> Option<(Result<(), TranscriptError>, Vec<String>)> {
    let own = Own::server().await?;
    let bob = name("bob");
    let script = [&[EMPTY], script].concat();
    let ids = answers(&own, nowhere().transcript(&bob), &script).await;
    let store = NatsStore::at(own.client().await, nowhere(), seal());
    let mut open = store.transcripts.open(&bob).await.unwrap();
    let result = open.log.append(&Entry::Prompted("go".to_owned())).await;
    Some((result, ids.await.unwrap()))
}

fn assert_the_same(ids: &[String], count: usize) {
    assert_eq!(ids.len(), count, "{ids:?}");
    assert!(ids.iter().all(|id| *id == ids[0]), "{ids:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn error_10164_is_no_verdict() {
    let script = [IN_FLIGHT, IN_FLIGHT, IN_FLIGHT, STORED];
    let Some((result, ids)) = appended(&script).await else {
        return;
    };
    assert_eq!(result, Ok(()));
    assert_the_same(&ids, 4);
}

/// A leader that was killed had the message on its way, and its successor still has.
#[tokio::test(flavor = "multi_thread")]
async fn error_10158_is_no_verdict_either() {
    let script = [SILENCE, SAME_IN_FLIGHT, SAME_IN_FLIGHT, DUPLICATE];
    let Some((result, ids)) = appended(&script).await else {
        return;
    };
    assert_eq!(result, Ok(()));
    assert_the_same(&ids, 4);
}

#[tokio::test(flavor = "multi_thread")]
async fn error_10071_is_somebody_else() {
    let Some((result, ids)) = appended(&[CONFLICT]).await else {
        return;
    };
    assert!(
        matches!(result, Err(TranscriptError::Owned { .. })),
        "{result:?}"
    );
    assert_the_same(&ids, 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_a_leader_the_same_message_is_sent_again() {
    let Some((result, ids)) = appended(&[NO_LEADER, NO_LEADER, STORED]).await else {
        return;
    };
    assert_eq!(result, Ok(()));
    assert_the_same(&ids, 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn without_an_answer_the_same_message_is_sent_again_and_a_duplicate_is_a_success() {
    let Some((result, ids)) = appended(&[SILENCE, DUPLICATE]).await else {
        return;
    };
    assert_eq!(result, Ok(()));
    assert_the_same(&ids, 2);
}

/// A server that cannot read its last message refuses what comes behind it, though nobody else was there.
#[tokio::test(flavor = "multi_thread")]
async fn error_10071_that_names_what_was_expected_is_no_verdict() {
    let Some((result, ids)) = appended(&[EMPTY, EMPTY, STORED]).await else {
        return;
    };
    assert_eq!(result, Ok(()));
    assert_the_same(&ids, 3);
}

/// What a refused append ends with: it was sent once. The disk's failures, and others.
async fn refused(code: u64, text: &str) -> Option<FileError> {
    let answer = format!(r#"{{"error":{{"code":503,"err_code":{code},"description":"{text}"}}}}"#);
    let (result, ids) = appended(&[&answer]).await?;
    assert_the_same(&ids, 1);
    let Err(TranscriptError::Broken { why, .. }) = result else {
        panic!("{result:?}");
    };
    Some(why)
}

#[tokio::test(flavor = "multi_thread")]
async fn what_does_not_fit_on_the_servers_is_the_disks_failure_and_says_what_would() {
    for code in [10_002, 10_023, 10_028, 10_047, 10_053] {
        let Some(why) = refused(code, "insufficient").await else {
            return;
        };
        assert!(why.is_of_disk(), "{code}: {why}");
        assert!(
            why.to_string().contains("give JetStream more room"),
            "{why}"
        );
    }
    let full = refused(10_077, "maximum bytes exceeded").await.unwrap();
    assert!(full.is_of_disk(), "{full}");
    assert!(
        full.to_string().contains("purge what ended teams"),
        "{full}"
    );
    let disk = refused(10_077, "no space left on device").await.unwrap();
    assert!(disk.is_of_disk(), "{disk}");
    assert!(disk.to_string().contains("another disk"), "{disk}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_is_too_large_or_not_understood_is_refused_at_once() {
    let Some(large) = refused(10_054, "message size exceeds maximum").await else {
        return;
    };
    assert!(!large.is_of_disk(), "{large}");
    assert!(large.to_string().contains("max_payload"), "{large}");
    let answer = r#"{"error":{"code":400,"err_code":10003,"description":"bad request"}}"#;
    let (result, ids) = appended(&[answer]).await.unwrap();
    assert_the_same(&ids, 1);
    let text = result.unwrap_err().to_string();
    assert!(
        text.contains("bad request") && text.contains("the conditions"),
        "{text}"
    );
}

/// The first sending had no answer: that the second is refused says nothing of it.
#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_after_silence_says_that_nobody_knows() {
    let Some((result, ids)) = appended(&[SILENCE, NO_ROOM, EMPTY]).await else {
        return;
    };
    let text = result.unwrap_err().to_string();
    assert!(text.contains("no server has acknowledged it"), "{text}");
    assert_the_same(&ids[..2], 2);
}

#[tokio::test(flavor = "multi_thread")]
async fn mail_that_is_refused_was_sent_once_and_says_why() {
    let Some(own) = Own::server().await else {
        return;
    };
    let bob = name("bob");
    for (answer, is_of_disk) in [(FULL, true), (NO_ROOM, true), (TOO_LARGE, false)] {
        let ids = answers(&own, nowhere().mail(&bob), &[answer]).await;
        let store = NatsStore::at(own.client().await, nowhere(), seal());
        let sent = store.mailbox.send(mail("m1", "bob", "hi")).await;
        let Err(MailError::Broken { why, .. }) = sent else {
            panic!("{sent:?}");
        };
        assert_eq!(why.is_of_disk(), is_of_disk, "{why}");
        assert_the_same(&ids.await.unwrap(), 1);
    }
}
