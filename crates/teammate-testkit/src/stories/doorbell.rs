//! The story of the doorbells: somebody who waits hears of what came, also from another process. They may ring for nothing, so
//! a reader looks, and waits again.

use std::time::Duration;

use teammate_core::{Timestamp, port::Durability};

use super::{World, ids, mail, name, working};

/// Far longer than any ring takes: a bell that is silent fails here, and does not hang.
const SILENCE: Duration = Duration::from_secs(60);

async fn within<T>(world: &str, ringing: impl Future<Output = T>) -> T {
    let rung = tokio::time::timeout(SILENCE, ringing).await;
    rung.unwrap_or_else(|_| panic!("{world}: the doorbell is silent"))
}

/// What came before anybody listened rings, too.
pub async fn a_doorbell_rings_for_what_came_before_it_was_listened_to(world: &dyn World) {
    let (told, process) = (world.name(), world.process().await);
    let (mailbox, bob) = (&*process.mailbox, name("bob"));
    within(told, async {
        mailbox.send(mail("m1", "bob", "hi")).await.unwrap();
        mailbox.rang(&bob).await;
        let ((), sent) = tokio::join!(mailbox.rang(&bob), mailbox.send(mail("m2", "bob", "hi")));
        assert_eq!(sent, Ok(()), "{told}");
    })
    .await;
}

/// The owner looks, waits, and finds each message of another process.
pub async fn mail_of_another_process_rings(world: &dyn World) {
    let (reader, sender) = (world.process().await, world.process().await);
    let bob = name("bob");
    let sending = async {
        for n in 0..10 {
            let id = format!("m{n}");
            sender.mailbox.send(mail(&id, "bob", "hi")).await.unwrap();
        }
    };
    let hearing = async {
        let mut heard = Vec::new();
        loop {
            for batch in reader.mailbox.take(&bob).await.unwrap() {
                reader.mailbox.ack(&bob, batch.id).await.unwrap();
                heard.extend(ids(&[batch]));
            }
            if heard.len() == 10 {
                return heard;
            }
            reader.mailbox.rang(&bob).await;
        }
    };
    let (heard, ()) = within(world.name(), async { tokio::join!(hearing, sending) }).await;
    assert!(heard.is_sorted(), "{}: {heard:?}", world.name());
}

/// A process that follows the journal looks, waits, and finds each record of another process.
pub async fn records_of_another_process_ring(world: &dyn World) {
    let (reader, writer) = (world.process().await, world.process().await);
    let writing = async {
        for n in 0..10 {
            let appended = writer
                .journal
                .append(n, Timestamp(n), working(n), Durability::Synced);
            appended.await.unwrap();
        }
    };
    let reading = async {
        let mut next = 0;
        loop {
            let read = reader.journal.read(next).await.unwrap();
            next += read.records.len() as u64;
            if next == 10 {
                return;
            }
            reader.journal.grew().await;
        }
    };
    within(world.name(), async { tokio::join!(reading, writing) }).await;
}

/// A process that follows the journal has each record once, at least as many as it knows to be there.
pub async fn who_follows_the_journal_has_each_record_once(world: &dyn World) {
    const ALL: u64 = 60;
    let (reader, writer) = (world.process().await, world.process().await);
    let (told, mut length) = tokio::sync::watch::channel(0);
    let writing = async {
        for n in 0..ALL {
            let appended = writer
                .journal
                .append(n, Timestamp(n), working(n), Durability::Synced);
            appended.await.unwrap();
            // Between these nobody says how many there are.
            if n % 3 == 0 {
                told.send_replace(n + 1);
            }
        }
    };
    let following = async {
        let mut read = Vec::new();
        while (read.len() as u64) < ALL {
            let next = read.len() as u64;
            let at_least = tokio::select! {
                () = reader.journal.grew() => next,
                Ok(()) = length.changed() => *length.borrow_and_update(),
            };
            let followed = reader.journal.follow(next, at_least).await.unwrap();
            read.extend(followed.records.iter().map(|record| record.number));
            assert!(
                read.len() as u64 >= at_least,
                "{}: {read:?}, not {at_least}",
                world.name()
            );
        }
        read
    };
    let (read, ()) = within(world.name(), async { tokio::join!(following, writing) }).await;
    assert!(read.into_iter().eq(0..ALL), "{}", world.name());
}
