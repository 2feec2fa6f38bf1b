//! Many workers at one board, killed at any await, on one ledger and on several that share a journal: whatever was said to
//! have happened has happened, and no task is in two hands.

mod crew;

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering},
    },
    time::Duration,
};

use teammate_core::{
    MemberName,
    port::{BoxFuture, Disk, Durability, JournalRead, Record},
    team::MemberPhase,
};
use teammate_store::{
    clock::SystemClock,
    files::{FileJournal, TeamDir},
    seal::HmacSeal,
};
use teammate_testkit::{memory::MemoryJournal, sim::SimDisk};

use super::*;
use crew::{Crew, create};

fn seed() -> u64 {
    let seed = std::env::var("TEAMMATE_SEED").ok();
    let now = std::time::SystemTime::UNIX_EPOCH.elapsed().unwrap();
    let now = u64::from(now.subsec_nanos());
    seed.and_then(|seed| seed.parse().ok()).unwrap_or(now)
}

fn on_disk(count: usize) -> Vec<Arc<dyn Journal>> {
    let disk: Arc<dyn Disk> = Arc::new(SimDisk::new());
    let dir = TeamDir::create(&*disk, "/team").unwrap();
    let seal = Arc::new(HmacSeal::new(&[7; 32]));
    let journal = || {
        let heads = Arc::default();
        Arc::new(FileJournal::new(
            disk.clone(),
            dir.clone(),
            seal.clone(),
            heads,
        )) as Arc<dyn Journal>
    };
    (0..count).map(|_| journal()).collect()
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_workers_finish_a_thousand_tasks_once_each_in_memory() {
    let journal: Arc<dyn Journal> = Arc::new(MemoryJournal::default());
    Crew::of(&[journal], 16, seed()).await.finish(1_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn sixteen_workers_finish_a_thousand_tasks_once_each_in_a_file() {
    Crew::of(&on_disk(1), 16, seed()).await.finish(1_000).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn four_hosts_on_one_journal_finish_every_task_once() {
    Crew::of(&on_disk(4), 16, seed()).await.finish(60).await;
}

/// A journal that fails on request.
#[derive(Default)]
struct Faulty {
    journal: MemoryJournal,
    refuses_appends: AtomicBool,
    refuses_reads: AtomicBool,
}

fn unless(fails: &AtomicBool) -> Result<(), JournalError> {
    if fails.load(Ordering::SeqCst) {
        return Err(JournalError::Broken("the disk is full".into()));
    }
    Ok(())
}

impl Journal for Faulty {
    fn append_record(
        &self,
        record: Record,
        durability: Durability,
    ) -> BoxFuture<'_, Result<(), JournalError>> {
        Box::pin(async move {
            unless(&self.refuses_appends)?;
            self.journal.append_record(record, durability).await
        })
    }

    fn read(&self, from: u64) -> BoxFuture<'_, Result<JournalRead, JournalError>> {
        Box::pin(async move {
            unless(&self.refuses_reads)?;
            self.journal.read(from).await
        })
    }

    fn grew(&self) -> BoxFuture<'_, ()> {
        self.journal.grew()
    }
}

#[tokio::test]
async fn what_could_not_be_written_is_not_believed_later() {
    let journal = Arc::new(Faulty::default());
    let (ledger, _news, _) = Ledger::open(journal.clone(), Arc::new(SystemClock))
        .await
        .unwrap();
    let alice = MemberName::teammate("alice").unwrap();
    ledger.decide(create()).await.unwrap();
    let adopt = Command::Adopt {
        member: alice.clone(),
        role: "any".into(),
        stopped: false,
    };
    let stop = Command::Stop {
        member: MemberName::lead(),
        incarnation: teammate_core::Incarnation::FIRST,
    };
    for reads_too in [false, true] {
        journal.refuses_appends.store(true, Ordering::SeqCst);
        journal.refuses_reads.store(reads_too, Ordering::SeqCst);
        assert!(ledger.decide(adopt.clone()).await.is_err());
        assert!(ledger.is_broken());
        journal.refuses_appends.store(false, Ordering::SeqCst);
        if reads_too {
            // It cannot be known what is in the journal: nothing is decided on top of it.
            assert!(ledger.decide(stop.clone()).await.is_err());
            journal.refuses_reads.store(false, Ordering::SeqCst);
        } else {
            assert!(ledger.team().member(&alice).is_none());
        }
    }
    ledger.decide(stop).await.unwrap();
    assert!(!ledger.is_broken());
    assert!(ledger.team().member(&alice).is_none(), "it never happened");
    let lead = ledger.team().member(&MemberName::lead()).cloned().unwrap();
    assert_eq!(lead.phase, MemberPhase::Stopped);
    let again = Ledger::open(journal, Arc::new(SystemClock))
        .await
        .unwrap()
        .0;
    assert_eq!(*again.team(), *ledger.team());
}

#[tokio::test(start_paused = true)]
async fn what_could_not_be_read_when_it_came_is_read_in_a_moment() {
    let journal = Arc::new(Faulty::default());
    let elsewhere = Arc::new(journal.journal.another_process());
    let opened = Ledger::open(journal.clone(), Arc::new(SystemClock)).await;
    let (ledger, _news, _) = opened.unwrap();
    let opened = Ledger::open(elsewhere, Arc::new(SystemClock)).await;
    let (other, _news, _) = opened.unwrap();

    journal.refuses_reads.store(true, Ordering::SeqCst);
    other.decide(create()).await.unwrap();
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(ledger.length().get(), 0);

    journal.refuses_reads.store(false, Ordering::SeqCst);
    tokio::time::sleep(Duration::from_secs(5)).await;
    assert_eq!(*ledger.team(), *other.team());
}
