//! Who follows a journal takes what is delivered, without a request, and believes of it no more than of what is read.

use std::sync::atomic::Ordering;

use async_nats::Client;
use teammate_core::{
    Timestamp,
    port::{Durability, Journal, JournalError},
    team::TeamEvent,
};
use teammate_nats::NatsStore;
use teammate_testkit::stories::working;

use crate::{
    snapshot::Backup,
    wire::LONG,
    world::{Own, seal},
};

/// A process that follows the journal.
struct Follower {
    client: Client,
    store: NatsStore,
    length: u64,
}

impl Follower {
    /// Listens from now on.
    async fn of(own: &Own) -> Self {
        let client = own.client().await;
        let store = NatsStore::at(client.clone(), own.place.clone(), seal());
        let mut follower = Self {
            client,
            store,
            length: 0,
        };
        follower.rings().await;
        follower.follows(0).await.unwrap();
        follower
    }

    async fn rings(&self) {
        let grew = tokio::time::timeout(LONG, self.store.journal.grew());
        grew.await.expect("the journal rings");
    }

    /// The numbers of the records that are new to it, at least those before `through`.
    async fn follows(&mut self, through: u64) -> Result<Vec<u64>, JournalError> {
        let followed = self.store.journal.follow(self.length, through).await?;
        let numbers: Vec<u64> = followed
            .records
            .iter()
            .map(|record| record.number)
            .collect();
        let next = self.length..self.length + numbers.len() as u64;
        assert!(numbers.iter().copied().eq(next.clone()), "{numbers:?}");
        self.length = next.end;
        Ok(numbers)
    }

    /// How many messages it has sent to the server.
    fn sent(&self) -> u64 {
        self.client
            .statistics()
            .out_messages
            .load(Ordering::Relaxed)
    }
}

async fn put(journal: &dyn Journal, n: u64, events: Vec<TeamEvent>) {
    let appended = journal.append(n, Timestamp(n), events, Durability::Synced);
    appended.await.unwrap();
}

/// An event of so many bytes.
fn large(bytes: usize) -> Vec<TeamEvent> {
    vec![TeamEvent::Created {
        id: Default::default(),
        name: "x".repeat(bytes),
    }]
}

#[tokio::test(flavor = "multi_thread")]
async fn who_follows_asks_for_nothing_that_is_delivered() {
    let Some(own) = Own::server().await else {
        return;
    };
    let writer = own.store().await.journal;
    put(&*writer, 0, working(0)).await;
    let mut follower = Follower::of(&own).await;
    assert_eq!(follower.length, 1);
    let sent = follower.sent();
    for n in 1..100 {
        put(&*writer, n, working(n)).await;
        assert_eq!(follower.follows(n + 1).await.unwrap(), [n]);
    }
    // What is there by now, and nothing more.
    assert_eq!(follower.follows(0).await.unwrap(), [] as [u64; 0]);
    assert_eq!(follower.sent(), sent);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_is_told_of_more_than_there_is_learns_that_it_is_not_there() {
    let Some(own) = Own::server().await else {
        return;
    };
    let writer = own.store().await.journal;
    put(&*writer, 0, working(0)).await;
    let mut follower = Follower::of(&own).await;
    assert_eq!(follower.follows(7).await.unwrap(), [] as [u64; 0]);
    put(&*writer, 1, working(1)).await;
    assert_eq!(follower.follows(2).await.unwrap(), [1]);
}

/// Far more than is kept for it: it reads, and is then delivered to again.
#[tokio::test(flavor = "multi_thread")]
async fn who_does_not_follow_for_long_reads_what_it_has_missed() {
    let Some(own) = Own::server().await else {
        return;
    };
    let writer = own.store().await.journal;
    put(&*writer, 0, working(0)).await;
    let mut follower = Follower::of(&own).await;
    // Some in parts, some not.
    for n in 1..=6 {
        let bytes = if n % 2 == 0 { 700 << 10 } else { 400 << 10 };
        put(&*writer, n, large(bytes)).await;
    }
    assert_eq!(follower.follows(7).await.unwrap(), [1, 2, 3, 4, 5, 6]);
    put(&*writer, 7, large(700 << 10)).await;
    assert_eq!(follower.follows(8).await.unwrap(), [7]);
    let sent = follower.sent();
    for n in 8..40 {
        put(&*writer, n, working(n)).await;
        assert_eq!(follower.follows(n + 1).await.unwrap(), [n]);
    }
    // Consumers of the readings before may be removed now; a reading has three requests.
    assert!(follower.sent() - sent < 32);
}

#[tokio::test(flavor = "multi_thread")]
async fn who_follows_goes_on_when_the_server_was_away() {
    let Some(own) = Own::server().await else {
        return;
    };
    let writer = own.store().await.journal;
    put(&*writer, 0, working(0)).await;
    let mut follower = Follower::of(&own).await;
    for n in 1..=3 {
        own.kill_and_start();
        put(&*writer, n, working(n)).await;
        assert_eq!(follower.follows(n + 1).await.unwrap(), [n]);
    }
}

/// Nobody appends where the restored journal ends: the follower hears of another record in the place of the one that it knows.
#[tokio::test(flavor = "multi_thread")]
async fn who_follows_a_journal_that_is_another_one_by_now_is_stopped() {
    let Some(own) = Own::server().await else {
        return;
    };
    let writer = own.store().await.journal;
    put(&*writer, 0, working(0)).await;
    let backup = Backup::of(&own.client().await, "TM_LOG_0").await;
    let mut follower = Follower::of(&own).await;
    put(&*writer, 1, working(1)).await;
    assert_eq!(follower.follows(2).await.unwrap(), [1]);
    backup.restore(&own.client().await).await;
    let other = own.store().await.journal;
    for n in 1..=3 {
        put(&*other, n, working(n + 100)).await;
    }
    let followed = follower.follows(4).await;
    assert!(
        matches!(followed, Err(JournalError::Unsound(_))),
        "{followed:?}"
    );
}
