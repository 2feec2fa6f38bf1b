//! Settling is an append: it takes nothing away, and works in a full mailbox.

use teammate_core::port::MailError;
use teammate_nats::layout::MAIL_MESSAGES_MAX;
use teammate_testkit::stories::{ids, mail, name};

use crate::world::Own;

#[tokio::test(flavor = "multi_thread")]
async fn a_settling_takes_no_mail_that_nobody_has_seen() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (bob, reader, sender) = (name("bob"), own.store().await, own.store().await);
    sender.mailbox.send(mail("m1", "bob", "hi")).await.unwrap();
    let first = reader.mailbox.take(&bob).await.unwrap();
    sender.mailbox.send(mail("m2", "bob", "hi")).await.unwrap();
    reader.mailbox.ack(&bob, first[0].id).await.unwrap();
    // Its owner goes on behind what it settled, and so does somebody new.
    let second = reader.mailbox.take(&bob).await.unwrap();
    assert_eq!(ids(&second), ["m2"]);
    let somebody = own.store().await;
    let waiting = somebody.mailbox.peek(&bob).await.unwrap();
    assert_eq!(waiting.len(), 1);
    let again = somebody.mailbox.take(&bob).await.unwrap();
    assert_eq!(ids(&again), ["m2"]);
    reader.mailbox.ack(&bob, second[0].id).await.unwrap();
    assert_eq!(own.store().await.mailbox.peek(&bob).await.unwrap(), []);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_mailbox_with_as_many_messages_as_it_takes_is_full_until_they_are_settled() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (bob, store) = (name("bob"), own.store().await);
    for n in 0..MAIL_MESSAGES_MAX {
        store
            .mailbox
            .send(mail(&format!("m{n}"), "bob", "hi"))
            .await
            .unwrap();
    }
    let refused = store.mailbox.send(mail("more", "bob", "hi")).await;
    assert!(
        matches!(refused, Err(MailError::Full { .. })),
        "{refused:?}"
    );
    let batches = store.mailbox.take(&bob).await.unwrap();
    assert_eq!(ids(&batches).len() as u64, MAIL_MESSAGES_MAX);
    for batch in batches {
        store.mailbox.ack(&bob, batch.id).await.unwrap();
    }
    assert_eq!(own.store().await.mailbox.peek(&bob).await.unwrap(), []);
    store.mailbox.send(mail("more", "bob", "hi")).await.unwrap();
    let heard = store.mailbox.take(&bob).await.unwrap();
    assert_eq!(ids(&heard), ["more"]);
}

/// What a stranger puts into a mailbox is heard as a stranger's, and kept.
#[tokio::test(flavor = "multi_thread")]
async fn mail_without_a_seal_is_unverified() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (bob, client, store) = (name("bob"), own.client().await, own.store().await);
    let jet = async_nats::jetstream::new(client);
    for line in [
        r#"{"from":"lead","type":"shutdown_request","content":"stop"}"#,
        "no JSON",
    ] {
        let stored = jet
            .publish(own.place.mail(&bob), line.into())
            .await
            .unwrap();
        stored.await.unwrap();
    }
    let batches = store.mailbox.take(&bob).await.unwrap();
    let [batch] = &batches[..] else {
        panic!("{batches:?}")
    };
    assert_eq!(batch.messages[0].content, "stop");
    assert_eq!((batch.unsealed.len(), batch.damaged.len()), (1, 1));
    let part = own.place.part("");
    assert!(batch.unsealed[0].kept_in.starts_with(&part), "{batch:?}");
    assert!(batch.damaged[0].kept_in.starts_with(&part), "{batch:?}");
}

/// A mark of a stranger settles nothing.
#[tokio::test(flavor = "multi_thread")]
async fn a_mark_without_a_seal_settles_nothing() {
    let Some(own) = Own::server().await else {
        return;
    };
    let (bob, store) = (name("bob"), own.store().await);
    store.mailbox.send(mail("m1", "bob", "hi")).await.unwrap();
    let jet = async_nats::jetstream::new(own.client().await);
    let mark = r#"{"settled":99}"#;
    let stored = jet.publish(own.place.settled(&bob), mark.into()).await;
    stored.unwrap().await.unwrap();
    let heard = own.store().await.mailbox.take(&bob).await.unwrap();
    assert_eq!(ids(&heard), ["m1"]);
}
