//! Attachments of the user's mail: they are on the line of the text, and as durable and proven as that.
#![allow(clippy::unwrap_used, reason = "a test may")]

mod common;

use common::{Files, World, mail, name, worlds};
use teammate_core::{
    Message, Sender,
    attachment::{ATTACHMENTS_BYTES_MAX, ATTACHMENTS_MAX, Attachment, Attachments, MediaType},
    port::{MailError, Mailbox},
    transcript::Entry,
};
use teammate_store::wire;

/// The user's message with so many pictures of so many bytes.
fn attached(id: &str, count: usize, bytes: usize) -> Message {
    let file = |at: usize| Attachment::new(&format!("{at}.png"), MediaType::Png, "A".repeat(bytes));
    let mut message = mail(id, "bob", "see");
    (message.from, message.from_incarnation) = (Sender::User, None);
    let files: Vec<_> = (0..count).map(file).collect();
    message.metadata.attachments = Attachments::try_from(files).unwrap();
    message
}

/// As large as a message can be.
fn largest(id: &str) -> Message {
    attached(id, ATTACHMENTS_MAX, ATTACHMENTS_BYTES_MAX / ATTACHMENTS_MAX)
}

#[tokio::test]
async fn attachments_are_heard_as_they_were_sent_and_two_full_messages_fit() {
    for World {
        name: world,
        mailbox,
        ..
    } in worlds()
    {
        let bob = name("bob");
        for id in ["m1", "m2"] {
            mailbox.send(largest(id)).await.unwrap();
        }
        mailbox.send(mail("m3", "bob", "hi")).await.unwrap();
        let third = mailbox.send(largest("m4")).await;
        assert!(matches!(third, Err(MailError::Full { .. })), "{world}");
        let claims = mailbox.take(&bob).await.unwrap();
        assert_eq!(
            claims[0].messages,
            [largest("m1"), largest("m2"), mail("m3", "bob", "hi")],
            "{world}"
        );
        assert!(claims[0].damaged.is_empty() && claims[0].unsealed.is_empty());
    }
}

#[tokio::test]
async fn a_transcript_gives_attachments_back() {
    for World {
        name: world,
        transcripts,
        ..
    } in worlds()
    {
        let bob = name("bob");
        let heard = || Entry::Heard(vec![largest("m1")]);
        let mut open = transcripts.open(&bob).await.unwrap();
        open.log.append(&heard()).await.unwrap();
        drop(open);
        let open = transcripts.open(&bob).await.unwrap();
        assert_eq!(
            (open.entries, open.repairs.len()),
            (vec![heard()], 0),
            "{world}"
        );
    }
}

#[tokio::test]
async fn a_line_of_somebody_unknown_has_no_attachments_and_no_room_for_them() {
    let files = Files::real();
    let bob = name("bob");
    let forged = [attached("m1", 1, 400), largest("m2")];
    let forged = forged.map(|message| wire::mail::to_json(&message));
    let inbox = files.dir.inbox(&bob);
    std::fs::create_dir_all(inbox.parent().unwrap()).unwrap();
    files.scribble(&inbox, (forged.join("\n") + "\n").as_bytes());
    let claims = files.mailbox().take(&bob).await.unwrap();
    let [message] = &claims[0].messages[..] else {
        panic!("{} messages", claims[0].messages.len())
    };
    assert!(matches!(message.from, Sender::Unverified(_)));
    assert!(message.metadata.attachments.is_empty());
    assert_eq!(claims[0].damaged.len(), 1);
}
