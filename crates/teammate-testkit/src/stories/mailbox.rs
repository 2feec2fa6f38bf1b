//! The story of a mailbox: what is sent is heard, in order, until it is settled.

use std::{collections::BTreeSet, sync::Arc};

use teammate_core::{
    MemberName,
    mail::{CONTENT_BYTES_MAX, INBOX_BYTES_MAX},
    port::{Batch, MailError, Mailbox},
};
use tokio::task::JoinSet;

use super::{CrashingWorld, World, give_up, ids, largest, mail, name};

async fn taken(mailbox: &dyn Mailbox, owner: &MemberName) -> Vec<Batch> {
    mailbox.take(owner).await.unwrap()
}

async fn settle(mailbox: &dyn Mailbox, owner: &MemberName, batches: &[Batch]) {
    for batch in batches {
        mailbox.ack(owner, batch.id).await.unwrap();
    }
}

/// Mail comes in order, and comes again until its batch is settled, whatever script its reader's name is of.
pub async fn what_is_sent_is_taken_in_order_until_it_is_settled(world: &dyn World) {
    let (world, process) = (world.name(), world.process().await);
    let (mailbox, tester) = (&*process.mailbox, name("测试员"));
    assert_eq!(taken(mailbox, &tester).await, [], "{world}");
    for id in ["m1", "m2"] {
        mailbox.send(mail(id, "测试员", "hi")).await.unwrap();
    }
    let for_another = mail("x", "前端", "not for them");
    mailbox.send(for_another).await.unwrap();
    assert_eq!(mailbox.peek(&tester).await.unwrap().len(), 2, "{world}");

    let first = taken(mailbox, &tester).await;
    assert_eq!(ids(&first), ["m1", "m2"], "{world}");
    assert_eq!(first[0].messages[0], mail("m1", "测试员", "hi"), "{world}");

    // Not settled, they come again, before what is new.
    mailbox.send(mail("m3", "测试员", "hi")).await.unwrap();
    assert_eq!(mailbox.peek(&tester).await.unwrap().len(), 3, "{world}");
    let again = taken(mailbox, &tester).await;
    assert_eq!(ids(&again), ["m1", "m2", "m3"], "{world}");

    mailbox.ack(&tester, again[0].id).await.unwrap();
    assert_eq!(ids(&taken(mailbox, &tester).await), ["m3"], "{world}");
    mailbox.ack(&tester, again[1].id).await.unwrap();
    assert_eq!(taken(mailbox, &tester).await, [], "{world}");
    let others = taken(mailbox, &name("前端")).await;
    assert_eq!(ids(&others), ["x"], "{world}");
}

/// Where a store can say how much mail it has stored, it counts what is sent and nothing else.
pub async fn the_end_grows_with_each_message_and_never_shrinks(world: &dyn World) {
    let (world, process) = (world.name(), world.process().await);
    let (mailbox, bob) = (&*process.mailbox, name("bob"));
    let end = async || mailbox.end(&bob).await.unwrap();
    let Some(at_first) = end().await else { return };
    mailbox.send(mail("x", "carol", "hi")).await.unwrap();
    assert_eq!(end().await, Some(at_first), "{world}: carol's is not bob's");
    mailbox.send(mail("m1", "bob", "hi")).await.unwrap();
    let after_one = end().await;
    assert!(after_one > Some(at_first), "{world}");
    mailbox.send(mail("m2", "bob", "hi")).await.unwrap();
    let after_two = end().await;
    assert!(after_two > after_one, "{world}");
    let batches = taken(mailbox, &bob).await;
    settle(mailbox, &bob, &batches).await;
    assert_eq!(end().await, after_two, "{world}: it was taken and settled");
}

/// Both limits refuse with their numbers, and mail that was heard makes room.
pub async fn too_much_is_refused_with_a_reason(world: &dyn World) {
    let (world, process) = (world.name(), world.process().await);
    let (mailbox, bob) = (&*process.mailbox, name("bob"));
    let long = "x".repeat(CONTENT_BYTES_MAX + 1);
    let refused = mailbox.send(mail("m", "bob", &long)).await;
    let is_too_large = matches!(refused, Err(MailError::TooLarge { .. }));
    assert!(is_too_large, "{world}: {refused:?}");

    let most = "x".repeat(CONTENT_BYTES_MAX);
    let mut sent = 0;
    let full = loop {
        match mailbox.send(mail(&format!("m{sent}"), "bob", &most)).await {
            Ok(()) => sent += 1,
            Err(error) => break error,
        }
    };
    let MailError::Full { to, bytes } = full else {
        panic!("{world}: {full}")
    };
    assert_eq!(to, bob, "{world}");
    assert!(bytes <= INBOX_BYTES_MAX, "{world}: {bytes}");
    assert!(
        sent * most.len() <= usize::try_from(bytes).unwrap(),
        "{world}: {bytes}"
    );
    assert!(sent > 0, "{world}");

    let batches = taken(mailbox, &bob).await;
    assert_eq!(ids(&batches).len(), sent, "{world}");
    settle(mailbox, &bob, &batches).await;
    let last = mailbox.send(mail("last", "bob", &most)).await;
    assert_eq!(last, Ok(()), "{world}");
}

/// Sends what counts, and beside it what nobody waits for.
async fn send_and_give_up(mailbox: Arc<dyn Mailbox>, sender: usize) {
    for n in 0..25 {
        let id = format!("{sender}-{n}");
        mailbox.send(mail(&id, "bob", "hi")).await.unwrap();
        give_up(mailbox.send(mail(&format!("x{id}"), "bob", "?")));
    }
}

/// All mail of each sender, in the order in which it was sent.
fn assert_all_of_each(heard: &[String], senders: usize, world: &str) {
    for sender in 0..senders {
        let prefix = format!("{sender}-");
        let own: Vec<_> = heard.iter().filter(|id| id.starts_with(&prefix)).collect();
        let sent: Vec<_> = (0..25).map(|n| format!("{sender}-{n}")).collect();
        assert_eq!(own, sent.iter().collect::<Vec<_>>(), "{world}");
    }
}

/// In one process.
pub async fn many_senders_at_once_lose_nothing_and_one_that_gives_up_harms_nobody(
    world: &dyn World,
) {
    let (world, process) = (world.name(), world.process().await);
    let mailbox = &process.mailbox;
    let mut senders = JoinSet::new();
    for sender in 0..8 {
        senders.spawn(send_and_give_up(mailbox.clone(), sender));
    }
    senders.join_all().await;
    let heard = ids(&taken(&**mailbox, &name("bob")).await);
    assert_all_of_each(&heard, 8, world);
    // The box still works for others.
    let after = mailbox.send(mail("after", "bob", "hi")).await;
    assert_eq!(after, Ok(()), "{world}");
}

/// In several processes, while the owner takes and settles.
pub async fn mail_of_several_processes_is_heard_while_they_send(world: &dyn World) {
    let (reader, bob) = (world.process().await, name("bob"));
    let mut senders = JoinSet::new();
    for sender in 0..3 {
        let process = world.process().await;
        senders.spawn(async move { send_and_give_up(process.mailbox.clone(), sender).await });
    }
    let mut heard = Vec::new();
    let mut is_last = false;
    while !is_last {
        is_last = senders.is_empty();
        let batches = taken(&*reader.mailbox, &bob).await;
        settle(&*reader.mailbox, &bob, &batches).await;
        heard.extend(ids(&batches));
        while let Some(ended) = senders.try_join_next() {
            ended.unwrap();
        }
        tokio::task::yield_now().await;
    }
    assert_all_of_each(&heard, 3, world.name());
}

/// What a process took and did not settle is its successor's, before what came later.
pub async fn a_new_process_finds_what_the_last_one_took(world: &dyn World) {
    let (before, bob) = (world.process().await, name("bob"));
    before.mailbox.send(mail("m1", "bob", "hi")).await.unwrap();
    taken(&*before.mailbox, &bob).await;
    before.mailbox.send(mail("m2", "bob", "hi")).await.unwrap();
    drop(before);

    let after = world.process().await;
    let waiting = after.mailbox.peek(&bob).await.unwrap();
    assert_eq!(waiting.len(), 2, "{}", world.name());
    let batches = taken(&*after.mailbox, &bob).await;
    assert_eq!(ids(&batches), ["m1", "m2"], "{}", world.name());
    settle(&*after.mailbox, &bob, &batches).await;
    drop(after);
    let last = world.process().await;
    assert_eq!(taken(&*last.mailbox, &bob).await, [], "{}", world.name());
}

/// A sender that does not know whether its mail arrived sends the same again: nothing else is heard for it.
pub async fn mail_that_is_sent_again_is_the_same_mail(world: &dyn World) {
    let (process, bob) = (world.process().await, name("bob"));
    let other = world.process().await;
    for mailbox in [&process.mailbox, &process.mailbox, &other.mailbox] {
        mailbox.send(mail("m1", "bob", "hi")).await.unwrap();
    }
    let batches = taken(&*process.mailbox, &bob).await;
    let different: BTreeSet<_> = ids(&batches).into_iter().collect();
    assert_eq!(
        different,
        BTreeSet::from(["m1".to_owned()]),
        "{}",
        world.name()
    );
    settle(&*process.mailbox, &bob, &batches).await;
    assert_eq!(taken(&*process.mailbox, &bob).await, [], "{}", world.name());
}

/// Attachments stay on their message, and a mailbox takes two full ones.
pub async fn attachments_are_heard_as_they_were_sent_and_two_full_messages_fit(world: &dyn World) {
    let (world, process) = (world.name(), world.process().await);
    let (mailbox, bob) = (&*process.mailbox, name("bob"));
    for id in ["m1", "m2"] {
        mailbox.send(largest(id)).await.unwrap();
    }
    mailbox.send(mail("m3", "bob", "hi")).await.unwrap();
    let third = mailbox.send(largest("m4")).await;
    assert!(matches!(third, Err(MailError::Full { .. })), "{world}");
    let batches = taken(mailbox, &bob).await;
    let sent = [largest("m1"), largest("m2"), mail("m3", "bob", "hi")];
    let heard: Vec<_> = batches.iter().flat_map(|batch| &batch.messages).collect();
    assert!(heard.into_iter().eq(&sent), "{world}: {:?}", ids(&batches));
    for batch in &batches {
        assert!(
            batch.damaged.is_empty() && batch.unsealed.is_empty(),
            "{world}"
        );
    }
}

/// Mail whose sending was acknowledged is there after a power cut, taken or not.
pub async fn mail_that_was_sent_survives_a_crash(world: &dyn CrashingWorld) {
    let bob = name("bob");
    for seed in 0..8 {
        let process = world.process().await;
        let mailbox = &*process.mailbox;
        let told = |what: &str| format!("{}, crash {seed}: {what}", world.name());
        let id = |n: u32| format!("{seed}-{n}");
        mailbox.send(mail(&id(1), "bob", "hi")).await.unwrap();
        mailbox.send(mail(&id(2), "bob", "hi")).await.unwrap();
        taken(mailbox, &bob).await;
        mailbox.send(mail(&id(3), "bob", "hi")).await.unwrap();
        world.crash(seed).await;
        drop(process);

        let after = world.process().await;
        let batches = taken(&*after.mailbox, &bob).await;
        // What was settled before may come again: its ids are known.
        let mut heard = ids(&batches);
        heard.retain(|id| id.starts_with(&format!("{seed}-")));
        assert_eq!(heard, [id(1), id(2), id(3)], "{}", told("heard"));
        let lost = batches.iter().map(|batch| batch.gaps.len()).sum::<usize>();
        assert_eq!(lost, 0, "{}", told("gaps"));
        settle(&*after.mailbox, &bob, &batches).await;
    }
}
