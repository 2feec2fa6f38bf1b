//! A server killed in the middle of appends loses and doubles nothing.

use std::sync::{
    Arc,
    atomic::{AtomicU64, Ordering},
};

use teammate_core::{MemberName, transcript::Entry};
use teammate_nats::NatsStore;
use teammate_testkit::stories::{ids, mail, name};
use tokio::{sync::Notify, task::JoinSet};

use crate::world::Own;

const WRITERS: u64 = 8;
const APPENDS: u64 = 125;
const KILLS: u64 = 4;

/// Counts acknowledgements.
#[derive(Default)]
struct Acks {
    count: AtomicU64,
    more: Notify,
}

impl Acks {
    fn add(&self) {
        self.count.fetch_add(1, Ordering::SeqCst);
        self.more.notify_one();
    }

    async fn reach(&self, count: u64) {
        while self.count.load(Ordering::SeqCst) < count {
            self.more.notified().await;
        }
    }
}

fn said(n: u64) -> Entry {
    Entry::Prompted(n.to_string())
}

async fn write(store: NatsStore, member: MemberName, acks: Arc<Acks>) {
    let mut open = store.transcripts.open(&member).await.unwrap();
    for n in 0..APPENDS {
        open.log.append(&said(n)).await.unwrap();
        acks.add();
        let id = format!("{member}-{n}");
        store
            .mailbox
            .send(mail(&id, member.as_str(), "hi"))
            .await
            .unwrap();
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn of_a_thousand_appends_between_kills_none_is_lost_or_doubled() {
    let Some(own) = Own::server().await else {
        return;
    };
    let acks = Arc::new(Acks::default());
    let mut writers = JoinSet::new();
    let members: Vec<_> = (0..WRITERS).map(|n| name(&format!("w{n}"))).collect();
    for member in &members {
        writers.spawn(write(own.store().await, member.clone(), acks.clone()));
    }
    for kill in 1..=KILLS {
        acks.reach(kill * WRITERS * APPENDS / (KILLS + 1)).await;
        own.kill_and_start();
    }
    writers.join_all().await;
    let all: Vec<_> = (0..APPENDS).map(said).collect();
    let after = own.store().await;
    for member in &members {
        assert_eq!(
            after.transcripts.peek(member).await.unwrap(),
            all,
            "{member}"
        );
        let heard = ids(&after.mailbox.take(member).await.unwrap());
        let sent: Vec<_> = (0..APPENDS).map(|n| format!("{member}-{n}")).collect();
        assert_eq!(heard, sent, "{member}");
    }
}
