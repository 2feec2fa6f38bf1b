//! The story of an archive: what members leave behind is out of the way, and nothing else is.

use teammate_core::transcript::Entry;

use super::{World, ids, mail, name};

/// The name is free for somebody new; the others keep what they have.
pub async fn what_is_archived_is_out_of_the_way(world: &dyn World) {
    let (told, process) = (world.name(), world.process().await);
    let (mailbox, transcripts) = (&*process.mailbox, &*process.transcripts);
    let (bob, carol) = (name("bob"), name("carol"));
    for member in [&bob, &carol] {
        let mut open = transcripts.open(member).await.unwrap();
        let entry = Entry::Prompted(member.to_string());
        open.log.append(&entry).await.unwrap();
        for id in ["m1", "m2"] {
            let id = format!("{member}-{id}");
            mailbox
                .send(mail(&id, member.as_str(), "hi"))
                .await
                .unwrap();
            mailbox.take(member).await.unwrap();
        }
        let unread = mail(&format!("{member}-m3"), member.as_str(), "hi");
        mailbox.send(unread).await.unwrap();
    }

    // Again after a crash: what was moved stays there.
    for _ in 0..2 {
        let members = std::slice::from_ref(&bob);
        let place = process.archive.archive("team-1", members).await.unwrap();
        assert_ne!(place, "", "{told}");
    }
    drop(process);

    let after = world.process().await;
    let open = after.transcripts.open(&bob).await.unwrap();
    assert_eq!((open.entries, open.repairs), (vec![], vec![]), "{told}");
    assert_eq!(after.mailbox.take(&bob).await.unwrap(), [], "{told}");
    after.mailbox.send(mail("new", "bob", "hi")).await.unwrap();
    let heard = after.mailbox.take(&bob).await.unwrap();
    assert_eq!(ids(&heard), ["new"], "{told}");

    let kept = after.transcripts.peek(&carol).await.unwrap();
    assert_eq!(kept, [Entry::Prompted("carol".to_owned())], "{told}");
    let heard = ids(&after.mailbox.take(&carol).await.unwrap());
    assert_eq!(heard, ["carol-m1", "carol-m2", "carol-m3"], "{told}");
}
