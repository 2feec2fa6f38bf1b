//! Attachments of mail that nothing proves. (The stories of every mailbox and transcript have those of the user.)

use crate::common::{Files, name};
use teammate_core::{Sender, port::Mailbox};
use teammate_store::wire;
use teammate_testkit::stories::{attached, largest};

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
